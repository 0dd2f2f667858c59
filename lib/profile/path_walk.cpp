// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/path_walk.hpp"

#include "query/call_names.hpp"

namespace tracefold {

PathWalk::PathWalk(TraceFile& file, u32 location, u32 number, Times times, CallTree& tree,
                   TraceThreads& threads)
    : stream_(file, location, times),
      number_(number),
      tree_(tree),
      stack_(tree, &threads.regions, file.definitions().locations()[location].is_stream()),
      teams_(threads.forks) {}

bool PathWalk::next() {
    while (record_ == stream_.records().size()) {
        record_ = 0;
        if (!stream_.next()) return false;
    }
    ++record_;
    take();
    return true;
}

u32 PathWalk::next_mpi_call() {
    bool was_in_call = in_mpi_call();
    while (next()) {
        if (step_ == Step::entered && in_mpi_call() && !was_in_call) return here();
        was_in_call = in_mpi_call();
    }
    return kNone;
}

void PathWalk::take() {
    step_ = Step::other;
    if (is_enter(head().type)) {
        const CallReader::Region region = stream_.region(record_ - 1);
        stack_.enter_region(region.id, region.is_mpi, next_order());
        region_ = region.id;
        step_ = Step::entered;
    } else if (is_leave(head().type)) {
        region_ = stream_.region(record_ - 1).id;
        stack_.leave(region_);
        step_ = Step::left;
    } else {
        take_other();
    }
}

void PathWalk::take_other() {
    const auto type = static_cast<EventType>(head().type);
    if (const TaskChange* const change = stream_.task_change(record_ - 1)) {
        stack_.change_task(*change, next_order());
    } else if (type == EventType::ProgramBegin) {
        stack_.enter(CallTree::Kind::program, tables().global(FieldKind::string, values()[0]),
                     next_order());
    } else if (type == EventType::ProgramEnd) {
        stack_.clear();
    } else if (changes_thread_place(head().type)) {
        stack_.change(teams_.follow(head().type, values(), tables(), here()));
    }
}

}  // namespace tracefold
