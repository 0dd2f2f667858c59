// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/detail/event_folder.hpp"

#include "fold/symbol_table.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Records between two searches, and between two checks for known periods.
constexpr std::size_t kMinInterval = 512;
constexpr std::size_t kMaxInterval = 8192;
constexpr std::size_t kBetweenGlances = 32;
/// Records after a repetition that show if it is part of a larger one.
constexpr std::size_t kAfterRepetition = 64;
/// Shorter iterations are combined to this length.
constexpr std::size_t kShortestIteration = 32;
/// Minimum number of records between two recorded rests of an iteration.
constexpr std::size_t kBetweenRests = 32;

/// Records up to the first Leave after at least `before` records; all if there is none.
std::size_t size_to_leave(std::span<const RecordBatch::Head> heads, std::size_t before) {
    const auto closes = [](const RecordBatch::Head& head) {
        return record_traits(head.type).role == RecordRole::closes;
    };
    if (heads.size() <= before) return heads.size();
    const auto from = heads.begin() + static_cast<std::ptrdiff_t>(before);
    const auto leave = std::find_if(from, heads.end(), closes);
    return static_cast<std::size_t>(leave - heads.begin()) + (leave == heads.end() ? 0 : 1);
}

}  // namespace

EventFolder::EventFolder(const DefinitionIndex& definitions, const MappingTables& tables,
                         const LocationDefinition& location, TimeFolder& times, Kept& kept)
    : times_(times),
      scout_(definitions, tables),
      held_back_(kept.held_back),
      encoder_(definitions, tables, location, times_.wants_deltas(), &scout_),
      calls_(kept.calls),
      history_(kept.history),
      periods_(kept.periods),
      interval_(kMinInterval),
      countdown_(RecordHistory::kEvidence + kMinInterval),
      loop_(kept.loop),
      spare_(kept.spare),
      iteration_(kept.iteration) {
    times_.begin();
    // A location that failed midway may have left records.
    held_back_.clear();
    calls_.clear();
    iteration_.clear();
    history_.clear();
    for (RecordLoop* const loop : {&loop_, &spare_}) loop->begin(times_.wants_deltas());
}

void EventFolder::add(const RecordBatch& batch) {
    Heads heads = batch.heads();
    while (!heads.empty()) heads = heads.subspan(hold_back(batch, heads));
    consume(calls_);
}

/// Takes records up to a test whose region must be judged first; buffers the following records
/// until it is. Returns how many it took or buffered.
std::size_t EventFolder::hold_back(const RecordBatch& batch, Heads heads) {
    if (held_back_.empty()) {
        // A repeated iteration has no regions but those of the first.
        const std::size_t matched = phase_ == Phase::repeating ? match(batch, heads) : 0;
        if (matched != 0) return matched;
        const std::size_t before = scout_.records_before_test(batch, heads);
        take(batch, heads.first(before));
        if (before != 0) return before;
    }
    const std::size_t watched = scout_.watch(batch, heads);
    held_back_.append(batch, heads.first(watched));
    if (scout_.has_seen_enough()) release();
    return watched;
}

void EventFolder::release() {
    // A polling program reacts to each completed request and may restart it.
    if (scout_.judge()) encoder_.expect_restarts();
    take(held_back_, held_back_.heads());
    held_back_.clear();
}

void EventFolder::take(const RecordBatch& batch, Heads heads) {
    while (!heads.empty()) heads = heads.subspan(step(batch, heads));
}

void EventFolder::finish() {
    if (!held_back_.empty()) release();
    while (phase_ == Phase::repeating) end_repetition();
    if (phase_ == Phase::capturing) consume(iteration_);
    encoder_.finish(calls_);
    consume(calls_);
    times_.finish();
}

/// Returns how many records it took; 0 if only the phase changed.
std::size_t EventFolder::step(const RecordBatch& batch, Heads heads) {
    switch (phase_) {
        case Phase::searching:
            return search(batch, heads);
        case Phase::waiting:
            return wait(batch, heads);
        case Phase::capturing:
            return capture(batch, heads);
        case Phase::repeating:
            break;
    }
    return match(batch, heads);
}

std::size_t EventFolder::search(const RecordBatch& batch, Heads heads) {
    const std::size_t glance = blind_ == 0 ? kBetweenGlances : blind_;
    const std::size_t count = std::min({heads.size(), countdown_, glance});
    encode(batch, heads.first(count));
    countdown_ -= count;
    const auto fits = [this](std::size_t known) {
        return blind_ == 0 && history_.repeats_after(known);
    };
    std::size_t period = periods_.largest(fits);
    if (period == 0 && countdown_ == 0) period = new_period();
    if (period != 0) {
        wait_for_rest(period);
    } else if (countdown_ == 0) {
        search_later();
    }
    return count;
}

/// Rejects a period longer than all records encoded so far: loops inside it are counted without
/// encoding, so it would cost more than it saves.
std::size_t EventFolder::new_period() const {
    const std::size_t period = history_.period();
    return period <= uncounted_ ? period : 0;
}

void EventFolder::wait_for_rest(std::size_t period) {
    period_ = patience_ = std::max<std::size_t>(1, kShortestIteration / period) * period;
    phase_ = Phase::waiting;
}

/// At rest, the encoder's state is only the last ids: equal records then give equal calls.
std::size_t EventFolder::wait(const RecordBatch& batch, Heads heads) {
    if (encoder_.at_rest()) {
        consume(calls_);
        loop_.clear();
        rests_.clear();
        mark_ = encoder_.mark();
        phase_ = Phase::capturing;
        return 0;
    }
    if (patience_ == 0) {
        search_later();
        return 0;
    }
    const std::size_t count = std::min(size_to_leave(heads, 0), patience_);
    encode(batch, heads.first(count));
    patience_ -= count;
    return count;
}

std::size_t EventFolder::capture(const RecordBatch& batch, Heads heads) {
    const std::size_t count = std::min(heads.size(), period_ - loop_.size());
    note(batch, heads.first(count));
    for (std::size_t done = 0; done < count;) {
        Heads part = heads.first(count).subspan(done);
        part = part.first(size_to_leave(part, kBetweenRests));
        encoder_.encode(batch, part, iteration_);
        loop_.capture(batch, part);
        if (encoder_.at_rest()) note_rest();
        done += part.size();
    }
    if (loop_.size() == period_) end_capture();
    return count;
}

void EventFolder::note_rest() {
    const CountedIds ids = encoder_.mark().ids;
    rests_.push_back(
        {loop_.size(), iteration_.symbols.size(), iteration_.values.size(), ids - mark_.ids});
}

void EventFolder::end_capture() {
    const CallEncoder::Mark now = encoder_.mark();
    const CountedIds step = now.ids - mark_.ids;
    // If the last ended request does not advance with the other ids, the next iteration may restart
    // other requests.
    const bool may_change =
        step[IdCounter::ended] != step[IdCounter::request] || now.raw_records != mark_.raw_records;
    if (!encoder_.at_rest() || may_change) {
        consume(iteration_);
        search_later();
        return;
    }
    folder_.consume(iteration_);
    times_.add(iteration_.deltas, encoder_.symbols());
    times_.begin_loop(iteration_.deltas);
    loop_.close(step);
    mark_ = now;
    phase_ = Phase::repeating;
}

std::size_t EventFolder::match(const RecordBatch& batch, Heads heads) {
    const std::size_t count = loop_.match(batch, heads);
    if (loop_.complete()) {
        end_iteration();
    } else if (count != heads.size()) {
        end_repetition();
    }
    return count;
}

/// Only the times of the records are still needed.
void EventFolder::end_iteration() {
    if (times_.wants_deltas()) {
        times_.add_iteration(loop_.matched(), mark_.time);
        mark_.time = loop_.matched().back().time;
    }
    loop_.next();
}

/// Records after the last rest of an incomplete iteration are processed again normally.
void EventFolder::end_repetition() {
    const u64 times = loop_.iterations();
    times_.end_loop();
    folder_.repeat(iteration_, times);
    history_.repeat(period_, times);
    mark_.ids += loop_.progress();
    const std::size_t taken = take_begun_iteration();
    iteration_.clear();
    encoder_.resume(mark_);
    if (times > 1) {
        periods_.worked(period_);
        search_soon();
    } else {
        periods_.failed(period_);
        search_later();
    }
    // Known periods have no evidence yet: the matched records precede a mismatch.
    RecordLoop ended = std::exchange(loop_, std::move(spare_));
    blind_ = ended.matched().size() - taken + RecordHistory::kGlance;
    take(ended.records(), ended.matched().subspan(taken));
    spare_ = std::move(ended);
}

/// Adds the calls of the incomplete iteration up to its last rest. Returns the number of records.
std::size_t EventFolder::take_begun_iteration() {
    const Heads matched = loop_.matched();
    while (!rests_.empty() && rests_.back().records > matched.size()) rests_.pop_back();
    if (rests_.empty()) return 0;
    const Rest& rest = rests_.back();
    calls_.symbols.append({iteration_.symbols.data(), rest.symbols});
    calls_.values.append({iteration_.values.data(), rest.values});
    if (times_.wants_deltas()) {
        for (std::size_t i = 0; i < rest.records; ++i) {
            calls_.deltas.push_back({iteration_.deltas[i].group, matched[i].time - mark_.time});
            mark_.time = matched[i].time;
        }
    }
    consume(calls_);
    history_.add(loop_.records(), matched.first(rest.records));
    mark_.ids += rest.ids;
    return rest.records;
}

void EventFolder::search_soon() {
    phase_ = Phase::searching;
    interval_ = std::max(kMinInterval, history_.size() / 8);
    countdown_ = kAfterRepetition;
}

void EventFolder::search_later() {
    phase_ = Phase::searching;
    interval_ = std::min(std::max(interval_ + interval_ / 2, history_.size() / 8), kMaxInterval);
    countdown_ = interval_;
}

void EventFolder::encode(const RecordBatch& batch, Heads heads) {
    encoder_.encode(batch, heads, calls_);
    note(batch, heads);
}

void EventFolder::note(const RecordBatch& batch, Heads heads) {
    history_.add(batch, heads);
    blind_ -= std::min(blind_, heads.size());
    uncounted_ += heads.size();
}

void EventFolder::consume(CallBatch& calls) {
    folder_.consume(calls);
    times_.add(calls.deltas, encoder_.symbols());
    calls.clear();
}

}  // namespace tracefold
