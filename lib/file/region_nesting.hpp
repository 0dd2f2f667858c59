// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/region_stack.hpp"
#include "fold/mapping_tables.hpp"
#include "model/event_table.hpp"
#include "model/structure.hpp"

#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// In place of the region of a Leave that ends none.
inline constexpr u64 kNoRegion = ~u64{0};

/// What tells explicit tasks of a process apart.
struct TaskId {
    u64 team = 0;     ///< global id of the communicator of its threads
    u64 creator = 0;  ///< number of the thread in the team
    u64 generation = 0;

    auto operator<=>(const TaskId&) const = default;
};

/// True for records that create tasks, switch to them or complete them.
bool concerns_tasks(u8 event_type);
/// True for records after which a location may go on with another task.
bool changes_task(u8 event_type);

/// A region that is open in a task.
struct OpenVisit {
    u64 region = 0;
    bool is_mpi = false;
    /// While the task runs: when it was entered, plus all the time that the task was suspended
    /// since. While the task is suspended: how long the region has run.
    u64 ticks = 0;
};

/// Explicit tasks of a process that have begun and are not complete, and their open regions.
struct TaskPool {
    struct Task {
        RegionStack<OpenVisit> open;
        u32 location = kNone;  ///< where it runs, or ran last
        bool runs = false;
        std::optional<TaskId> interrupted;  ///< the task that ran there before
    };

    std::map<TaskId, std::shared_ptr<Task>> tasks;
    std::set<TaskId> created;  ///< with generation number 0, which is that of implicit tasks
};

/// The location goes on with another task.
struct TaskChange {
    bool from_task = false;          ///< an explicit one was running
    bool to_task = false;            ///< an explicit one goes on
    bool completed = false;          ///< the one that was running never goes on
    u32 from = kNone;                ///< the location that the task at hand comes from, if another
    std::vector<OpenVisit> resumed;  ///< regions of the explicit task that goes on
};

/// Goes on with another task; `resume(visit)` enters a region that is open in it.
template <class Entry, class Resume>
void change_task(RegionStack<Entry>& open, const TaskChange& change, const Resume& resume) {
    if (change.from_task) open.end_task();
    if (change.to_task) open.begin_task();
    for (const OpenVisit& visit : change.resumed) resume(visit);
}

/// The regions that a location is in, by task. A location begins with its implicit task. Each
/// explicit task has a call stack of its own, which goes with it when it is resumed elsewhere.
/// After ThreadTaskComplete the task goes on that the completed one has interrupted, if it is still
/// suspended there, else the implicit task.
class TaskStacks {
  public:
    /// A task that comes from another location.
    struct Moved {
        TaskId task;
        u32 from = kNone;
        std::vector<OpenVisit> open;
    };
    /// Nothing: the implicit task goes on, since the one that was interrupted has left.
    using Arrival = std::optional<Moved>;

    /// What Leaves did.
    struct Counts {
        u64 leaves = 0;
        u64 other = 0;    ///< name another region than the innermost open one
        u64 outside = 0;  ///< while no region was open
        u64 late = 0;     ///< outside, but after an Enter
        u64 unended = 0;  ///< regions without a Leave
    };

    /// The pool must outlive this object.
    TaskStacks(u32 location, LeaveRule rule, TaskPool& pool)
        : location_(location), rule_(rule), pool_(pool) {}

    void enter(u64 region, bool is_mpi, u64 ticks) {
        entered_ = true;
        running_->open.enter({region, is_mpi, ticks}, is_mpi);
    }
    /// The region that the Leave ends; kNoRegion if none.
    u64 leave(u64 region);
    /// The rest of what concerns tasks. Null if the location goes on with the same task; else valid
    /// until the next call. `arrivals`, by number of the record among those that change tasks: of
    /// tasks that come from elsewhere; without it `pool` is that of all locations.
    const TaskChange* follow(u8 event_type, std::span<const u64> values,
                             const MappingTables& tables, u64 ticks,
                             const std::map<u64, Arrival>* arrivals);

    /// True if the pool has the task of this record running elsewhere.
    [[nodiscard]] bool waits(u8 event_type, std::span<const u64> values,
                             const MappingTables& tables) const;
    /// The explicit task that runs; nothing: the implicit one.
    [[nodiscard]] const std::optional<TaskId>& current() const { return current_; }
    /// The task that came from another location with the last change.
    [[nodiscard]] const std::optional<Arrival>& arrived() const { return arrived_; }
    /// Records that change tasks so far.
    [[nodiscard]] u64 changes() const { return changes_; }
    [[nodiscard]] const Counts& counts() const { return counts_; }
    /// Regions that are open in the implicit task.
    [[nodiscard]] u64 open_implicit() const;

  private:
    [[nodiscard]] bool is_implicit(const TaskId& task, u8 event_type) const;
    [[nodiscard]] std::shared_ptr<TaskPool::Task> find(const TaskId& task) const;
    [[nodiscard]] std::optional<TaskId> next_task(u8 event_type, const TaskId& task);
    void suspend(u64 ticks, bool completed);
    void resume(const std::optional<TaskId>& task, u64 ticks,
                const std::map<u64, Arrival>* arrivals);
    void arrive(u64 ticks, const std::map<u64, Arrival>* arrivals);

    u32 location_;
    LeaveRule rule_;
    TaskPool& pool_;
    std::shared_ptr<TaskPool::Task> implicit_ = std::make_shared<TaskPool::Task>();
    std::shared_ptr<TaskPool::Task> running_ = implicit_;
    std::optional<TaskId> current_;  ///< nothing: the implicit task
    std::optional<Arrival> arrived_;
    TaskChange change_;
    u64 changes_ = 0;
    bool entered_ = false;
    Counts counts_;
};

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
        /// The others, by the ticks at which another location resumes them.
        std::multimap<u64, TaskId> departures;
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

/// Walks the items of a pattern in the order of execution, each loop once for every place in which
/// it begins, however often it iterates. `visitor` has
///   here()      a number for the place, such as a call path
///   leaf(u32)   goes on to the place behind a leaf; false ends the walk
/// True at the end: all iterations of all loops begin where the first one did, so that the walk has
/// met every place. Cost: items times places.
template <class Visitor>
bool walk_places(const Pattern& pattern, Visitor& visitor) {
    struct Level {
        u32 loop = 0;  ///< among the loops of the pattern; kNone: the root
        u32 next = 0;  ///< item of the body
        u32 entry = kNone;
    };
    std::set<std::pair<u32, u32>> walked;  // loops, by where they begin
    std::vector<Level> frames{{kNone, 0, kNone}};
    while (!frames.empty()) {
        Level& frame = frames.back();
        const std::vector<u32>& body =
            frame.loop == kNone ? pattern.root : pattern.loops[frame.loop];
        if (frame.next == body.size()) {
            // The next iteration begins where this one did.
            if (frame.loop != kNone && visitor.here() != frame.entry) return false;
            frames.pop_back();
            continue;
        }
        const u32 item = body[frame.next++];
        if (item < pattern.leaf_count) {
            if (!visitor.leaf(item)) return false;
            continue;
        }
        const u32 loop = item - pattern.leaf_count;
        const u32 here = visitor.here();
        if (walked.emplace(loop, here).second) frames.push_back({loop, 0, here});
    }
    return true;
}

}  // namespace tracefold
