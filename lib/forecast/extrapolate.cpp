// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/extrapolate.hpp"

#include "archives/compress.hpp"
#include "archives/derived_source.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "file/record_source.hpp"
#include "fold/call_decoder.hpp"
#include "forecast/scaling/call_sequence.hpp"
#include "forecast/scaling/script_generator.hpp"
#include "model/archive_info.hpp"
#include "model/definition_table.hpp"
#include "mpi/check.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Archive property that marks an extrapolated run; its value describes the origin.
constexpr std::string_view kExtrapolatedProperty = "TRACEFOLD::EXTRAPOLATED";

/// Symbols of all kinds of events, with relative peers throughout.
Structure symbols_of(const CallTypes& kinds) {
    Structure structure;
    for (const CallType& kind : kinds.all()) {
        structure.symbols.push_back(kind.symbol);
        structure.slots.emplace_back(kind.arguments.size());
    }
    return structure;
}

RecordBatch definitions_of(const CallSequence& sequence, const CallTypes& kinds) {
    RecordBatch batch;
    for (std::size_t i = 0; i < sequence.calls.size(); ++i) {
        append_definition(kinds[sequence.calls[i]], values_of(sequence, i), batch);
    }
    return batch;
}

/// Assigns times to the records of one location, call by call.
class EventClock {
  public:
    /// Starts at a tick. `thread`: of the rank; must outlive the clock. Without times: one tick per
    /// record.
    EventClock(const ProgramModel::Thread& thread, const RankGrid& grid, u32 rank, TickRate rate,
               u64 start)
        : thread_(thread), grid_(grid), rank_(rank), ticks_(static_cast<double>(start)) {
        const auto ranks = static_cast<double>(grid.participants());
        const auto ticks = [&](const Growth& growth) {
            return rate.ticks(std::max(evaluate(growth, ranks), 0.0));
        };
        for (const PlaceTimes& place : thread.events.times) {
            means_.push_back({ticks(place.before), ticks(place.within)});
        }
    }

    /// Stamps a call at a place: the records from `first` to the end of the batch. `elements`:
    /// element of its symbol, by record.
    void stamp(RecordBatch& batch, std::size_t first, std::span<const u32> elements, u32 place) {
        if (means_.empty()) {
            for (std::size_t i = first; i < batch.size(); ++i) batch.set_time(i, now()), ++ticks_;
            return;
        }
        const Mean mean = of_rank(place);
        const std::vector<double>& shares = thread_.events.times[place].shares;
        ticks_ += mean.before;
        for (std::size_t i = 0; i < elements.size(); ++i) {
            // The time of an element with several records passes before its first record.
            const bool begins = i == 0 || elements[i] != elements[i - 1];
            if (begins) ticks_ += mean.within * shares[elements[i]];
            batch.set_time(first + i, now());
        }
    }

    /// Time of the last record.
    [[nodiscard]] u64 now() const { return static_cast<u64>(ticks_); }

  private:
    struct Mean {
        double before = 0;  ///< ticks
        double within = 0;
    };

    /// The mean of a place on this rank, after the last call.
    Mean of_rank(u32 place) {
        const u32 kind = thread_.events.tree.places[place].call;
        const std::pair<u32, u32> transition{last_, kind};
        last_ = kind;
        auto [factors, is_new] = factors_.try_emplace(transition, Mean{1, 1});
        if (is_new) {
            const auto found = thread_.imbalances.find(transition);
            if (found != thread_.imbalances.end()) {
                factors->second = {evaluate(found->second.before, grid_, rank_),
                                   evaluate(found->second.within, grid_, rank_)};
            }
        }
        return {means_[place].before * factors->second.before,
                means_[place].within * factors->second.within};
    }

    const ProgramModel::Thread& thread_;
    const RankGrid& grid_;
    u32 rank_;
    std::vector<Mean> means_;                      ///< by place, over the ranks of the class
    std::map<std::pair<u32, u32>, Mean> factors_;  ///< of the rank, by kinds of calls
    u32 last_ = kNone;                             ///< kind of the last call
    double ticks_;
};

/// An extrapolated run as a trace source, rank by rank. Throws Error(unsupported) where formulas
/// yield impossible values.
class ExtrapolatedSource : public TraceSource {
  public:
    /// `text`: description of the origin for the archive. The arguments must outlive the source.
    ExtrapolatedSource(const ProgramModel& model, const CallTypes& kinds,
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

    [[nodiscard]] std::unique_ptr<TraceSource> clone_reader() const override {
        auto other = std::make_unique<ExtrapolatedSource>(model_, kinds_, largest_, text_);
        other->outcome_ = outcome_;
        return other;
    }
    [[nodiscard]] const ArchiveInfo& info() const override { return info_; }
    [[nodiscard]] u64 archive_bytes() const override { return 0; }
    [[nodiscard]] u64 unknown_records() const override { return 0; }
    void read_files(const std::vector<u64>&, bool, const std::string&,
                    const std::function<void(const CarriedFile&)>&) override {}

    /// Includes properties of the events read so far.
    void read_global_definitions(const BatchSink& sink) override {
        RecordBatch result;
        std::size_t location = 0;
        for (const RecordBatch::Head& head : global_definitions_.heads()) {
            result.append(global_definitions_, head);
            if (head.type == static_cast<u8>(DefinitionType::Location)) {
                result.set_last(3, outcome_->events[location++]);
            }
            if (head.type == static_cast<u8>(DefinitionType::ClockProperties)) {
                const u64 start = definitions_.clock_offset();
                result.set_last(2,
                                std::max(*std::ranges::max_element(outcome_->last), start) - start);
            }
        }
        sink(result);
    }

    [[nodiscard]] bool has_local_definitions(u64 location) const override {
        return !thread_of(seats_.at(location)).definitions.tree.places.empty();
    }
    [[nodiscard]] bool has_events(u64 location) const override {
        return !thread_of(seats_.at(location)).events.tree.places.empty();
    }
    void read_local_definitions(u64 location, const BatchSink& sink) override {
        sink(local_definitions(seats_.at(location)));
    }

    u64 read_events(u64 location, const BatchSink& sink) override {
        const Seat& at = seats_.at(location);
        MappingTables tables;
        tables.add(local_definitions(at));
        CallDecoder decoder(definitions_, tables, definitions_.locations()[at.location], symbols_);
        ScriptGenerator& generator = generators_of(at).events;
        const CallSequence& calls =
            generator.generate(model_.grid, at.rank, &*model_.communicators);
        EventClock clock(thread_of(at), model_.grid, at.rank, definitions_.tick_rate(),
                         definitions_.clock_offset());
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
            clock.stamp(batch, first, groups, generator.places()[i]);
            if (is_full(batch)) pass();
        }
        if (!batch.empty()) pass();
        outcome_->events[at.location] = events;
        outcome_->last[at.location] = clock.now();
        return events;
    }

  private:
    /// Known after reading the events; shared by all readers of the trace.
    struct Outcome {
        std::vector<u64> events;  ///< by location
        std::vector<u64> last;    ///< by location: time of the last event
    };

    struct Seat {
        u32 location = 0;  ///< index into the definitions
        u32 rank = 0;
        u32 thread = 0;
    };
    struct Generators {
        ScriptGenerator events;
        ScriptGenerator definitions;
    };

    void make_global_definitions() {
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
                        "the definitions would name {} ranks instead of {}; they cannot be derived "
                        "from these runs",
                        definitions_.world_size(), ranks);
        }
    }

    void find_seats() {
        for (u32 rank = 0; rank < definitions_.world_size(); ++rank) {
            const std::span<const u32> locations = definitions_.locations_of_rank(rank);
            for (u32 thread = 0; thread < locations.size(); ++thread) {
                const u64 id = definitions_.locations()[locations[thread]].id;
                seats_.emplace(id, Seat{locations[thread], rank, thread});
            }
        }
    }

    [[nodiscard]] u64 class_at(u32 rank) const {
        return class_of(model_.classes, model_.grid, rank, &*model_.communicators);
    }
    [[nodiscard]] const ProgramModel::Thread& thread_of(const Seat& seat) const {
        return model_.of_class.at(class_at(seat.rank)).at(seat.thread);
    }
    Generators& generators_of(const Seat& seat) {
        const ProgramModel::Thread& thread = thread_of(seat);
        Generators made{{thread.events, kinds_}, {thread.definitions, kinds_}};
        return generators_.try_emplace({class_at(seat.rank), seat.thread}, std::move(made))
            .first->second;
    }
    [[nodiscard]] RecordBatch local_definitions(const Seat& seat) {
        ScriptGenerator& generator = generators_of(seat).definitions;
        return definitions_of(generator.generate(model_.grid, seat.rank, &*model_.communicators),
                              kinds_);
    }

    const ProgramModel& model_;
    const CallTypes& kinds_;
    const TrainingRun& largest_;
    std::string text_;
    ArchiveInfo info_;
    Structure symbols_;  ///< of all kinds of calls; only for decoding
    std::shared_ptr<Outcome> outcome_;
    RecordBatch global_definitions_;
    DefinitionIndex definitions_;
    std::unordered_map<u64, Seat> seats_;                   ///< by location id
    std::map<std::pair<u64, u32>, Generators> generators_;  ///< by class, thread
};

/// Throws Error(unsupported) unless the run can be replayed, and passes the check like the largest
/// run: what it finds there, as pending sends, may be the program's own. Volumes of collective
/// calls that are approximate need not fit.
void require_sound(TraceFile& made, const TrainingRun& largest, bool approximate) {
    std::optional<CheckResult> known;
    for (const Finding& finding : check_replay(made, 0).findings) {
        const FindingInfo& info = finding_info(finding.kind);
        if (!info.hinders) {
            if (approximate && finding.kind == FindingKind::unequal_volume) continue;
            if (!known) known = check_replay(*largest.file, 0);
            if (known->find(finding.kind) != nullptr) continue;
        }
        throw Error(ErrorKind::unsupported, "the check of the result finds {} {} ({})",
                    finding.count, info.what,
                    finding.examples.empty() ? "no example" : finding.examples.front());
    }
}

}  // namespace

std::string assumption(const ProgramModel& model, const std::vector<TrainingRun>& runs) {
    const u32 largest = runs.back().ranks;
    return model.grid.participants() > largest
               ? fmt::format("the program does nothing new beyond {} ranks", largest)
               : fmt::format("the program does nothing else on {} ranks",
                             model.grid.participants());
}

std::string regime_text(u32 above) {
    return above == 0 ? "" : fmt::format(" (a regime of P > {}, as given)", above);
}

u64 fold_extrapolated(const ProgramModel& model, const CallTypes& kinds,
                      const std::vector<TrainingRun>& runs, const ExtrapolationOutput& output) {
    const std::size_t approximate = model.approximations().size();
    const std::string about =
        approximate == 0 ? "" : fmt::format("; {} numbers are approximate", approximate);
    ExtrapolatedSource source(
        model, kinds, runs.back(),
        fmt::format("{} ranks, from runs of {}{}; process grid {}; exact if {}{}",
                    model.grid.participants(), sizes_text(runs), regime_text(output.regime_above),
                    to_text(model.rule), assumption(model, runs), about));
    CompressOptions options;
    options.output = output.path;
    options.producer = output.producer;
    options.timing = model.has_times ? TimingLevel::histogram : TimingLevel::none;
    options.verify = false;
    options.level = output.level;
    options.force = output.force;
    options.approve = [&](TraceFile& made) { require_sound(made, runs.back(), approximate != 0); };
    SerialCommunicator process;
    return compress(process, options, source).file_bytes;
}

}  // namespace tracefold
