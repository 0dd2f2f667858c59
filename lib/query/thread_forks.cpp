// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "query/thread_forks.hpp"

#include "query/record_counts.hpp"

#include <algorithm>

namespace tracefold {

u32 ThreadForks::of_team(u64 team, u64 number) const {
    const auto found = teams_.find(team);
    const bool is_known = found != teams_.end() && number < found->second.size();
    return is_known ? found->second[number] : kNone;
}

u32 ThreadForks::of_created(u64 contingent, u64 number) const {
    const auto found = created_.find({contingent, number});
    return found == created_.end() ? kNone : found->second;
}

ThreadTeams::Change ThreadTeams::follow(u8 event_type, std::span<const u64> values,
                                        const MappingTables& tables, u32 here) {
    const auto group = [&] { return tables.global(FieldKind::comm, values[0]); };
    switch (static_cast<EventType>(event_type)) {
        case EventType::ThreadFork:
            forking_ = true;
            return {};
        case EventType::ThreadTeamBegin:
            return begin_team(group(), here);
        case EventType::ThreadCreate:
            forks_.create(group(), values[1], here);
            return {};
        case EventType::ThreadBegin:
            return attach(forks_.of_created(group(), values[1]));
        case EventType::ThreadTeamEnd:
        case EventType::ThreadEnd:
            return detach();
        default:
            return {};
    }
}

/// Who has just forked is the master of the team and stays where it is.
ThreadTeams::Change ThreadTeams::begin_team(u64 team, u32 here) {
    const u64 number = begun_[team]++;
    if (!forking_) return attach(forks_.of_team(team, number));
    forking_ = false;
    forks_.begin_team(team, here);
    attached_.push_back(false);
    return {};
}

ThreadTeams::Change ThreadTeams::attach(u32 place) {
    attached_.push_back(place != kNone);
    if (!attached_.back()) return {};
    return {Change::Kind::attach, place};
}

ThreadTeams::Change ThreadTeams::detach() {
    if (attached_.empty()) return {};
    const bool attached = attached_.back();
    attached_.pop_back();
    if (!attached) return {};
    return {Change::Kind::detach, 0};
}

bool changes_thread_place(u8 event_type) {
    switch (static_cast<EventType>(event_type)) {
        case EventType::ThreadFork:
        case EventType::ThreadTeamBegin:
        case EventType::ThreadTeamEnd:
        case EventType::ThreadCreate:
        case EventType::ThreadBegin:
        case EventType::ThreadEnd:
            return true;
        default:
            return false;
    }
}

bool starts_threads(TraceFile& file, u32 location) {
    return records_any(file, location, {EventType::ThreadFork, EventType::ThreadCreate});
}

bool is_worker(TraceFile& file, u32 location) {
    return records_any(file, location, {EventType::ThreadTeamBegin, EventType::ThreadBegin}) &&
           !records_any(file, location, {EventType::ProgramBegin});
}

std::vector<u32> forking_first(TraceFile& file, const std::vector<u32>& locations) {
    std::vector<u32> order = locations;
    std::stable_partition(order.begin(), order.end(),
                          [&file](u32 location) { return starts_threads(file, location); });
    return order;
}

}  // namespace tracefold
