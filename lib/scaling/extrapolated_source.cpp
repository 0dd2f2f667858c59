// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/extrapolated_source.hpp"

#include "archives/derived_source.hpp"
#include "core/error.hpp"
#include "format/anchor_file.hpp"
#include "model/definition_table.hpp"
#include "mpi_calls/call_decoder.hpp"
#include "scaling/event_clock.hpp"
#include "scaling/sequence_reader.hpp"

#include <algorithm>
#include <span>

namespace tracefold::inline scaling {

namespace {

/// The symbols of all kinds of events, with peers that are relative in all of them.
Structure symbols_of(const CallTypes& kinds) {
    Structure structure;
    for (const CallType& kind : kinds.all()) {
        structure.symbols.push_back(kind.symbol);
        structure.slots.emplace_back(kind.arguments.size());
    }
    return structure;
}

std::span<const u64> values_of(const CallSequence& sequence, std::size_t call) {
    const std::size_t end =
        call + 1 < sequence.first.size() ? sequence.first[call + 1] : sequence.values.size();
    return std::span(sequence.values).subspan(sequence.first[call], end - sequence.first[call]);
}

RecordBatch definitions_of(const CallSequence& sequence, const CallTypes& kinds) {
    RecordBatch batch;
    for (std::size_t i = 0; i < sequence.calls.size(); ++i) {
        append_definition(kinds[sequence.calls[i]], values_of(sequence, i), batch);
    }
    return batch;
}

}  // namespace

ExtrapolatedSource::ExtrapolatedSource(const ProgramModel& model, const CallTypes& kinds,
                                       const TrainingRun& largest, const std::string& text)
    : model_(model),
      kinds_(kinds),
      largest_(largest),
      text_(text),
      info_(largest.file->archive()),
      symbols_(symbols_of(kinds)) {
    make_global_definitions();
    find_seats();
    const bool has_expected_anchor = info_.anchor_bytes == expected_anchor(info_);
    info_.location_count = definitions_.locations().size();
    info_.global_definition_count = global_definitions_.size();
    info_ = info_of_derived(std::move(info_), kExtrapolatedProperty, text, has_expected_anchor);
}

std::unique_ptr<TraceSource> ExtrapolatedSource::clone_reader() const {
    auto other = std::make_unique<ExtrapolatedSource>(model_, kinds_, largest_, text_);
    other->outcome_ = outcome_;
    return other;
}

void ExtrapolatedSource::make_global_definitions() {
    ScriptGenerator generator(model_.global_definitions.front(), kinds_);
    global_definitions_ = definitions_of(generator.generate(model_.grid, 0), kinds_);
    definitions_.add(global_definitions_);
    definitions_.finish();
    outcome_ = std::make_shared<Outcome>();
    outcome_->events.resize(definitions_.locations().size());
    outcome_->last.resize(definitions_.locations().size());
    const auto ranks = static_cast<u32>(model_.grid.participants());
    if (definitions_.world_size() != ranks) {
        throw Error(ErrorKind::unsupported,
                    "the definitions would name {} ranks instead of {}; they cannot be told from "
                    "these runs",
                    definitions_.world_size(), ranks);
    }
}

void ExtrapolatedSource::find_seats() {
    for (u32 rank = 0; rank < definitions_.world_size(); ++rank) {
        const std::vector<u32>& locations = definitions_.locations_of_rank(rank);
        for (u32 thread = 0; thread < locations.size(); ++thread) {
            const u64 id = definitions_.locations()[locations[thread]].id;
            seats_.emplace(id, Seat{locations[thread], rank, thread});
        }
    }
}

const ProgramModel::Thread& ExtrapolatedSource::thread_of(const Seat& seat) const {
    return model_.of_class.at(class_at(seat.rank)).at(seat.thread);
}

ExtrapolatedSource::Generators& ExtrapolatedSource::generators_of(const Seat& seat) {
    const std::pair<u64, u32> key = {class_at(seat.rank), seat.thread};
    const auto known = generators_.find(key);
    if (known != generators_.end()) return known->second;
    const ProgramModel::Thread& thread = thread_of(seat);
    Generators made{ScriptGenerator(thread.events, kinds_),
                    ScriptGenerator(thread.definitions, kinds_)};
    return generators_.emplace(key, std::move(made)).first->second;
}

void ExtrapolatedSource::read_global_definitions(const BatchSink& sink) { sink(adjusted()); }

/// What the definitions say of the events, as far as they were read.
RecordBatch ExtrapolatedSource::adjusted() const {
    RecordBatch result;
    std::size_t location = 0;
    for (const RecordBatch::Head& head : global_definitions_.heads()) {
        result.append(global_definitions_, head);
        if (head.type == static_cast<u8>(DefinitionType::Location)) {
            result.set_last(3, outcome_->events[location++]);
        }
        if (head.type == static_cast<u8>(DefinitionType::ClockProperties)) {
            const u64 start = definitions_.clock_offset();
            result.set_last(2, std::max(*std::ranges::max_element(outcome_->last), start) - start);
        }
    }
    return result;
}

bool ExtrapolatedSource::has_local_definitions(u64 location) const {
    return !thread_of(seat(location)).definitions.tree.places.empty();
}

bool ExtrapolatedSource::has_events(u64 location) const {
    return !thread_of(seat(location)).events.tree.places.empty();
}

RecordBatch ExtrapolatedSource::local_definitions(const Seat& seat) {
    return definitions_of(generators_of(seat).definitions.generate(model_.grid, seat.rank), kinds_);
}

void ExtrapolatedSource::read_local_definitions(u64 location, const BatchSink& sink) {
    sink(local_definitions(seat(location)));
}

u64 ExtrapolatedSource::read_events(u64 location, const BatchSink& sink) {
    const Seat& at = seat(location);
    MappingTables tables;
    tables.add(local_definitions(at));
    CallDecoder decoder(definitions_, tables, definitions_.locations()[at.location], symbols_);
    const CallSequence& calls = generators_of(at).events.generate(model_.grid, at.rank);
    EventClock clock(thread_of(at).events.times, static_cast<u32>(model_.grid.participants()),
                     static_cast<double>(definitions_.timer_resolution()),
                     definitions_.clock_offset());
    const std::vector<u32>& places = generators_of(at).events.places();
    RecordBatch batch;
    std::vector<u32> groups;
    u64 events = 0;
    const auto pass = [&] {
        events += batch.size();
        sink(batch);
        batch.clear();
    };
    for (std::size_t i = 0; i < calls.calls.size(); ++i) {
        const std::size_t first = batch.size();
        groups.clear();
        decoder.decode(calls.calls[i], values_of(calls, i), batch, &groups);
        for (u32& group : groups) group -= decoder.first_group(calls.calls[i]);
        clock.stamp(batch, first, groups, places[i]);
        if (is_full(batch)) pass();
    }
    if (!batch.empty()) pass();
    outcome_->events[at.location] = events;
    outcome_->last[at.location] = clock.now();
    return events;
}

}  // namespace tracefold::inline scaling
