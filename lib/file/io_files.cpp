// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/io_files.hpp"

#include "file/call_reader.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/mpi_function.hpp"
#include "model/participant_names.hpp"
#include "model/region_role.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kUndefined = ~u64{0};

bool is_io_role(RegionRole role) {
    return role == RegionRole::file_io || role == RegionRole::file_io_metadata;
}

bool is_undefined(u64 id) { return id == kUndefined || id == kNone; }

}  // namespace

IoFiles::IoFiles(TraceFile& file) {
    for_each_record(*file.global_definitions(), [&](const auto& head, auto fields) {
        add(head.type, fields, file.definitions());
    });
    name_files(file.definitions());
}

u32 IoFiles::of_handle(u64 handle) const {
    const auto found = of_handle_.find(handle);
    return found == of_handle_.end() ? kNone : found->second;
}

void IoFiles::add(u8 type, std::span<const u64> v, const DefinitionIndex& index) {
    switch (static_cast<DefinitionType>(type)) {
        case DefinitionType::IoRegularFile:
        case DefinitionType::IoDirectory:
            file_names_[v[0]] = v[1];
            break;
        case DefinitionType::IoParadigm:
            paradigms_[v[0]] = v[2];
            break;
        case DefinitionType::IoHandle:
            place_[v[0]] = handles_.size();
            handles_.push_back({v[0], v[1], v[2], v[3], v[6]});
            break;
        case DefinitionType::Region:
            if (is_io_role(RegionRole{v[4]}) ||
                is_of_family(index.region_name(v[0]), CallFamily::file)) {
                io_regions_.insert(v[0]);
            }
            break;
        default:
            break;
    }
}

/// A handle without a file may be a duplicate of one with a file.
u64 IoFiles::file_behind(const Handle& handle) const {
    const Handle* at = &handle;
    for (std::size_t steps = 0; is_undefined(at->file) && steps < handles_.size(); ++steps) {
        const auto parent = place_.find(at->parent);
        if (parent == place_.end()) break;
        at = &handles_[parent->second];
    }
    return at->file;
}

void IoFiles::name_files(const DefinitionIndex& index) {
    std::map<std::pair<u64, u64>, u32> numbers;  // (file, paradigm) -> number
    for (const Handle& handle : handles_) {
        const auto paradigm = paradigms_.find(handle.paradigm);
        const std::string through =
            paradigm == paradigms_.end() ? std::string() : index.string(paradigm->second);
        const u64 file = file_behind(handle);
        const auto name = is_undefined(file) ? file_names_.end() : file_names_.find(file);
        u32 number = static_cast<u32>(files_.size());
        if (name == file_names_.end()) {
            const std::string& own = index.string(handle.name);
            files_.push_back({own.empty() ? "handle " + std::to_string(handle.id) : own, through});
        } else {
            number = numbers.try_emplace({file, handle.paradigm}, number).first->second;
            if (number == files_.size()) files_.push_back({index.string(name->second), through});
        }
        of_handle_[handle.id] = number;
    }
}

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

struct IoRecord {
    bool begins = false;
    bool cancels = false;
    u32 location = 0;
    u64 number = 0;  ///< index among the location's records that begin, or end
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

/// Matches ends with begins in time order.
class CrossingMatcher {
  public:
    /// `processes` is indexed by location.
    CrossingMatcher(std::vector<u32> processes, std::vector<bool> of_rank)
        : processes_(std::move(processes)), of_rank_(std::move(of_rank)) {}

    using Sink = std::function<void(const IoRecord& begin, const IoRecord& end)>;

    /// Retries unmatched ends: their begin may come from a clock that is behind.
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
    /// Prefers the nearest open operation, and of these the last one.
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
    // Without times, each location ends its own operations first.
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

std::string_view io_mode_name(IoMode mode) {
    constexpr std::array<std::string_view, kIoModes> kNames = {"read", "write", "flush"};
    return kNames[static_cast<std::size_t>(mode)];
}

bool is_io_operation(u8 event_type) {
    const auto type = static_cast<EventType>(event_type);
    return type == EventType::IoOperationBegin || type == EventType::IoOperationComplete ||
           type == EventType::IoOperationCancelled;
}

bool completes_io(u8 event_type) {
    return event_type == static_cast<u8>(EventType::IoOperationComplete);
}

std::optional<IoOperation> IoTracker::follow(const RecordBatch::Head& head,
                                             std::span<const u64> values,
                                             const MappingTables& tables, u32 mark) {
    const auto handle = [&] { return tables.global(FieldKind::io_handle, values[0]); };
    switch (static_cast<EventType>(head.type)) {
        case EventType::IoOperationBegin:
            if (values[1] >= kIoModes) return std::nullopt;
            return begin({handle(), values[4], static_cast<IoMode>(values[1]), values[2], values[3],
                          0, head.time, head.time, mark});
        case EventType::IoOperationCancelled:
            if (!ends_foreign() && take(handle(), values[1])) ++cancelled_;
            return std::nullopt;
        case EventType::IoOperationComplete: {
            if (ends_foreign()) return std::nullopt;
            std::optional<IoOperation> operation = take(handle(), values[2]);
            if (!operation) {
                ++unmatched_;
                return std::nullopt;
            }
            operation->bytes = values[1];
            operation->end = std::max(head.time, operation->begin);
            return operation;
        }
        default:
            return std::nullopt;
    }
}

std::optional<IoOperation> IoTracker::begin(IoOperation operation) {
    const u64 number = begun_++;
    const bool crosses = crossing_ != nullptr && next_begun_ < crossing_->begun.size() &&
                         crossing_->begun[next_begun_].begin == number;
    if (!crosses) {
        open_.push_back(operation);
        return std::nullopt;
    }
    const IoCrossings::End& end = crossing_->begun[next_begun_++];
    if (end.cancelled) {
        ++cancelled_;
        return std::nullopt;
    }
    operation.bytes = end.bytes;
    operation.end = std::max(end.time, operation.begin);
    return operation;
}

/// True if the current record ends an operation of another location.
bool IoTracker::ends_foreign() {
    const u64 number = ended_++;
    const bool foreign = crossing_ != nullptr && next_ended_ < crossing_->ended.size() &&
                         crossing_->ended[next_ended_] == number;
    if (foreign) ++next_ended_;
    return foreign;
}

/// Numbers are reused: the last operation begun matches.
std::optional<IoOperation> IoTracker::take(u64 handle, u64 number) {
    for (std::size_t i = open_.size(); i-- > 0;) {
        if (open_[i].handle != handle || open_[i].number != number) continue;
        const IoOperation found = open_[i];
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
        return found;
    }
    return std::nullopt;
}

}  // namespace tracefold
