// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/call_reader.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "file/region_stack.hpp"
#include "fold/field_codec.hpp"
#include "model/event_table.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace tracefold {

namespace {

constexpr u32 kCallsBetweenCancelPoints = (1U << 14U) - 1;

}  // namespace

CallUnwinder::CallUnwinder(TraceFile& file, u32 location)
    : file_(file),
      location_(location),
      tables_(file.mapping_tables(location)),
      cursor_(file.index(), Stream::events, location),
      decoder_(file.definitions(), tables_, file.definitions().locations()[location],
               file.structure(), file.index().facts(location).has_restarts != 0),
      left_(file.index().events(location)) {}

bool CallUnwinder::next(RecordBatch& batch, std::vector<u32>& groups, std::vector<Posted>* posted) {
    if (!cursor_.next(symbol_, values_)) {
        if (left_ != 0) wrong_count(false);
        return false;
    }
    if ((++calls_ & kCallsBetweenCancelPoints) == 0) cancel_point();
    const std::size_t before = batch.size();
    decoder_.decode(symbol_, values_, batch, &groups, posted);
    const std::size_t records = batch.size() - before;
    // A loop could hold any number of calls without records.
    if (records == 0) throw Error(ErrorKind::corrupt, "a call has no records");
    if (records > left_) wrong_count(true);
    left_ -= records;
    return true;
}

void CallUnwinder::watch() {
    watched_.clear();
    cursor_.save(watched_);
    decoder_.watch();
}

CallUnwinder::Cycle CallUnwinder::cycle() {
    const std::optional<u64> step = decoder_.request_step();
    now_.clear_and_compare(watched_);
    if (!step) return {};
    cursor_.save(now_);
    return {now_.repeats_since(watched_), *step};
}

void CallUnwinder::leave_out(const Cycle& cycle, u64 records) {
    if (records != 0 && cycle.times > left_ / records) wrong_count(true);
    left_ -= cycle.times * records;
    now_.go_on(watched_, cycle.times);
    cursor_.restore(now_);
    decoder_.go_on(cycle.times);
}

void CallUnwinder::wrong_count(bool more) const {
    const u64 expected = file_.index().events(location_);
    throw Error(ErrorKind::corrupt, "{}: location {} should have {} records, but unfolds to {}",
                file_.container().path(), location_, expected,
                more ? "more" : std::to_string(expected - left_));
}

CallReader::CallReader(TraceFile& file, u32 location, Times times, Leaves leaves)
    : file_(file), location_(location), unwinder_(file, location), finder_(unwinder_) {
    if (times != Times::skip) ticks_ = std::make_unique<TickSource>(file, location, times);
    if (leaves == Leaves::recorded) return;
    nesting_ = file.nesting().of(location);
    if (nesting_ == nullptr || !nesting_->is_followed) return;
    tasks_.created = *nesting_->created;
    stacks_.emplace(location, nesting_->rule, tasks_);
}

/// Determines the regions that the Leaves of the call end, and the task changes.
void CallReader::pair() {
    ended_.resize(call_.records);
    in_call_.resize(call_.records);
    changes_.clear();
    for (std::size_t i = 0; i < call_.records; ++i) {
        const RecordBatch::Head& head = records()[i];
        if (is_enter(head.type)) {
            const Region region = recorded_region(i);
            stacks_->enter(region.id, region.is_mpi, head.time);
        } else if (is_leave(head.type)) {
            ended_[i] = recorded_region(i);
            ended_[i].id = stacks_->leave(ended_[i].id);
        } else if (concerns_tasks(head.type)) {
            const TaskChange* const change = stacks_->follow(
                head.type, records().values(head), tables(), head.time, &nesting_->arrivals);
            if (change != nullptr) changes_.emplace(i, *change);
        }
        in_call_[i] = stacks_->in_mpi_call();
    }
}

bool CallReader::next_call() {
    if (iterations_left_ != 0 && go_on()) return true;
    if (finder_ && comes_again()) return true;
    return read();
}

bool CallReader::next(RecordBatch& batch) {
    batch.clear();
    tells_posted_ = false;
    while (!is_full(batch) && next_call()) {
        const bool begins_iteration = iterations_left_ != 0 && next_call_ == 1;
        batch.append(records_, begins_iteration ? records_.heads() : records().heads());
        if (begins_iteration) next_call_ = calls_.size();
    }
    return !batch.empty();
}

void CallReader::skip(u64 calls) {
    while (calls != 0 && next()) {
        --calls;
        if (stacks_) continue;
        if (iterations_left_ == 0 || next_call_ != calls_.size()) continue;
        const u64 iterations = std::min(iterations_left_ - 1, calls / calls_.size());
        pass_iterations(iterations);
        iterations_left_ -= iterations;
        calls -= iterations * calls_.size();
    }
}

void CallReader::forget() {
    records_.clear();
    groups_.clear();
    posted_.clear();
    calls_.clear();
    call_.first = call_.records = 0;
    call_.first_posted = call_.posted = 0;
}

/// Unwinds the next call; false at the end.
bool CallReader::read() {
    const bool keeps = finder_ && finder_->is_looking();
    if (!keeps) forget();
    call_.first = records_.size();
    call_.first_posted = posted_.size();
    if (!unwinder_.next(records_, groups_, tells_posted_ ? &posted_ : nullptr)) {
        forget();
        if (ticks_) ticks_->expect_end();
        return false;
    }
    call_.symbol = unwinder_.symbol();
    call_.first_group = unwinder_.first_group();
    call_.records = records_.size() - call_.first;
    call_.posted = posted_.size() - call_.first_posted;
    if (ticks_) ticks_->stamp(records_, groups(), unwinder_.places());
    if (keeps) keep();
    return true;
}

/// Stores the current call for repetition.
void CallReader::keep() {
    for (std::size_t i = call_.first_posted; i < posted_.size(); ++i) {
        posted_[i].record -= static_cast<u32>(call_.first);
    }
    call_.loop = unwinder_.loop();
    calls_.push_back(call_);
    if (records_.size() > kMostRecords) finder_->give_up();
}

/// Between two calls: true if an iteration repeats, with its first call as the current one.
bool CallReader::comes_again() {
    switch (finder_->at_turn()) {
        case Repeat::none:
            return false;
        case Repeat::marked:
            forget();
            first_left_ = unwinder_.loop().left;
            return false;
        case Repeat::again:
            break;
    }
    finder_->accept();
    repeat(finder_->cycle());
    return go_on();
}

void CallReader::repeat(const CallUnwinder::Cycle& cycle) {
    loop_step_ = first_left_ - unwinder_.loop().left;
    loops_passed_ = 0;
    unwinder_.leave_out(cycle, records_.size());
    iterations_left_ = cycle.times + 1;
    next_call_ = calls_.size();
    times_.begin(groups_, cycle.times, reads_times());
    request_step_ = cycle.request_step;
    requests_.clear();
    if (request_step_ == 0) return;
    for (const RecordBatch::Head& head : records_.heads()) {
        for (const auto& [field, counter] : counting_fields(head.type).fields) {
            if (field == CountingFields::kNone || counter != IdCounter::request) continue;
            requests_.push_back(std::size_t{head.first_value} + field);
        }
    }
}

/// Advances to the next call of a repeated iteration; false if there is none.
bool CallReader::go_on() {
    if (next_call_ == calls_.size()) {
        if (--iterations_left_ == 0) return false;
        begin_iteration();
    }
    call_ = calls_[next_call_++];
    return true;
}

void CallReader::begin_iteration() {
    pass_iterations(1);
    next_call_ = 0;
    const u64* const times =
        times_.next([this](std::span<const u32> groups, u64* to) { pass(groups, to); });
    if (!ticks_) return;
    for (std::size_t i = 0; i < records_.size(); ++i) records_.set_time(i, times[i]);
}

/// Updates the values that differ between iterations, except times.
void CallReader::pass_iterations(u64 iterations) {
    loops_passed_ += iterations * loop_step_;
    for (const std::size_t value : requests_) {
        records_.add_to_value(value, iterations * request_step_);
    }
}

void CallReader::find_regions() {
    regions_.resize(file_.structure().symbols.size());
    std::vector<Region>& regions = regions_[call_.symbol];
    regions.reserve(symbol().elements.size());
    for (const Element& element : symbol().elements) {
        Region& region = regions.emplace_back();
        if (!is_enter(element.type) && !is_leave(element.type)) continue;
        const FieldKind kind = event_info(element.type).fields[0].kind;
        const DefinitionIndex& definitions = file_.definitions();
        region.id = definitions.region_of(kind, tables().global_of_code(kind, element.context));
        region.is_mpi = is_mpi_function(definitions, region.id);
    }
}

CallSkipper::LeftOut CallSkipper::after_call(u64 most) {
    ++length_;
    records_ += calls_.records().size();
    const Repeat turn = finder_.at_turn();
    begins_ = turn == Repeat::marked;
    if (begins_) length_ = records_ = 0;
    if (turn != Repeat::again) return {};
    CallUnwinder::Cycle cycle = finder_.cycle();
    cycle.times = std::min(cycle.times, most / length_);
    if (cycle.times == 0) {
        finder_.give_up();
        return {};
    }
    finder_.accept();
    unwinder_.leave_out(cycle, records_);
    return {cycle.times, length_};
}

}  // namespace tracefold
