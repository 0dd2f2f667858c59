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

/// What a thread does in a region, apart from what the region calls.
enum class ThreadUse : u8 {
    work,
    barrier,      ///< waits for the other threads of its team, or the other processes
    lock,         ///< waits for a lock, a critical or ordered section, or a condition
    task_wait,    ///< waits for tasks
    join,         ///< waits for the end of other threads
    management,   ///< starts and ends teams and threads, creates tasks, flushes
    idle,         ///< belongs to no team
    device_wait,  ///< waits for an accelerator
    device_copy,  ///< moves or sets memory of an accelerator
    device_call,  ///< is in any other call of an accelerator's interface
};
inline constexpr std::size_t kThreadUses = 10;

/// True for what is about an accelerator.
constexpr bool is_of_device(ThreadUse use) { return use >= ThreadUse::device_wait; }

/// "task_wait"
std::string_view thread_use_name(ThreadUse use);

/// What the regions of thread paradigms are about, none of them of an accelerator, by their roles;
/// where the recorder gave none, by their names, as OPARI2 forms them ("!$omp implicit barrier
/// @file.c:7", "!$omp ibarrier"). Memory: regions that are no work.
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

/// What the name of a region says.
ThreadUse use_by_name(std::string_view name);

/// Where threads were started: a number for each place, such as the node of a call tree. What a
/// thread does between the beginning and the end of a team belongs below the place at which its
/// master forked the team, and all that a created thread does belongs below the call that created
/// it. The threads of a team begin it equally often, in the same order, so that the nth time of one
/// is the nth of all. Memory: a number per fork of a team.
class ThreadForks {
  public:
    void begin_team(u64 team, u32 place) { teams_[team].push_back(place); }
    void create(u64 contingent, u64 number, u32 place) { created_[{contingent, number}] = place; }

    /// The place of a fork by its number from 0; kNone if it is not known.
    [[nodiscard]] u32 of_team(u64 team, u64 number) const;
    [[nodiscard]] u32 of_created(u64 contingent, u64 number) const;

  private:
    std::unordered_map<u64, std::vector<u32>> teams_;
    std::map<std::pair<u64, u64>, u32> created_;
};

/// What is known of the threads of a trace while its locations are walked, one after the other.
struct TraceThreads {
    explicit TraceThreads(TraceFile& file) : regions(file) {}

    ThreadForks forks;
    ThreadRegions regions;
};

/// The part of one location in teams and threads.
class ThreadTeams {
  public:
    /// What a record means for the call path of the location.
    struct Change {
        enum class Kind : u8 {
            none,
            attach,  ///< what follows belongs below `place`
            detach,  ///< up to here
        };
        Kind kind = Kind::none;
        u32 place = 0;
    };

    /// `forks` must outlive this object and know the places of the threads that fork and create
    /// others: see forking_first().
    explicit ThreadTeams(ThreadForks& forks) : forks_(forks) {}

    /// `here`: the present place of the location. Records that neither begin nor end teams or
    /// threads change nothing.
    Change follow(u8 event_type, std::span<const u64> values, const MappingTables& tables,
                  u32 here);

  private:
    Change begin_team(u64 team, u32 here);
    Change attach(u32 place);
    Change detach();

    ThreadForks& forks_;
    std::unordered_map<u64, u64> begun_;  ///< how often, by team
    std::vector<bool> attached_;          ///< by open team or thread
    bool forking_ = false;
};

/// True for records that begin or end teams or threads.
bool changes_thread_place(u8 event_type);

/// True for locations that fork teams or create threads. Cost: their symbols.
bool starts_threads(TraceFile& file, u32 location);

/// True for threads that others start: they begin teams, or have a beginning of their own, and the
/// program does not begin with them. Cost: their symbols.
bool is_worker(TraceFile& file, u32 location);

/// The same locations, first those that fork or create threads: who is started by them comes after.
/// Cost: their symbols.
std::vector<u32> forking_first(TraceFile& file, const std::vector<u32>& locations);

}  // namespace tracefold
