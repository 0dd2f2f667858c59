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

/// The region of a Leave that ends none.
inline constexpr u64 kNoRegion = ~u64{0};

/// Identifies an explicit task within its process.
struct TaskId {
    u64 team = 0;     ///< global id of its threads' communicator
    u64 creator = 0;  ///< number of the creating thread in the team
    u64 generation = 0;

    auto operator<=>(const TaskId&) const = default;
};

/// True for records that create tasks, switch to them or complete them.
bool concerns_tasks(u8 event_type);
/// True for records after which a location may continue with another task.
bool changes_task(u8 event_type);

struct OpenVisit {
    u64 region = 0;
    bool is_mpi = false;
    /// While the task runs: time of the Enter, plus all suspensions since. While the task is
    /// suspended: run time of the region so far.
    u64 ticks = 0;
};

/// Incomplete explicit tasks of a process, and their open regions.
struct TaskPool {
    struct Task {
        RegionStack<OpenVisit> open;
        u32 location = kNone;  ///< where it runs, or ran last
        bool runs = false;
        std::optional<TaskId> interrupted;  ///< the task that ran there before
    };

    std::map<TaskId, std::shared_ptr<Task>> tasks;
    std::set<TaskId> created;  ///< with generation number 0, as implicit tasks have
};

/// A switch of the location to another task.
struct TaskChange {
    bool from_task = false;          ///< from an explicit task
    bool to_task = false;            ///< to an explicit task
    bool completed = false;          ///< the previous task is complete
    u32 from = kNone;                ///< the location that the resumed task comes from, if another
    std::vector<OpenVisit> resumed;  ///< open regions of the resumed explicit task
};

/// Switches to another task; `resume(visit)` enters each of its open regions.
template <class Entry, class Resume>
void change_task(RegionStack<Entry>& open, const TaskChange& change, const Resume& resume) {
    if (change.from_task) open.end_task();
    if (change.to_task) open.begin_task();
    for (const OpenVisit& visit : change.resumed) resume(visit);
}

/// The open regions of a location, by task. A location begins with its implicit task. Each explicit
/// task has its own call stack, which moves with it to another location. After ThreadTaskComplete
/// the interrupted task continues if it is still suspended there, else the implicit task.
class TaskStacks {
  public:
    /// A task that arrives from another location.
    struct Moved {
        TaskId task;
        u32 from = kNone;
        std::vector<OpenVisit> open;
    };
    /// Nothing: the implicit task continues, since the interrupted one has moved away.
    using Arrival = std::optional<Moved>;

    /// Statistics of Leaves.
    struct Counts {
        u64 leaves = 0;
        u64 other = 0;    ///< that name another region than the innermost open one
        u64 outside = 0;  ///< while no region was open
        u64 late = 0;     ///< outside, but after an Enter
        u64 unended = 0;  ///< regions without a Leave
        u64 calls = 0;    ///< of MPI while the location is within one of another task
    };

    /// The pool must outlive this object.
    TaskStacks(u32 location, LeaveRule rule, TaskPool& pool)
        : location_(location), rule_(rule), pool_(pool) {}

    void enter(u64 region, bool is_mpi, u64 ticks) {
        entered_ = true;
        if (is_mpi && in_call_ && !running_->open.in_mpi_call()) ++counts_.calls;
        in_call_ = in_call_ || is_mpi;
        running_->open.enter({region, is_mpi, ticks}, is_mpi);
    }
    /// Returns the region that the Leave ends; kNoRegion if none.
    u64 leave(u64 region);
    /// True from the Enter of an MPI function until no task of the location is within one.
    [[nodiscard]] bool in_mpi_call() const { return in_call_; }
    /// Handles the task records. Returns null if the location continues with the same task; else a
    /// change valid until the next call. `arrivals` holds tasks from other locations, by index
    /// among the records that change tasks; without it, `pool` must cover all locations.
    const TaskChange* follow(u8 event_type, std::span<const u64> values,
                             const MappingTables& tables, u64 ticks,
                             const std::map<u64, Arrival>* arrivals);

    /// True if the task of this record is running elsewhere, according to the pool.
    [[nodiscard]] bool waits(u8 event_type, std::span<const u64> values,
                             const MappingTables& tables) const;
    /// The running explicit task; nothing: the implicit one.
    [[nodiscard]] const std::optional<TaskId>& current() const { return current_; }
    /// The task that arrived from another location with the last change.
    [[nodiscard]] const std::optional<Arrival>& arrived() const { return arrived_; }
    /// Number of records so far that change tasks.
    [[nodiscard]] u64 changes() const { return changes_; }
    [[nodiscard]] const Counts& counts() const { return counts_; }
    [[nodiscard]] u64 open_implicit() const;

  private:
    [[nodiscard]] bool is_implicit(const TaskId& task, u8 event_type) const;
    [[nodiscard]] std::shared_ptr<TaskPool::Task> find(const TaskId& task) const;
    [[nodiscard]] std::optional<TaskId> next_task(u8 event_type, const TaskId& task);
    void suspend(u64 ticks, bool completed);
    void resume(const std::optional<TaskId>& task, u64 ticks,
                const std::map<u64, Arrival>* arrivals);
    void arrive(u64 ticks, const std::map<u64, Arrival>* arrivals);
    void end_call() {
        in_call_ = in_call_ && (suspended_calls_ > 0 || running_->open.in_mpi_call());
    }

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
    u64 suspended_calls_ = 0;  ///< MPI calls of tasks that do not run
    bool in_call_ = false;     ///< in_mpi_call()
    Counts counts_;
};

class ExecutionCounts;
class TraceFile;

/// Leaves that do not name the innermost open region; MPI calls that begin within a suspended one.
struct NestingCounts {
    u64 leaves = 0;   ///< total, if there are any of the others
    u64 other = 0;    ///< that name another region
    u64 outside = 0;  ///< without an open region
    u64 calls = 0;    ///< MPI calls that begin while another task is suspended within one

    [[nodiscard]] bool empty() const { return other == 0 && outside == 0 && calls == 0; }
};

/// Determines how the Leaves of each location of a file pair with its Enters.
///
/// The rule: if the Enters and Leaves of a location balance, each Leave ends the innermost open
/// region, and its time counts for the region of the Enter: some recorders rename running tasks.
/// They balance if their numbers are equal, and no Leave comes without an open region, except
/// before the first Enter. All other locations pair by name (LeaveRule::name_or_position if no
/// region is left too often, else LeaveRule::name). With explicit tasks, each task has its own call
/// stack, and all locations of the process must balance. Accelerator streams pair by name.
class RegionNesting {
  public:
    /// The pairing of a location that does not simply nest.
    struct Location {
        LeaveRule rule = LeaveRule::position;
        TaskStacks::Counts counts;
        bool is_followed = false;  ///< by TaskStacks, for pairs or tasks
        /// Tasks that were suspended elsewhere, by index of the record that resumes them.
        std::map<u64, TaskStacks::Arrival> arrivals;
        /// Tasks suspended here that another location resumes, by the ticks of that.
        std::multimap<u64, TaskId> departures;
        std::vector<std::vector<OpenVisit>> unfinished;   ///< tasks suspended here for good
        std::shared_ptr<const std::set<TaskId>> created;  ///< TaskPool::created of the process
    };

    /// The file must outlive this object.
    explicit RegionNesting(TraceFile& file);

    /// Returns null if every Leave names the innermost open region and no explicit tasks are
    /// recorded, and for streams. Cost: the control flow, once for all locations that share it; if
    /// that is ambiguous, as with recursion, the location's events, once. Throws Error(corrupt).
    /// Thread-safe.
    const Location* of(u32 location);

    /// Sums over the selected locations. Cost: of(); with such Leaves also ExecutionCounts.
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
    std::unordered_map<u32, std::unique_ptr<Location>> locations_;  ///< analysed locations
};

/// Walks the items of a pattern in execution order, each loop once for every state in which it
/// begins, whatever its iteration count. `visitor` has
///   here()      a number for the state, such as a call path
///   leaf(u32)   moves to the state after a leaf; false ends the walk
/// Returns true at the end: all iterations of all loops begin in the state of the first one, so the
/// walk has seen every state. Cost: items times states.
template <class Visitor>
bool walk_places(const Pattern& pattern, Visitor& visitor) {
    struct Level {
        u32 loop = 0;  ///< loop of the pattern; kNone: the root
        u32 next = 0;  ///< index in the body
        u32 entry = kNone;
    };
    std::set<std::pair<u32, u32>> walked;  // loops, with their start state
    std::vector<Level> frames{{kNone, 0, kNone}};
    while (!frames.empty()) {
        Level& frame = frames.back();
        const std::vector<u32>& body =
            frame.loop == kNone ? pattern.root : pattern.loops[frame.loop];
        if (frame.next == body.size()) {
            // The next iteration must begin in the same state.
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
