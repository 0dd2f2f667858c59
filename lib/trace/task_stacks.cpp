// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/task_stacks.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

bool creates_task(EventType type) {
    return type == EventType::ThreadTaskCreate || type == EventType::OmpTaskCreate;
}

bool completes_task(EventType type) {
    return type == EventType::ThreadTaskComplete || type == EventType::OmpTaskComplete;
}

/// The records of OTF2 1.0 to 1.2 have one number for each task.
bool has_one_number(EventType type) {
    return type == EventType::OmpTaskCreate || type == EventType::OmpTaskSwitch ||
           type == EventType::OmpTaskComplete;
}

TaskId task_of(u8 event_type, std::span<const u64> values, const MappingTables& tables) {
    if (has_one_number(static_cast<EventType>(event_type))) return {kNone, kNone, values[0]};
    return {tables.global(FieldKind::comm, values[0]), values[1], values[2]};
}

/// What OTF2 3.2 has for tasks without a number.
constexpr u64 kUndefinedGeneration = kNone;

/// OTF2's undefined thread.
constexpr u64 kUndefinedThread = 0xFFFFFFFFU;

/// Otter calls all tasks the same: number 0 of an undefined thread.
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
    if (ended.empty()) return kNoRegion;
    counts_.unended += ended.size() - 1;
    return ended.front().region;
}

bool TaskStacks::is_implicit(const TaskId& task, u8 event_type) const {
    const bool has_number = task.generation != 0 && task.generation != kUndefinedGeneration;
    if (pool_.created.contains(task)) return false;
    // Old recorders number implicit tasks, too; then explicit ones are those that were created.
    const bool is_old = has_one_number(static_cast<EventType>(event_type));
    return !has_number || (is_old && !pool_.created.empty());
}

/// Null if no such task has begun.
std::shared_ptr<TaskPool::Task> TaskStacks::find(const TaskId& task) const {
    const auto found = pool_.tasks.find(task);
    return found == pool_.tasks.end() ? nullptr : found->second;
}

/// The task that runs after the record; that of before if the record changes nothing.
std::optional<TaskId> TaskStacks::next_task(u8 event_type, const TaskId& task) {
    if (!completes_task(static_cast<EventType>(event_type))) {
        return is_implicit(task, event_type) ? std::nullopt : std::optional(task);
    }
    if (current_ != task) {
        if (const auto other = find(task); other && !other->runs) {
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
    ++changes_;
    return goes_on ? nullptr : &change_;
}

void TaskStacks::suspend(u64 ticks, bool completed) {
    change_.from_task = current_.has_value();
    change_.completed = completed;
    // Another location may have resumed it already, by clocks that do not agree.
    if (!current_ || running_->location != location_) return;
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
    change_.resumed.clear();
    current_ = task;
    if (!task) {
        running_ = implicit_;
        return;
    }
    std::shared_ptr<TaskPool::Task>& resumed = pool_.tasks[*task];
    if (!resumed) resumed = std::make_shared<TaskPool::Task>();
    running_ = resumed;
    arrive(*running_, ticks, arrivals);
    running_->location = location_;
    running_->runs = true;
    for (OpenVisit& visit : running_->open.open()) {
        visit.ticks = ticks - std::min(ticks, visit.ticks);
    }
    const std::span<const OpenVisit> open = std::as_const(running_->open).open();
    change_.resumed.assign(open.begin(), open.end());
}

/// Brings the task up to date with where it has been.
void TaskStacks::arrive(TaskPool::Task& task, u64 ticks, const std::map<u64, Arrival>* arrivals) {
    if (arrivals != nullptr) {
        const auto arrival = arrivals->find(changes_);
        if (arrival == arrivals->end()) return;
        task.open.clear();
        for (const OpenVisit& visit : *arrival->second) task.open.enter(visit, visit.is_mpi);
        return;
    }
    if (task.location == kNone || task.location == location_) return;
    if (task.runs) {
        for (OpenVisit& visit : task.open.open()) {
            visit.ticks = ticks - std::min(ticks, visit.ticks);
        }
    }
    const std::span<const OpenVisit> open = std::as_const(task.open).open();
    arrived_ = std::vector<OpenVisit>(open.begin(), open.end());
}

bool TaskStacks::waits(u8 event_type, std::span<const u64> values,
                       const MappingTables& tables) const {
    const auto type = static_cast<EventType>(event_type);
    if (!changes_task(event_type) || completes_task(type)) return false;
    const auto task = find(task_of(event_type, values, tables));
    return task && task->runs && task->location != location_;
}

u64 TaskStacks::open_implicit() const { return std::as_const(implicit_->open).open().size(); }

}  // namespace tracefold
