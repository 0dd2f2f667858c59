// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/cut/location_cutter.hpp"

#include "fold/symbol_table.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

using Pairs = std::array<const ScopePair*, kEventTypes>;

template <EventType ScopePair::*End>
constexpr Pairs pairs_by() {
    Pairs pairs{};
    for (const ScopePair& pair : kScopePairs) {
        pairs[static_cast<std::size_t>(pair.*End)] = &pair;
    }
    return pairs;
}

constexpr Pairs kOpened = pairs_by<&ScopePair::opens>();
constexpr Pairs kClosed = pairs_by<&ScopePair::closes>();

}  // namespace

const ScopePair* opened_pair(u8 type) { return kOpened[type]; }

const ScopePair* closed_pair(u8 type) { return kClosed[type]; }

void OpenScopes::open(const ScopePair& pair, const RecordBatch& batch,
                      const RecordBatch::Head& head, u64 stretch) {
    if (size_ == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[size_++];
    entry.record.clear();
    entry.record.append(batch, head);
    entry.pair = &pair;
    entry.stretch = stretch;
    entry.told = false;
}

OpenScopes::Entry* OpenScopes::find(const ScopePair& pair, std::span<const u64> values) {
    for (std::size_t i = size_; i-- > 0;) {
        Entry& entry = entries_[i];
        if (entry.pair != &pair) continue;
        const std::span<const u64> opened = entry.record.last_values();
        if (std::equal(opened.begin(), opened.begin() + pair.same, values.begin())) return &entry;
    }
    return nullptr;
}

OpenScopes::Entry* OpenScopes::innermost_region() {
    Entry* entry = entries_.data() + size_ - 1;
    while (record_traits(entry->record[0].type).role != RecordRole::opens) --entry;
    return entry;
}

void OpenScopes::close(Entry* entry) {
    std::rotate(entry, entry + 1, entries_.data() + size_);
    --size_;
}

using Role = OperationTracker::Role;

void LocationCutter::add(const RecordBatch& batch, const RecordBatch::Head& head,
                         RecordBatch& out) {
    const Side side = selector_.next(
        batch, head, [&](const Interval& interval) { enter(interval, out); },
        [&](const Interval& interval) { leave(interval, out); });
    const OperationTracker::Step step = operations_.next(batch, head, side);
    if (selector_.unwanted()) {
        if (stretch_ % 2 != 0) ++counts_.unwanted[static_cast<std::size_t>(record_kind(head.type))];
        return;
    }
    if (const ScopePair* const opened = opened_pair(head.type); opened != nullptr) {
        open(*opened, batch, head);
        if (side == Side::inside) open_all(out);
    } else if (const ScopePair* const closed = closed_pair(head.type); closed != nullptr) {
        close(*closed, batch, head, side, out);
    } else if (side == Side::inside && !is_left_out(step)) {
        open_all(out);
        put(batch, head, out);
    }
}

bool LocationCutter::is_left_out(const OperationTracker::Step& step) const {
    if (step.role == Role::none) return false;
    return step.operation->begun != Side::inside || left_out_.contains(step.operation->number) ||
           left_out_.contains(operations_.record());
}

void LocationCutter::open(const ScopePair& pair, const RecordBatch& batch,
                          const RecordBatch::Head& head) {
    scopes_.open(pair, batch, head, stretch_);
    ++untold_;
    if (on_stream_ || record_traits(head.type).role != RecordRole::opens) return;
    const EventSelector::Region& region = selector_.region(batch, head);
    regions_.enter({region.id}, region.mpi_function);
}

void LocationCutter::close(const ScopePair& pair, const RecordBatch& batch,
                           const RecordBatch::Head& head, Side side, RecordBatch& out) {
    OpenScopes::Entry* const entry = find_closed(pair, batch, head);
    if (side == Side::inside) open_all(out);
    // An unmatched Leave in open regions could end another region in the part. Other ends stay.
    const bool ends_nothing = entry == nullptr && selector_.pairs() && !regions_.empty() &&
                              record_traits(head.type).role == RecordRole::closes;
    const bool stays = entry == nullptr ? side == Side::inside && !ends_nothing : entry->told;
    if (stays) put(batch, head, out);
    if (entry != nullptr) forget(entry);
}

/// The scope that a record closes; null if none. A Leave also ends the inner regions, which have no
/// Leave; a stream has no inner regions.
OpenScopes::Entry* LocationCutter::find_closed(const ScopePair& pair, const RecordBatch& batch,
                                               const RecordBatch::Head& head) {
    if (on_stream_ || record_traits(head.type).role != RecordRole::closes) {
        return scopes_.find(pair, batch.values(head));
    }
    std::size_t ended = regions_.leave(selector_.ended(batch, head)).size();
    for (; ended > 1; --ended) forget(scopes_.innermost_region());
    return ended == 0 ? nullptr : scopes_.innermost_region();
}

void LocationCutter::forget(OpenScopes::Entry* entry) {
    if (!entry->told) --untold_;
    scopes_.close(entry);
}

void LocationCutter::enter(const Interval& interval, RecordBatch& out) {
    ++stretch_;
    begin_ = interval.open;
    if (!request_.has_names()) open_all(out);
}

void LocationCutter::leave(const Interval& interval, RecordBatch& out) {
    ++stretch_;
    const std::span<OpenScopes::Entry> entries = scopes_.entries();
    for (std::size_t i = entries.size(); i-- > 0;) {
        OpenScopes::Entry& entry = entries[i];
        if (!entry.told) continue;
        const auto type = static_cast<u8>(entry.pair->closes);
        out.begin(type, interval.close);
        out.push(entry.record.last_values().first(entry.pair->same));
        ++counts_.added[type];
        entry.told = false;
        ++untold_;
    }
}

/// Opens scopes that are open in the trace, but not in the part.
void LocationCutter::open_all(RecordBatch& out) {
    if (untold_ == 0) return;
    for (OpenScopes::Entry& entry : scopes_.entries()) {
        if (entry.told) continue;
        const RecordBatch::Head& head = entry.record[0];
        const bool recorded = entry.stretch == stretch_;
        put(entry.record, head, recorded ? head.time : begin_, out);
        ++(recorded ? counts_.kept : counts_.added)[head.type];
        entry.told = true;
    }
    untold_ = 0;
}

void LocationCutter::put(const RecordBatch& batch, const RecordBatch::Head& head,
                         RecordBatch& out) {
    put(batch, head, head.time, out);
    ++counts_.kept[head.type];
}

void LocationCutter::put(const RecordBatch& batch, const RecordBatch::Head& head, u64 time,
                         RecordBatch& out) {
    if (head.attribute_count == 0 || !request_.drops(RecordKind::attributes)) {
        out.append(batch, head);
        out.set_time(out.size() - 1, time);
        return;
    }
    out.begin(head.type, time);
    out.push(batch.values(head));
    counts_.unwanted[static_cast<std::size_t>(RecordKind::attributes)] += head.attribute_count;
}

}  // namespace tracefold
