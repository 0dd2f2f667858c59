// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "fold/mapping_tables.hpp"
#include "model/event_table.hpp"

#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tracefold {

/// The activity of a thread in a region, excluding called regions.
enum class ThreadUse : u8 {
    work,
    barrier,      ///< waits for its team, or for other processes
    lock,         ///< waits for a lock, a critical or ordered section, or a condition
    task_wait,    ///< waits for tasks
    join,         ///< waits for other threads to end
    management,   ///< starts and ends teams and threads, creates tasks, flushes
    idle,         ///< outside of any team
    overhead,     ///< the recorder writes its buffer
    device_wait,  ///< waits for an accelerator
    device_copy,  ///< transfers or sets accelerator memory
    device_call,  ///< any other accelerator call
};
inline constexpr std::size_t kThreadUses = 11;

/// True for accelerator activities.
constexpr bool is_of_device(ThreadUse use) { return use >= ThreadUse::device_wait; }

std::string_view thread_use_name(ThreadUse use);

/// The activities of thread-paradigm regions, by role; without roles, by the names that OPARI2
/// forms ("!$omp implicit barrier @file.c:7", "!$omp ibarrier"). Memory: regions that are not work.
class ThreadRegions {
  public:
    /// Cost: one pass over the file's definitions. Throws Error(corrupt).
    explicit ThreadRegions(TraceFile& file);

    [[nodiscard]] ThreadUse use(u64 region) const {
        const auto found = uses_.find(region);
        return found == uses_.end() ? ThreadUse::work : found->second;
    }
    /// True for the regions of explicit tasks.
    [[nodiscard]] bool is_task(u64 region) const { return tasks_.contains(region); }

  private:
    std::unordered_map<u64, ThreadUse> uses_;
    std::unordered_set<u64> tasks_;
};

ThreadUse use_by_name(std::string_view name);

/// The places where threads were started, as numbers, such as nodes of a call tree. Activities of a
/// thread in a team belong below the place where its master forked the team, those of a created
/// thread below the call that created it. The threads of a team begin it equally often, in the same
/// order: the n-th begin of a thread is the n-th fork. Memory: a number per fork of a team.
class ThreadForks {
  public:
    void begin_team(u64 team, u32 place) { teams_[team].push_back(place); }
    void create(u64 contingent, u64 number, u32 place) { created_[{contingent, number}] = place; }

    /// Returns the place of a fork, numbered from 0; kNone if unknown.
    [[nodiscard]] u32 of_team(u64 team, u64 number) const;
    [[nodiscard]] u32 of_created(u64 contingent, u64 number) const;

  private:
    std::unordered_map<u64, std::vector<u32>> teams_;
    std::map<std::pair<u64, u64>, u32> created_;
};

/// Thread data collected while a trace's locations are walked one after another.
struct TraceThreads {
    explicit TraceThreads(TraceFile& file) : regions(file) {}

    ThreadForks forks;
    ThreadRegions regions;
};

/// The participation of one location in teams and threads.
class ThreadTeams {
  public:
    /// The effect of a record on the location's call path.
    struct Change {
        enum class Kind : u8 {
            none,
            attach,  ///< following calls are below `place`
            detach,  ///< ends `attach`
        };
        Kind kind = Kind::none;
        u32 place = 0;
    };

    /// `forks` must outlive this and have the places of forking and creating threads:
    /// forking_first().
    explicit ThreadTeams(ThreadForks& forks) : forks_(forks) {}

    /// `here` is the current place. Only begins and ends of teams or threads have an effect.
    Change follow(u8 event_type, std::span<const u64> values, const MappingTables& tables,
                  u32 here);

  private:
    Change begin_team(u64 team, u32 here);
    Change attach(u32 place);
    Change detach();

    ThreadForks& forks_;
    std::unordered_map<u64, u64> begun_;  ///< by team: number of begins
    std::vector<bool> attached_;          ///< by open team or thread
    bool forking_ = false;
};

/// True for records that begin or end teams or threads.
bool changes_thread_place(u8 event_type);

/// True for locations that fork teams or create threads. Cost: their symbols.
bool starts_threads(TraceFile& file, u32 location);

/// True for threads started by others: they begin teams, or have a begin record of their own, and
/// are not the program's first. Cost: their symbols.
bool is_worker(TraceFile& file, u32 location);

/// Sorts forking and creating locations before the threads they start. Cost: their symbols.
std::vector<u32> forking_first(TraceFile& file, const std::vector<u32>& locations);

}  // namespace tracefold
