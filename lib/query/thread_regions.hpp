// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/trace_file.hpp"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

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

}  // namespace tracefold
