// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/region_nesting.hpp"

#include "file/call_reader.hpp"
#include "fold/structure_index.hpp"
#include "model/record_kinds.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

bool creates_task(EventType type) {
    return type == EventType::ThreadTaskCreate || type == EventType::OmpTaskCreate;
}

bool completes_task(EventType type) {
    return type == EventType::ThreadTaskComplete || type == EventType::OmpTaskComplete;
}

/// True for records of OTF2 1.0 to 1.2, which have a single number per task.
bool has_one_number(EventType type) {
    return type == EventType::OmpTaskCreate || type == EventType::OmpTaskSwitch ||
           type == EventType::OmpTaskComplete;
}

TaskId task_of(u8 event_type, std::span<const u64> values, const MappingTables& tables) {
    if (has_one_number(static_cast<EventType>(event_type))) return {kNone, kNone, values[0]};
    return {tables.global(FieldKind::comm, values[0]), values[1], values[2]};
}

/// OTF2 3.2's mark of tasks without a number.
constexpr u64 kUndefinedGeneration = kNone;

constexpr u64 kUndefinedThread = 0xFFFFFFFFU;

/// Otter gives all tasks the same id: number 0 of an undefined thread.
bool is_anonymous(const TaskId& task) {
    return task.generation == 0 && task.creator == kUndefinedThread;
}

}  // namespace

bool concerns_tasks(u8 event_type) {
    return changes_task(event_type) || creates_task(static_cast<EventType>(event_type));
}

bool changes_task(u8 event_type) {
    const auto type = static_cast<EventType>(event_type);
    return type == EventType::ThreadTaskSwitch || type == EventType::OmpTaskSwitch ||
           completes_task(type);
}

u64 TaskStacks::leave(u64 region) {
    ++counts_.leaves;
    RegionStack<OpenVisit>& open = running_->open;
    if (open.empty()) {
        ++counts_.outside;
        if (entered_) ++counts_.late;
        return kNoRegion;
    }
    if (open.back().region != region) ++counts_.other;
    const std::span<const OpenVisit> ended = open.leave(region, rule_);
    end_call();
    if (ended.empty()) return kNoRegion;
    counts_.unended += ended.size() - 1;
    return ended.front().region;
}

bool TaskStacks::is_implicit(const TaskId& task, u8 event_type) const {
    const bool has_number = task.generation != 0 && task.generation != kUndefinedGeneration;
    if (pool_.created.contains(task)) return false;
    // Old recorders number implicit tasks too; explicit ones are those that were created.
    const bool is_old = has_one_number(static_cast<EventType>(event_type));
    return !has_number || (is_old && !pool_.created.empty());
}

/// Returns null if no such task has begun.
std::shared_ptr<TaskPool::Task> TaskStacks::find(const TaskId& task) const {
    const auto found = pool_.tasks.find(task);
    return found == pool_.tasks.end() ? nullptr : found->second;
}

/// Returns the task that runs after the record; the current one if the record changes nothing.
std::optional<TaskId> TaskStacks::next_task(u8 event_type, const TaskId& task) {
    if (!completes_task(static_cast<EventType>(event_type))) {
        return is_implicit(task, event_type) ? std::nullopt : std::optional(task);
    }
    if (current_ != task) {
        if (const auto other = find(task); other && !other->runs) {
            const bool is_here = other->location == location_;
            if (is_here && other->open.in_mpi_call()) --suspended_calls_;
            counts_.unended += other->open.open().size();
            pool_.tasks.erase(task);
        }
        return current_;
    }
    const std::optional<TaskId> interrupted = running_->interrupted;
    if (!interrupted) return std::nullopt;
    const auto other = find(*interrupted);
    if (other && !other->runs && other->location == location_) return interrupted;
    arrived_ = Arrival();
    return std::nullopt;
}

const TaskChange* TaskStacks::follow(u8 event_type, std::span<const u64> values,
                                     const MappingTables& tables, u64 ticks,
                                     const std::map<u64, Arrival>* arrivals) {
    const TaskId task = task_of(event_type, values, tables);
    const auto type = static_cast<EventType>(event_type);
    arrived_.reset();
    if (creates_task(type)) {
        const bool is_first = task.generation == 0 && !is_anonymous(task);
        if (is_first || has_one_number(type)) pool_.created.insert(task);
        return nullptr;
    }
    std::optional<TaskId> next = next_task(event_type, task);
    if (arrivals != nullptr) {
        const auto arrival = arrivals->find(changes_);
        if (arrival != arrivals->end() && !arrival->second) next = std::nullopt;
    }
    const bool goes_on = next == current_;
    if (!goes_on) {
        const std::optional<TaskId> before = current_;
        const bool completed = completes_task(type);
        suspend(ticks, completed);
        resume(next, ticks, arrivals);
        if (next && !completed) running_->interrupted = before;
    }
    end_call();
    ++changes_;
    return goes_on ? nullptr : &change_;
}

void TaskStacks::suspend(u64 ticks, bool completed) {
    change_.from_task = current_.has_value();
    change_.completed = completed;
    // Another location may have resumed it already if clocks disagree.
    if (current_ && running_->location != location_) return;
    if (running_->open.in_mpi_call() && !completed) ++suspended_calls_;
    if (!current_) return;
    running_->runs = false;
    for (OpenVisit& visit : running_->open.open()) {
        visit.ticks = ticks - std::min(ticks, visit.ticks);
    }
    if (!completed) return;
    counts_.unended += running_->open.open().size();
    pool_.tasks.erase(*current_);
}

void TaskStacks::resume(const std::optional<TaskId>& task, u64 ticks,
                        const std::map<u64, Arrival>* arrivals) {
    change_.to_task = task.has_value();
    change_.from = kNone;
    change_.resumed.clear();
    current_ = task;
    if (!task) {
        running_ = implicit_;
        if (running_->open.in_mpi_call()) --suspended_calls_;
        return;
    }
    std::shared_ptr<TaskPool::Task>& resumed = pool_.tasks[*task];
    if (!resumed) resumed = std::make_shared<TaskPool::Task>();
    running_ = resumed;
    const bool stayed = running_->location == location_;
    if (stayed && running_->open.in_mpi_call()) --suspended_calls_;
    arrive(ticks, arrivals);
    running_->location = location_;
    running_->runs = true;
    for (OpenVisit& visit : running_->open.open()) {
        visit.ticks = ticks - std::min(ticks, visit.ticks);
    }
    const std::span<const OpenVisit> open = std::as_const(running_->open).open();
    change_.resumed.assign(open.begin(), open.end());
}

/// Updates the running task with its stays on other locations.
void TaskStacks::arrive(u64 ticks, const std::map<u64, Arrival>* arrivals) {
    TaskPool::Task& task = *running_;
    if (arrivals != nullptr) {
        const auto arrival = arrivals->find(changes_);
        if (arrival == arrivals->end()) return;
        task.open.clear();
        change_.from = arrival->second->from;
        for (const OpenVisit& visit : arrival->second->open) task.open.enter(visit, visit.is_mpi);
        return;
    }
    if (task.location == kNone || task.location == location_) return;
    if (task.runs) {
        for (OpenVisit& visit : task.open.open()) {
            visit.ticks = ticks - std::min(ticks, visit.ticks);
        }
    }
    const std::span<const OpenVisit> open = std::as_const(task.open).open();
    arrived_ = Moved{*current_, task.location, {open.begin(), open.end()}};
}

bool TaskStacks::waits(u8 event_type, std::span<const u64> values,
                       const MappingTables& tables) const {
    const auto type = static_cast<EventType>(event_type);
    if (!changes_task(event_type) || completes_task(type)) return false;
    const auto task = find(task_of(event_type, values, tables));
    return task && task->runs && task->location != location_;
}

u64 TaskStacks::open_implicit() const { return std::as_const(implicit_->open).open().size(); }

namespace {

/// Follows the call stack through a control flow while Leaves name the innermost region.
class NestedScript {
  public:
    NestedScript(TraceFile& file, u32 script)
        : file_(file),
          script_(file.structure().scripts[script]),
          counts_(file.structure().script_counts[script]) {}

    [[nodiscard]] u32 here() const { return here_; }

    bool leaf(u32 leaf) {
        const u32 entry = here_;
        for (const Element& element : file_.structure().symbols[script_.symbols[leaf]].elements) {
            if (!follow(element)) return false;
        }
        // Every repetition of the leaf enters another region.
        return here_ == entry || counts_[leaf].is_always_one();
    }

  private:
    struct Path {
        u32 outer;
        u64 region;
    };

    bool follow(const Element& element) {
        if (!is_enter(element.type) && !is_leave(element.type)) return true;
        // Odd: an id known to its location only.
        if ((element.context & 1U) != 0) return false;
        const FieldKind kind = event_info(element.type).fields[0].kind;
        const u64 region = file_.definitions().region_of(kind, element.context >> 1U);
        if (is_enter(element.type)) {
            const auto [found, fresh] = numbers_.try_emplace({here_, region}, paths_.size());
            if (fresh) paths_.push_back({here_, region});
            here_ = found->second;
            return true;
        }
        if (here_ == 0 || paths_[here_].region != region) return false;
        here_ = paths_[here_].outer;
        return true;
    }

    TraceFile& file_;
    const Script& script_;
    const std::vector<Assignment>& counts_;
    std::vector<Path> paths_{{0, kNoRegion}};
    std::map<std::pair<u32, u64>, u32> numbers_;
    u32 here_ = 0;  ///< path 0 is outside of all regions
};

/// Reads the locations of a process in time order.
class ProcessWalk {
  public:
    ProcessWalk(TraceFile& file, const std::vector<u32>& locations, LeaveRule rule) {
        const Times times = locations.size() > 1 ? Times::read : Times::skip;
        for (const u32 location : locations) {
            threads_.push_back(std::make_unique<Thread>(file, location, times, rule, pool_));
        }
    }

    void run() {
        for (u32 thread = 0; thread < threads_.size(); ++thread) go_on(thread);
        while (!next_.empty()) {
            const Place place = next_.top();
            next_.pop();
            Thread& thread = *threads_[place.thread];
            // At the same time, the task's thread may suspend it: that record comes first.
            if (place.tries < threads_.size() && thread.waits()) {
                next_.push({place.ticks, place.tries + 1, place.thread});
                continue;
            }
            if (const TaskStacks::Arrival task = thread.take()) {
                threads_of(task->from).departures.emplace(place.ticks, task->task);
            }
            go_on(place.thread);
        }
        for (const auto& [id, task] : pool_.tasks) {
            const u64 open = task->open.open().size();
            threads_of(task->location).unended += open;
            if (!task->runs) threads_of(task->location).note_unfinished(*task);
        }
    }

    /// Counts regions without a Leave, and excess Leaves.
    [[nodiscard]] std::pair<u64, u64> imbalance() const {
        u64 unended = 0;
        u64 late = 0;
        for (const auto& thread : threads_) {
            const TaskStacks::Counts& counts = thread->stacks.counts();
            unended += thread->unended + counts.unended + thread->stacks.open_implicit();
            late += counts.late;
        }
        return {unended, late};
    }

    /// Returns the result for each location.
    std::vector<std::unique_ptr<RegionNesting::Location>> result(LeaveRule rule, bool has_tasks) {
        const auto created = std::make_shared<const std::set<TaskId>>(std::move(pool_.created));
        std::vector<std::unique_ptr<RegionNesting::Location>> result;
        for (const auto& thread : threads_) {
            const TaskStacks::Counts& counts = thread->stacks.counts();
            result.push_back(nullptr);
            if (!has_tasks && counts.other == 0 && counts.outside == 0) continue;
            result.back() = std::make_unique<RegionNesting::Location>();
            RegionNesting::Location& location = *result.back();
            location.rule = rule;
            location.counts = counts;
            location.is_followed = has_tasks || counts.other != 0;
            location.arrivals = std::move(thread->arrivals);
            location.departures = std::move(thread->departures);
            location.unfinished = std::move(thread->unfinished);
            location.created = created;
        }
        return result;
    }

  private:
    struct Thread {
        Thread(TraceFile& file, u32 location, Times times, LeaveRule rule, TaskPool& pool)
            : calls(file, location, times, CallReader::Leaves::recorded),
              stacks(location, rule, pool) {}

        /// Advances to the next relevant record; false at the end.
        bool next() {
            while (true) {
                if (++record < calls.records().size()) {
                    const u8 type = head().type;
                    if (is_enter(type) || is_leave(type) || concerns_tasks(type)) return true;
                    continue;
                }
                if (!calls.next()) return false;
                record = ~std::size_t{0};
            }
        }
        [[nodiscard]] const RecordBatch::Head& head() const { return calls.records()[record]; }

        [[nodiscard]] bool waits() const {
            return stacks.waits(head().type, calls.records().values(head()), calls.tables());
        }

        /// Returns the task that comes from another location with the record.
        TaskStacks::Arrival take() {
            if (is_enter(head().type)) {
                const CallReader::Region region = calls.region(record);
                stacks.enter(region.id, region.is_mpi, head().time);
            } else if (is_leave(head().type)) {
                stacks.leave(calls.region(record).id);
            } else {
                const u64 number = stacks.changes();
                stacks.follow(head().type, calls.records().values(head()), calls.tables(),
                              head().time, nullptr);
                if (!stacks.arrived()) return std::nullopt;
                arrivals.emplace(number, *stacks.arrived());
                return *stacks.arrived();
            }
            return std::nullopt;
        }

        void note_unfinished(const TaskPool::Task& task) {
            const std::span<const OpenVisit> open = task.open.open();
            if (!open.empty()) unfinished.emplace_back(open.begin(), open.end());
        }

        CallReader calls;
        TaskStacks stacks;
        std::size_t record = ~std::size_t{0};
        u64 unended = 0;
        std::map<u64, TaskStacks::Arrival> arrivals;
        std::multimap<u64, TaskId> departures;
        std::vector<std::vector<OpenVisit>> unfinished;
    };

    struct Place {
        u64 ticks;
        u64 tries;
        u32 thread;

        bool operator<(const Place& other) const {
            return std::tuple(ticks, tries, thread) >
                   std::tuple(other.ticks, other.tries, other.thread);
        }
    };

    void go_on(u32 thread) {
        if (threads_[thread]->next()) next_.push({threads_[thread]->head().time, 0, thread});
    }

    Thread& threads_of(u32 location) {
        return **std::ranges::find_if(threads_, [location](const auto& thread) {
            return thread->calls.location() == location;
        });
    }

    TaskPool pool_;
    std::vector<std::unique_ptr<Thread>> threads_;
    std::priority_queue<Place> next_;
};

}  // namespace

RegionNesting::RegionNesting(TraceFile& file)
    : file_(file), scripts_(file.structure().scripts.size(), Verdict::unknown) {}

RegionNesting::Verdict RegionNesting::look_at(u32 script) const {
    const Structure& structure = file_.structure();
    for (const u32 symbol : structure.scripts[script].symbols) {
        const std::vector<Element>& elements = structure.symbols[symbol].elements;
        if (std::ranges::any_of(elements, changes_task, &Element::type)) return Verdict::has_tasks;
    }
    NestedScript nested(file_, script);
    const bool nests = walk_places(structure.patterns[structure.scripts[script].pattern], nested);
    return nests ? Verdict::nests : Verdict::may_not_nest;
}

RegionNesting::Verdict RegionNesting::verdict(u32 location) {
    const u32 script = file_.index().script(Stream::events, location);
    if (script == kNone || file_.definitions().locations()[location].is_stream()) {
        return Verdict::nests;
    }
    if (scripts_[script] == Verdict::unknown) scripts_[script] = look_at(script);
    return scripts_[script];
}

const RegionNesting::Location* RegionNesting::of(u32 location) {
    const std::scoped_lock lock(mutex_);
    if (verdict(location) == Verdict::nests) return nullptr;
    if (!locations_.contains(location)) analyse(location);
    return locations_.at(location).get();
}

/// All locations of the process together: tasks may migrate between them.
void RegionNesting::analyse(u32 location) {
    std::vector<u32> together{location};
    if (verdict(location) == Verdict::has_tasks) {
        const std::vector<LocationDefinition>& all = file_.definitions().locations();
        together.clear();
        for (u32 other = 0; other < all.size(); ++other) {
            const bool is_of_process = all[other].group == all[location].group;
            if (is_of_process && verdict(other) == Verdict::has_tasks) together.push_back(other);
        }
    }
    analyse(together);
}

void RegionNesting::analyse(const std::vector<u32>& locations) {
    LeaveRule rule = LeaveRule::position;
    auto walk = std::make_unique<ProcessWalk>(file_, locations, rule);
    walk->run();
    const auto [unended, late] = walk->imbalance();
    if (unended != 0 || late != 0) {
        rule = late == 0 ? LeaveRule::name_or_position : LeaveRule::name;
        walk = std::make_unique<ProcessWalk>(file_, locations, rule);
        walk->run();
    }
    auto result = walk->result(rule, verdict(locations.front()) == Verdict::has_tasks);
    for (std::size_t i = 0; i < locations.size(); ++i) {
        locations_[locations[i]] = std::move(result[i]);
    }
}

NestingCounts RegionNesting::counts(const std::vector<bool>& selected) {
    NestingCounts sum;
    for (u32 location = 0; location < selected.size(); ++location) {
        const Location* const it = selected[location] ? of(location) : nullptr;
        if (it == nullptr) continue;
        sum.other += it->counts.other;
        sum.outside += it->counts.outside;
        sum.calls += it->counts.calls;
    }
    if (sum.empty()) return sum;
    ExecutionCounts executions(file_.index());
    for (u32 location = 0; location < selected.size(); ++location) {
        if (selected[location]) sum.leaves += leaves(executions, location);
    }
    return sum;
}

u64 RegionNesting::leaves(ExecutionCounts& executions, u32 location) {
    const u32 script = file_.index().script(Stream::events, location);
    if (script == kNone) return 0;
    const Structure& structure = file_.structure();
    const std::vector<u32>& symbols = structure.scripts[script].symbols;
    u64 sum = 0;
    for (u32 leaf = 0; leaf < symbols.size(); ++leaf) {
        const auto leaves = std::ranges::count_if(structure.symbols[symbols[leaf]].elements,
                                                  is_leave, &Element::type);
        if (leaves != 0) sum += static_cast<u64>(leaves) * executions.executions(location, leaf);
    }
    return sum;
}

NestingCounts RegionNesting::counts() {
    return counts(std::vector<bool>(file_.location_count(), true));
}

}  // namespace tracefold
