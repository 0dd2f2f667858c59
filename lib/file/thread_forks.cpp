// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/thread_forks.hpp"

#include "file/record_counts.hpp"
#include "model/definition_table.hpp"
#include "model/region_role.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tracefold {

namespace {

ThreadUse use_by_role(RegionRole role, std::string_view name) {
    switch (role) {
        case RegionRole::barrier:
        case RegionRole::implicit_barrier:
            return ThreadUse::barrier;
        case RegionRole::critical:
        case RegionRole::atomic:
        case RegionRole::ordered:
            return ThreadUse::lock;
        case RegionRole::task_wait:
            return ThreadUse::task_wait;
        case RegionRole::thread_wait:
            return ThreadUse::join;
        case RegionRole::task_create:
        case RegionRole::thread_create:
        case RegionRole::flush:
            return ThreadUse::management;
        case RegionRole::unknown:
        case RegionRole::function:
        case RegionRole::wrapper:
            return use_by_name(name);
        default:
            return ThreadUse::work;
    }
}

/// Classifies functions of OpenSHMEM by words in their names.
ThreadUse shmem_use(std::string_view name) {
    constexpr std::pair<std::string_view, ThreadUse> kWords[] = {
        {"barrier", ThreadUse::barrier},   {"sync", ThreadUse::barrier},
        {"_wait", ThreadUse::lock},        {"set_lock", ThreadUse::lock},
        {"_quiet", ThreadUse::management}, {"_fence", ThreadUse::management}};
    for (const auto& [word, use] : kWords) {
        if (name.find(word) != std::string_view::npos) return use;
    }
    return ThreadUse::work;
}

}  // namespace

std::string_view thread_use_name(ThreadUse use) {
    constexpr std::array<std::string_view, kThreadUses> kNames = {
        "work", "barrier",  "lock",        "task_wait",   "join",       "management",
        "idle", "overhead", "device_wait", "device_copy", "device_call"};
    return kNames[static_cast<std::size_t>(use)];
}

ThreadUse use_by_name(std::string_view name) {
    constexpr std::string_view kOpenMp = "!$omp ";
    constexpr std::pair<std::string_view, ThreadUse> kFunctions[] = {
        {"omp_set_lock", ThreadUse::lock},           {"omp_set_nest_lock", ThreadUse::lock},
        {"pthread_mutex_lock", ThreadUse::lock},     {"pthread_cond_wait", ThreadUse::lock},
        {"pthread_cond_timedwait", ThreadUse::lock}, {"pthread_barrier_wait", ThreadUse::barrier},
        {"pthread_join", ThreadUse::join},           {"pthread_create", ThreadUse::management}};
    for (const auto& [function, use] : kFunctions) {
        if (name == function) return use;
    }
    if (name.starts_with("shmem_") || name.starts_with("pshmem_")) return shmem_use(name);
    if (!name.starts_with(kOpenMp) || name.find(" sblock") != std::string_view::npos) {
        return ThreadUse::work;
    }
    constexpr std::pair<std::string_view, ThreadUse> kConstructs[] = {
        {"barrier", ThreadUse::barrier},
        {"ibarrier", ThreadUse::barrier},
        {"implicit barrier", ThreadUse::barrier},
        {"critical", ThreadUse::lock},
        {"atomic", ThreadUse::lock},
        {"ordered", ThreadUse::lock},
        {"taskwait", ThreadUse::task_wait},
        {"create task", ThreadUse::management},
        {"flush", ThreadUse::management}};
    const std::string_view construct = name.substr(kOpenMp.size());
    for (const auto& [word, use] : kConstructs) {
        if (construct.starts_with(word)) return use;
    }
    return ThreadUse::work;
}

ThreadRegions::ThreadRegions(TraceFile& file) {
    const DefinitionIndex& index = file.definitions();
    for_each_record(*file.global_definitions(), [&](const auto& head, auto v) {
        if (static_cast<DefinitionType>(head.type) != DefinitionType::Region) return;
        // An MPI barrier is not one of threads.
        if (v[5] == kParadigmMpi || index.is_mpi_region(v[0])) return;
        const RegionRole role{v[4]};
        if (role == RegionRole::task || role == RegionRole::task_untied) tasks_.insert(v[0]);
        const ThreadUse use = use_by_role(role, index.region_name(v[0]));
        if (use != ThreadUse::work) uses_.emplace(v[0], use);
    });
}

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

/// The thread that has just forked is the master of the team and keeps its place.
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
