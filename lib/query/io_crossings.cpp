// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "query/io_crossings.hpp"

#include "names/participant_names.hpp"
#include "query/io_tracker.hpp"
#include "trace/call_reader.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <utility>

namespace tracefold {

namespace {

bool begins_io(u8 type) { return type == static_cast<u8>(EventType::IoOperationBegin); }

/// True if a call of the script may leave an operation open, or end one of another call.
bool has_open_operations(const Structure& structure, u32 script) {
    return std::ranges::any_of(structure.scripts[script].symbols, [&structure](u32 symbol) {
        i64 open = 0;
        for (const Element& element : structure.symbols[symbol].elements) {
            if (!is_io_operation(element.type)) continue;
            open += begins_io(element.type) ? 1 : -1;
            if (open < 0) return true;
        }
        return open != 0;
    });
}

/// A record that begins or ends an operation.
struct IoRecord {
    bool begins = false;
    bool cancels = false;
    u32 location = 0;
    u64 number = 0;  ///< among those of the location that begin, or end
    u64 handle = 0;
    u64 id = 0;
    u64 bytes = 0;
    u64 time = 0;
};

using Key = std::pair<u64, u64>;  ///< handle and matching id

void for_each_io(TraceFile& file, u32 location, Times times,
                 const std::function<void(const IoRecord&)>& take) {
    CallReader reader(file, location, times);
    u64 begun = 0;
    u64 ended = 0;
    while (reader.next()) {
        const RecordSpan records = reader.records();
        for (const RecordBatch::Head& head : records.heads()) {
            if (!is_io_operation(head.type)) continue;
            const auto values = records.values(head);
            IoRecord record;
            record.begins = begins_io(head.type);
            if (record.begins && values[1] >= kIoModes) continue;
            record.cancels = !record.begins && !completes_io(head.type);
            record.location = location;
            record.number = record.begins ? begun++ : ended++;
            record.handle = reader.tables().global(FieldKind::io_handle, values[0]);
            record.id = record.begins ? values[4] : values[record.cancels ? 1 : 2];
            if (!record.begins && !record.cancels) record.bytes = values[1];
            record.time = head.time;
            take(record);
        }
    }
}

/// True if the location ends an operation that it has not begun.
bool ends_foreign(TraceFile& file, u32 location) {
    std::map<Key, u64> open;
    bool foreign = false;
    for_each_io(file, location, Times::skip, [&](const IoRecord& record) {
        u64& count = open[{record.handle, record.id}];
        if (record.begins) {
            ++count;
        } else if (count != 0) {
            --count;
        } else {
            foreign = true;
        }
    });
    return foreign;
}

/// Finds the beginning of each end, in the order of time.
class CrossingMatcher {
  public:
    /// `processes`: by location.
    CrossingMatcher(std::vector<u32> processes, std::vector<bool> of_rank)
        : processes_(std::move(processes)), of_rank_(std::move(of_rank)) {}

    using Sink = std::function<void(const IoRecord& begin, const IoRecord& end)>;

    /// What has no partner by then may have one whose clock was behind.
    void match(const std::vector<IoRecord>& records, const Sink& sink) {
        std::vector<const IoRecord*> left;
        for (const IoRecord& record : records) {
            std::deque<const IoRecord*>& open = open_[{record.handle, record.id}];
            if (record.begins) {
                open.push_back(&record);
            } else if (!take(open, record, sink)) {
                left.push_back(&record);
            }
        }
        for (const IoRecord* end : left) take(open_[{end->handle, end->id}], *end, sink);
    }

  private:
    /// Of the open ones the nearest, and of these the last.
    bool take(std::deque<const IoRecord*>& open, const IoRecord& end, const Sink& sink) const {
        auto best = open.end();
        int nearest = kApart;
        for (auto it = open.end(); it != open.begin();) {
            --it;
            const int distance = this->distance((*it)->location, end.location);
            if (distance >= nearest) continue;
            nearest = distance;
            best = it;
            if (distance == 0) break;
        }
        if (best == open.end()) return false;
        sink(**best, end);
        open.erase(best);
        return true;
    }

    static constexpr int kApart = 3;

    [[nodiscard]] int distance(u32 a, u32 b) const {
        if (a == b) return 0;
        if (processes_[a] == processes_[b]) return 1;
        return of_rank_[a] || of_rank_[b] ? kApart : 2;
    }

    std::vector<u32> processes_;
    std::vector<bool> of_rank_;
    std::map<Key, std::deque<const IoRecord*>> open_;
};

}  // namespace

IoCrossings::IoCrossings(TraceFile& file) {
    std::vector<u32> users;
    std::unordered_map<u32, bool> known;  // by script
    for (u32 location = 0; location < file.location_count(); ++location) {
        const u32 script = file.index().script(Stream::events, location);
        if (script == kNone) continue;
        const auto [found, fresh] = known.try_emplace(script);
        if (fresh) found->second = has_open_operations(file.structure(), script);
        if (found->second) users.push_back(location);
    }
    const bool crosses = users.size() > 1 && std::ranges::any_of(users, [&file](u32 location) {
                             return ends_foreign(file, location);
                         });
    if (!crosses) return;
    std::vector<IoRecord> records;
    const bool timed = keeps_every_time(file.summary().timing);
    for (const u32 location : users) {
        for_each_io(file, location, timed ? Times::read : Times::skip,
                    [&records](const IoRecord& record) { records.push_back(record); });
    }
    // Without times each location ends its own operations first.
    if (timed) std::ranges::stable_sort(records, {}, &IoRecord::time);
    const ParticipantNames names(file.definitions());
    std::vector<u32> processes;
    std::vector<bool> of_rank;
    for (u32 location = 0; location < file.location_count(); ++location) {
        processes.push_back(static_cast<u32>(file.definitions().locations()[location].group));
        of_rank.push_back(names.place(location).rank != kNone);
    }
    CrossingMatcher(std::move(processes), std::move(of_rank))
        .match(records, [this](const IoRecord& begin, const IoRecord& end) {
            if (begin.location == end.location) return;
            locations_[begin.location].begun.push_back(
                {begin.number, end.bytes, std::max(begin.time, end.time), end.cancels});
            locations_[end.location].ended.push_back(end.number);
        });
    for (auto& [location, crossing] : locations_) {
        std::ranges::sort(crossing.begun, {}, &End::begin);
        std::ranges::sort(crossing.ended);
    }
}

}  // namespace tracefold
