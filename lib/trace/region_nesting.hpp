// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/task_stacks.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tracefold {

class ExecutionCounts;
class TraceFile;

/// Leaves that do not name the innermost open region.
struct NestingCounts {
    u64 leaves = 0;   ///< all, if there are such ones
    u64 other = 0;    ///< name another region
    u64 outside = 0;  ///< while no region is open

    [[nodiscard]] bool empty() const { return other == 0 && outside == 0; }
};

/// Tells how the Leaves of each location of a file are paired with its Enters.
///
/// The rule: where the Enters and Leaves of a location balance, each Leave ends the innermost open
/// region, and the time is that of the region which the Enter names: some recorders rename tasks
/// that run. They balance if there are as many, and no Leave comes while no region is open, except
/// before the first Enter. All other locations pair by name (LeaveRule::name_or_position if no
/// region is left too often, else LeaveRule::name). Where explicit tasks are recorded, each task
/// has a call stack of its own, and all locations of the process must balance. Streams of
/// accelerators pair by name.
class RegionNesting {
  public:
    /// What is known of a location that does not simply nest.
    struct Location {
        LeaveRule rule = LeaveRule::position;
        TaskStacks::Counts counts;
        bool is_followed = false;  ///< by TaskStacks, for pairs or tasks
        /// Of tasks that were suspended elsewhere, by number of the record that resumes them.
        std::map<u64, TaskStacks::Arrival> arrivals;
        std::vector<std::vector<OpenVisit>>
            unfinished;  ///< tasks that were suspended here for good
        std::shared_ptr<const std::set<TaskId>> created;  ///< TaskPool::created, of the process
    };

    /// The file must outlive this object.
    explicit RegionNesting(TraceFile& file);

    /// Null if every Leave names the innermost open region and no explicit tasks are recorded, and
    /// for streams. Cost: the control flow, once for all locations that share it; where that does
    /// not tell, as with recursion, the location's events, once. Throws Error(corrupt). For
    /// concurrent use.
    const Location* of(u32 location);

    /// Which region a Leave ends.
    LeaveRule leave_rule(u32 location) {
        const Location* const known = of(location);
        return known == nullptr ? LeaveRule::name : known->rule;
    }

    /// Over the selected locations. Cost: that of of() for each; if there are any, that of
    /// ExecutionCounts.
    NestingCounts counts(const std::vector<bool>& selected);
    NestingCounts counts();

  private:
    enum class Verdict : u8 { unknown, nests, may_not_nest, has_tasks };

    Verdict look_at(u32 script) const;
    Verdict verdict(u32 location);
    u64 leaves(ExecutionCounts& executions, u32 location);
    void analyse(u32 location);
    void analyse(const std::vector<u32>& locations);

    TraceFile& file_;
    std::mutex mutex_;
    std::vector<Verdict> scripts_;
    std::unordered_map<u32, std::unique_ptr<Location>> locations_;  ///< that were analysed
};

}  // namespace tracefold
