// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/record_history.hpp"

#include "base/hash.hpp"
#include "fold/field_codec.hpp"

#include <algorithm>
#include <cstring>

namespace tracefold {

namespace {

u32 fingerprint(const RecordBatch& batch, const RecordBatch::Head& head) {
    const std::span<const u64> values = batch.values(head);
    const CountingFields& counting = counting_fields(head.type);
    u64 hash = head.type + (u64{head.value_count} << 8U);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!counting.has(i)) hash = (hash ^ values[i]) * kGolden;
    }
    return static_cast<u32>((hash * kGolden) >> 32U);
}

}  // namespace

void RecordHistory::clear() {
    fingerprints_.clear();
    repeated_ = repeated_period_ = after_repetition_ = 0;
}

void RecordHistory::add(const RecordBatch& batch, std::span<const RecordBatch::Head> heads) {
    for (const RecordBatch::Head& head : heads) {
        fingerprints_.push_back(fingerprint(batch, head));
    }
    after_repetition_ += heads.size();
    forget();
}

void RecordHistory::repeat(std::size_t period, u64 times) {
    if (times == 0) return;
    const std::size_t known = fingerprints_.size();
    const std::size_t added = std::min<u64>(times, kReach / period + 1) * period;
    repeated_ = added + reach_of(period);
    repeated_period_ = period;
    after_repetition_ = 0;
    fingerprints_.resize(known + added);
    // Copies as many whole periods as are known in one step.
    const auto first = fingerprints_.begin() + static_cast<std::ptrdiff_t>(known - period);
    for (std::size_t done = 0, count = 0; done < added; done += count) {
        count = std::min(added - done, period + done);
        std::copy_n(first, count, first + static_cast<std::ptrdiff_t>(period + done));
    }
    forget();
}

void RecordHistory::forget() {
    if (fingerprints_.size() < 2 * kReach) return;
    fingerprints_.erase(fingerprints_.begin(),
                        fingerprints_.end() - static_cast<std::ptrdiff_t>(kReach));
}

bool RecordHistory::repeats_after(std::size_t period) const {
    if (fingerprints_.size() < period + kGlance) return false;
    const u32* const end = fingerprints_.data() + fingerprints_.size();
    return std::equal(end - kGlance, end, end - kGlance - period);
}

/// Number of last records with this period; the search ends kEvidence records earlier.
std::size_t RecordHistory::reach_of(std::size_t period) const {
    const std::size_t most = std::min(fingerprints_.size(), period + kEvidence);
    const auto last = fingerprints_.rbegin();
    const auto before = last + static_cast<std::ptrdiff_t>(period);
    const auto end = last + static_cast<std::ptrdiff_t>(most);
    return static_cast<std::size_t>(std::mismatch(before, end, last).first - last);
}

/// Repeating records are no evidence of a larger period, unless it covers all of them.
std::size_t RecordHistory::evidence() const {
    if (repeated_ == 0 || after_repetition_ >= kEvidence) return kEvidence;
    return std::max(kEvidence, after_repetition_ + repeated_ + kGlance);
}

/// Position, counted from the end, of a rare record to search for: the one that ended the last
/// repetition. 0 if the repetition continues. Precondition: at least evidence() records.
std::size_t RecordHistory::rare_place() const {
    if (repeated_ == 0 || after_repetition_ >= kEvidence) return 1;
    const auto begin = fingerprints_.end() - static_cast<std::ptrdiff_t>(after_repetition_);
    const auto before = begin - static_cast<std::ptrdiff_t>(repeated_period_);
    const auto other = std::mismatch(begin, fingerprints_.end(), before).first;
    return static_cast<std::size_t>(fingerprints_.end() - other);
}

std::size_t RecordHistory::period() const {
    const std::size_t needed = evidence();
    if (fingerprints_.size() <= needed) return 0;
    const std::size_t rare = rare_place();
    if (rare == 0) return 0;
    const u32* const end = fingerprints_.data() + fingerprints_.size();
    const u32* const known = end - rare;
    const u32* const oldest = fingerprints_.data() + needed - rare;
    for (const u32* at = known - 1; at >= oldest; --at) {
        if (*at == *known && std::equal(end - needed, end, at + rare - needed)) {
            return static_cast<std::size_t>(known - at);
        }
    }
    return 0;
}

namespace {

/// The layout that two records must share: eight adjacent bytes, which compilers load at once.
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
    // The values of adjacent records are adjacent.
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

/// Precondition: equal numbers of attributes.
bool RecordLoop::same_attributes(const RecordBatch& batch, const RecordBatch::Head& head,
                                 const RecordBatch::Head& expected) const {
    const auto attributes = batch.attributes(head);
    return std::equal(attributes.begin(), attributes.end(), records_.attributes(expected).begin());
}

}  // namespace tracefold
