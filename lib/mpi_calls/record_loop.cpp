// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/record_loop.hpp"

#include "mpi_calls/counted_ids.hpp"

#include <algorithm>
#include <cstring>

namespace tracefold {

namespace {

/// What two records need to have in common. The fields fill eight adjacent bytes, which compilers
/// load at once.
u64 layout(const RecordBatch::Head& head) {
    return u64{head.value_count} | u64{head.attribute_count} << 32U | u64{head.type} << 48U |
           u64{head.unused} << 56U;
}

std::size_t end_of_values(const RecordBatch::Head& head) {
    return std::size_t{head.first_value} + head.value_count;
}

}  // namespace

void RecordLoop::clear() {
    records_.clear();
    counted_.clear();
    matched_ = 0;
    iterations_ = 0;
}

void RecordLoop::capture(const RecordBatch& batch, Heads heads) { records_.append(batch, heads); }

void RecordLoop::close(const CountedIds& step) {
    step_ = step;
    for (const RecordBatch::Head& head : records_.heads()) {
        for (const auto& [field, counter] : counting_fields(head.type).fields) {
            if (field == CountingFields::kNone || step[counter] == 0) continue;
            const bool undefined =
                counter == IdCounter::message && records_.values(head)[field] == kUndefinedMessage;
            if (!undefined) counted_.push_back({head.first_value + field, step[counter]});
        }
    }
    advance_ids();
}

void RecordLoop::next() {
    ++iterations_;
    matched_ = 0;
    advance_ids();
}

void RecordLoop::advance_ids() {
    for (const Counted& counted : counted_) records_.add_to_value(counted.value, counted.step);
}

std::size_t RecordLoop::match(const RecordBatch& batch, Heads heads) {
    const Heads expected = records_.heads().subspan(matched_);
    const std::size_t most = std::min(heads.size(), expected.size());
    std::size_t count = 0;
    while (count < most && layout(heads[count]) == layout(expected[count]) &&
           (heads[count].attribute_count == 0 ||
            same_attributes(batch, heads[count], expected[count]))) {
        ++count;
    }
    if (count == 0) return 0;
    // The values of records in a row stand in a row.
    const std::size_t first = heads[0].first_value;
    const std::size_t size = end_of_values(heads[count - 1]) - first;
    const u64* const values = batch.values(heads[0]).data();
    const u64* const known = records_.values(expected[0]).data();
    if (std::memcmp(values, known, size * sizeof(u64)) != 0) {
        const u64* const other = std::mismatch(values, values + size, known).first;
        const std::size_t equal = static_cast<std::size_t>(other - values);
        while (count > 0 && end_of_values(heads[count - 1]) - first > equal) --count;
    }
    if (timing_) {
        for (std::size_t i = 0; i < count; ++i) records_.set_time(matched_ + i, heads[i].time);
    }
    matched_ += count;
    return count;
}

/// Precondition: they are equally many.
bool RecordLoop::same_attributes(const RecordBatch& batch, const RecordBatch::Head& head,
                                 const RecordBatch::Head& expected) const {
    const auto attributes = batch.attributes(head);
    return std::equal(attributes.begin(), attributes.end(), records_.attributes(expected).begin());
}

}  // namespace tracefold
