// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/cut/location_cutter.hpp"

#include "fold/symbol_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

/// Values of OTF2_MeasurementMode.
constexpr u64 kMeasurementOn = 1;
constexpr u64 kMeasurementOff = 2;

constexpr Pairs kOpened = pairs_by<&ScopePair::opens>();
constexpr Pairs kClosed = pairs_by<&ScopePair::closes>();

}  // namespace

const ScopePair* opened_pair(u8 type) { return kOpened[type]; }

const ScopePair* closed_pair(u8 type) { return kClosed[type]; }

OpenScopes::Entry& OpenScopes::open(const ScopePair& pair, const RecordBatch& batch,
                                    const RecordBatch::Head& head, u64 stretch) {
    if (size_ == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[size_++];
    entry.record.clear();
    entry.record.append(batch, head);
    entry.pair = &pair;
    entry.stretch = stretch;
    entry.told = false;
    entry.task.reset();
    entry.moved = false;
    return entry;
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

OpenScopes::Entry* OpenScopes::innermost_region(const std::optional<TaskId>& task) {
    const auto is_such = [&task](const Entry& entry) {
        return record_traits(entry.record[0].type).role == RecordRole::opens && entry.task == task;
    };
    Entry* entry = entries_.data() + size_ - 1;
    while (!is_such(*entry)) --entry;
    return entry;
}

void OpenScopes::close(Entry* entry) {
    std::rotate(entry, entry + 1, entries_.data() + size_);
    --size_;
}

using Role = OperationTracker::Role;

LocationCutter::LocationCutter(const CutRequest& request, const DefinitionIndex& definitions,
                               const MappingTables& tables, const std::vector<Intervals>& intervals,
                               bool on_stream, const NumberSet& left_out, CutCounts& counts,
                               u32 location, const RegionNesting::Location* nesting)
    : request_(request),
      tables_(tables),
      intervals_(intervals),
      selector_(request, definitions, tables, intervals[location], location, on_stream, nesting),
      on_stream_(on_stream),
      left_out_(left_out),
      counts_(counts),
      operations_(tables) {
    if (!selector_.pairs()) return;
    departures_ = nesting->departures;
    if (request.drops(RecordKind::threads)) return;
    told_tasks_.created = *nesting->created;
    told_.emplace(location, nesting->rule, told_tasks_);
}

void LocationCutter::add(const RecordBatch& batch, const RecordBatch::Head& head,
                         RecordBatch& out) {
    const Side side = selector_.next(
        batch, head, [&](const Interval& interval) { enter(interval, out); },
        [&](const Interval& interval) { leave(interval, out); });
    const OperationTracker::Step step = operations_.next(batch, head, side);
    if (selector_.pairs()) drop_departed(head.time + 1);
    if (selector_.unwanted()) {
        if (stretch_ % 2 != 0) ++counts_.unwanted[static_cast<std::size_t>(record_kind(head.type))];
    } else if (const ScopePair* const opened = opened_pair(head.type); opened != nullptr) {
        open(*opened, batch, head);
        if (side == Side::inside) open_all(out);
    } else if (const ScopePair* const closed = closed_pair(head.type); closed != nullptr) {
        close(*closed, batch, head, side, out);
    } else if (side == Side::inside && !is_left_out(step)) {
        open_all(out);
        put(batch, head, out);
    }
    if (selector_.pairs()) follow_tasks(head);
    const bool is_measured =
        is_open_ && (request_.regions == nullptr || selector_.within_regions());
    if (is_measured != is_measured_ && has_events_) mark(is_measured, head.time, out);
    is_measured_ = is_measured;
    has_events_ = true;
}

bool LocationCutter::is_left_out(const OperationTracker::Step& step) const {
    if (step.role == Role::none) return false;
    return step.operation->begun != Side::inside || left_out_.contains(step.operation->number) ||
           left_out_.contains(operations_.record());
}

void LocationCutter::open(const ScopePair& pair, const RecordBatch& batch,
                          const RecordBatch::Head& head) {
    scopes_.open(pair, batch, head, stretch_).task = task_;
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
    for (; ended > 1; --ended) forget(scopes_.innermost_region(task_));
    return ended == 0 ? nullptr : scopes_.innermost_region(task_);
}

void LocationCutter::forget(OpenScopes::Entry* entry) {
    if (!entry->told) --untold_;
    scopes_.close(entry);
}

template <class Gone>
void LocationCutter::forget_if(const Gone& gone) {
    const std::span<OpenScopes::Entry> entries = scopes_.entries();
    for (std::size_t i = entries.size(); i-- > 0;) {
        if (gone(entries[i])) forget(&entries[i]);
    }
}

/// Updates the scopes for the task that runs after the event.
void LocationCutter::follow_tasks(const RecordBatch::Head& head) {
    if (!changes_task(head.type)) return;
    if (const TaskChange* const change = selector_.task_change()) {
        task_ = selector_.task();
        change_task(regions_, *change, [this](const OpenVisit& visit) {
            regions_.enter({visit.region}, visit.is_mpi);
        });
        if (change->from != kNone) take_over(*change, head.time);
    }
    forget_if([this](const OpenScopes::Entry& entry) {
        return entry.task && !selector_.is_alive(*entry.task);
    });
}

/// Opens the regions of a task that arrives from another location.
void LocationCutter::take_over(const TaskChange& change, u64 time) {
    const bool told = std::ranges::any_of(intervals_[change.from], [time](const Interval& it) {
        return it.open <= time && time < it.close;
    });
    RecordBatch record;
    for (const OpenVisit& visit : change.resumed) {
        record.clear();
        record.begin(static_cast<u8>(EventType::Enter), time);
        record.push(tables_.decode(FieldKind::region, visit.region << 1U));
        OpenScopes::Entry& entry = scopes_.open(kScopePairs[0], record, record[0], stretch_);
        entry.task = task_;
        entry.moved = true;
        entry.told = told;
        if (!told) ++untold_;
    }
}

/// Forgets the scopes of tasks that another location resumed before `end`.
void LocationCutter::drop_departed(u64 end) {
    for (auto it = departures_.begin(); it != departures_.end() && it->first < end;) {
        if (it->second == selector_.task()) {
            ++it;
            continue;
        }
        forget_if([&](const OpenScopes::Entry& entry) { return entry.task == it->second; });
        it = departures_.erase(it);
    }
}

/// Switches the output to the task, unless it is there already.
void LocationCutter::go_to(const std::optional<TaskId>& task, u64 time, RecordBatch& out) {
    if (!told_ || told_->current() == task) return;
    TaskId to = task.value_or(told_->current().value_or(TaskId()));
    if (!task) {
        to.generation = 0;
        if (told_tasks_.created.contains(to)) to.generation = kNone;
    }
    const bool is_old = to.team == kNone;
    const auto type =
        static_cast<u8>(is_old ? EventType::OmpTaskSwitch : EventType::ThreadTaskSwitch);
    out.begin(type, time);
    if (!is_old) {
        out.push(tables_.decode(FieldKind::comm, to.team << 1U));
        out.push(to.creator);
    }
    out.push(to.generation);
    ++counts_.added[type];
    note(out);
}

/// Tracks the running task as a reader of the output sees it.
void LocationCutter::note(RecordBatch& out) {
    const RecordBatch::Head& head = out[out.size() - 1];
    if (!told_ || !concerns_tasks(head.type)) return;
    told_->follow(head.type, out.values(head), tables_, head.time, nullptr);
}

void LocationCutter::enter(const Interval& interval, RecordBatch& out) {
    ++stretch_;
    if (selector_.pairs()) drop_departed(interval.open);
    begin_ = interval.open;
    is_open_ = true;
    const bool is_measured = request_.regions == nullptr || selector_.within_regions();
    if (is_measured && has_events_) mark(true, begin_, out);
    if (!request_.has_names()) open_all(out);
}

void LocationCutter::leave(const Interval& interval, RecordBatch& out) {
    ++stretch_;
    if (selector_.pairs()) drop_departed(interval.close);
    const std::span<OpenScopes::Entry> entries = scopes_.entries();
    for (std::size_t i = entries.size(); i-- > 0;) {
        OpenScopes::Entry& entry = entries[i];
        if (!entry.told) continue;
        const auto type = static_cast<u8>(entry.pair->closes);
        go_to(entry.task, interval.close, out);
        out.begin(type, interval.close);
        out.push(entry.record.last_values().first(entry.pair->same));
        ++counts_.added[type];
        entry.told = false;
        ++untold_;
    }
    if (is_measured_) mark(false, interval.close, out);
    is_open_ = false;
}

/// Records that the part begins or ends here: no other record shows that the program computes from
/// here on, or up to here.
void LocationCutter::mark(bool is_on, u64 time, RecordBatch& out) {
    is_measured_ = is_on;
    const bool is_unwanted = request_.drops(RecordKind::measurement) || !request_.marks_edges;
    if (on_stream_ || is_unwanted || request_.calls) return;
    constexpr auto kType = static_cast<u8>(EventType::MeasurementOnOff);
    out.begin(kType, time);
    out.push(is_on ? kMeasurementOn : kMeasurementOff);
    ++counts_.added[kType];
}

/// Opens scopes that are open in the trace, but not in the part.
void LocationCutter::open_all(RecordBatch& out) {
    if (untold_ == 0) return;
    for (OpenScopes::Entry& entry : scopes_.entries()) {
        if (entry.told) continue;
        const RecordBatch::Head& head = entry.record[0];
        const bool is_new = entry.stretch == stretch_;
        const bool recorded = is_new && !entry.moved;
        const u64 time = is_new ? head.time : begin_;
        go_to(entry.task, time, out);
        put(entry.record, head, time, out);
        ++(recorded ? counts_.kept : counts_.added)[head.type];
        entry.told = true;
    }
    untold_ = 0;
}

void LocationCutter::put(const RecordBatch& batch, const RecordBatch::Head& head,
                         RecordBatch& out) {
    go_to(task_, head.time, out);
    put(batch, head, head.time, out);
    ++counts_.kept[head.type];
    note(out);
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
