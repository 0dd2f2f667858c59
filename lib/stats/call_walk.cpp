// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/call_walk.hpp"

#include "model/accelerator.hpp"
#include "model/event_table.hpp"
#include "model/record_kinds.hpp"
#include "query/call_names.hpp"
#include "stats/record_transfer.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

CallWalk::CallWalk(TraceFile& file, u32 location, const LocationSteps* iterations, RowChooser& rows,
                   SampleSink& sink, TraceThreads* threads, const IoCrossings& crossings)
    : location_(location),
      timed_(keeps_every_time(file.summary().timing)),
      on_stream_(file.definitions().locations()[location].is_stream()),
      definitions_(file.definitions()),
      stream_(file, location, timed_ ? Times::read : Times::skip),
      rows_(rows),
      sink_(sink),
      group_(rows.group(location)),
      frames_(on_stream_),
      io_(crossings, location),
      threads_(threads),
      steps_(iterations) {
    if (threads_ != nullptr) teams_.emplace(threads_->forks);
}

void CallWalk::run() {
    while (stream_.next()) {
        steps_.next();
        to_iteration(steps_.step());
        for (std::size_t i = 0; i < stream_.records().size(); ++i) record(i);
    }
    to_iteration(std::nullopt);
    end_open_calls();
    if (frames_.in_task()) {
        frames_.end_task();
        end_open_calls();
    }
    for (const std::vector<OpenVisit>& task : stream_.unfinished()) {
        change_task({.to_task = true, .resumed = task});
        end_open_calls();
        frames_.end_task();
    }
    all_.pass_calls(location_, sink_);
    all_.pass(Over::ranks, location_, 0, sink_);
}

void CallWalk::to_iteration(std::optional<u64> iteration) {
    if (iteration == iteration_) return;
    if (iteration_) of_iteration_.pass(Over::iterations, location_, *iteration_, sink_, &all_);
    iteration_ = iteration;
}

void CallWalk::record(std::size_t number) {
    const RecordBatch::Head& head = stream_.records()[number];
    if (is_enter(head.type)) {
        enter(stream_.region(number), head.time);
    } else if (is_leave(head.type)) {
        leave(stream_.region(number).id, head.time);
    } else if (const TaskChange* const change = stream_.task_change(number)) {
        change_task(*change);
    } else if (teams_ && changes_thread_place(head.type)) {
        change_thread(head);
    } else if (head.type == static_cast<u8>(EventType::CallingContextSample)) {
        const u64 context = stream_.records().values(head)[0];
        sample(stream_.tables().global(FieldKind::calling_context, context));
    } else if (!file_operation(number)) {
        if (on_stream_ && begins_copy(head.type)) begin_copy(number);
        transfer(number);
        if (!on_stream_ || !ends_copy(head.type)) return;
        if (const auto ended = copies_.end(stream_.records().values(head))) {
            leave(ended->id, head.time);
        }
    }
}

/// A region counts once for a sample, however often it is on the stack.
void CallWalk::sample(u64 context) {
    const auto [found, fresh] = sampled_.try_emplace(context);
    Sampled& sampled = found->second;
    if (fresh) {
        u32 outer = group_;
        for (const u64 region : definitions_.regions_of_context(context)) {
            const RowChooser::Choice choice = rows_.region(group_, outer, region);
            outer = choice.row;
            sampled.self = choice;
            if (!choice.wanted) continue;
            if (std::ranges::find(sampled.rows, choice.row) == sampled.rows.end()) {
                sampled.rows.push_back(choice.row);
            }
        }
    }
    if (sampled.self.wanted) add(sampled.self.row, Quantity::self_samples, 1);
    for (const u32 row : sampled.rows) add(row, Quantity::total_samples, 1);
}

void CallWalk::begin_copy(std::size_t number) {
    const RecordBatch::Head& head = stream_.records()[number];
    const StreamCopies::Copy& begun = copies_.begin(head.type, stream_.records().values(head));
    const std::string name(copy_name(begun.to_device));
    frames_.enter({begun.id, rows_.name(group_, name, false), head.time}, false);
}

void CallWalk::change_thread(const RecordBatch::Head& head) {
    using Kind = ThreadTeams::Change::Kind;
    const u32 here = frames_.empty() ? kNone : frames_.back().choice.row;
    const ThreadTeams::Change change =
        teams_->follow(head.type, stream_.records().values(head), stream_.tables(), here);
    if (change.kind == Kind::attach) {
        frames_.enter({kAttached, {change.place, false}, head.time}, false);
    } else if (change.kind == Kind::detach) {
        for (const Frame& frame : frames_.leave(kAttached)) end_call(frame);
    }
}

/// A call lasts for as long as its task runs.
void CallWalk::change_task(const TaskChange& change) {
    if (change.completed) end_open_calls();
    if (change.from_task) frames_.end_task();
    if (!change.to_task) return;
    frames_.begin_task();
    for (const OpenVisit& visit : change.resumed) {
        enter({visit.region, visit.is_mpi}, visit.ticks);
    }
}

void CallWalk::enter(const CallReader::Region& region, u64 time) {
    if (threads_ != nullptr && threads_->regions.is_task(region.id)) {
        frames_.enter({kTasks, {group_, false}, time}, false);
    }
    const bool inside = !frames_.empty() && !on_stream_;
    const u32 outer = inside ? frames_.back().choice.row : group_;
    frames_.enter({region.id, rows_.region(group_, outer, region.id), time}, region.is_mpi);
}

void CallWalk::end_open_calls() {
    for (const Frame& frame : std::as_const(frames_).open()) end_call(frame);
}

/// Regions that were never left end with the one around them, without a time.
void CallWalk::leave(u64 region, u64 time) {
    const std::span<const Frame> ended = frames_.leave(region);
    for (const Frame& frame : ended) end_call(frame);
    while (!frames_.empty() && frames_.back().region == kTasks) frames_.pop();
    if (ended.empty() || !timed_ || !ended.front().choice.wanted) return;
    const Frame& left = ended.front();
    if (time < left.time) {
        ++backwards_;
    } else {
        add(left.choice.row, Quantity::time, time - left.time);
    }
}

/// Calls are passed at the end, all together.
void CallWalk::end_call(const Frame& frame) {
    if (frame.choice.wanted) sums().add(frame.choice.row, Quantity::calls, 1, 1);
}

/// Of what stands in no region, the record's name.
RowChooser::Choice CallWalk::choice_of(u8 record_type) {
    const bool in_region =
        !frames_.empty() && frames_.back().region != kAttached && frames_.back().region != kTasks;
    if (in_region) return frames_.back().choice;
    return rows_.name(group_, std::string(event_info(record_type).name), false);
}

/// False if the record neither begins nor ends one.
bool CallWalk::file_operation(std::size_t number) {
    const RecordBatch::Head& head = stream_.records()[number];
    if (!is_io_operation(head.type)) return false;
    const RowChooser::Choice choice = choice_of(head.type);
    const u32 row = choice.wanted ? choice.row : kNone;
    const std::optional<IoOperation> done =
        io_.follow(head, stream_.records().values(head), stream_.tables(), row);
    if (!done || done->mark == kNone) return true;
    if (done->lacks_size()) {
        ++unknown_sizes_;
        return true;
    }
    if (done->mode == IoMode::read) add(done->mark, Quantity::read, done->bytes);
    if (done->mode == IoMode::write) add(done->mark, Quantity::written, done->bytes);
    return true;
}

void CallWalk::transfer(std::size_t number) {
    const std::optional<RecordTransfer> transfer = transfer_of(stream_, number);
    if (!transfer) return;
    const RowChooser::Choice choice = choice_of(stream_.records()[number].type);
    if (!choice.wanted) return;
    if (has_sent(transfer->kind)) add(choice.row, Quantity::sent, transfer->sent);
    if (has_received(transfer->kind)) add(choice.row, Quantity::received, transfer->received);
}

void CallWalk::add(u32 row, Quantity quantity, u64 value) {
    sink_.add({row, Over::calls, quantity, value, 1, location_, 0});
    sums().add(row, quantity, value, 1);
}

}  // namespace tracefold
