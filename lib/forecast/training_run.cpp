// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/training_run.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "forecast/scaling/call_sequence.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

/// Limit of the unfolded events of a run; each takes about 50 bytes until the run is modelled.
constexpr u64 kMostEvents = u64{1} << 24U;

class SequencePool {
  public:
    std::shared_ptr<CallSequence> keep(CallSequence sequence, u64 records) {
        auto& known = known_[address(sequence)];
        if (!known) {
            records_ += records;
            return known = std::make_shared<CallSequence>(std::move(sequence));
        }
        for (std::size_t i = 0; i < sequence.ticks.size(); ++i) {
            known->ticks[i] += sequence.ticks[i];
        }
        ++known->locations;
        return known;
    }

    /// Counts times from a tick on: subtracts it from the first one of each location.
    void begin_at(u64 start) {
        for (const auto& [address, sequence] : known_) {
            if (!sequence->ticks.empty()) sequence->ticks.front() -= start * sequence->locations;
        }
    }

    /// Records of all distinct sequences.
    [[nodiscard]] u64 records() const { return records_; }

  private:
    static ContentHash address(const CallSequence& sequence) {
        std::vector<u64> numbers = {sequence.calls.size(), sequence.values.size()};
        numbers.insert(numbers.end(), sequence.calls.begin(), sequence.calls.end());
        numbers.insert(numbers.end(), sequence.values.begin(), sequence.values.end());
        for (const std::vector<PeerView>& views : sequence.views) {
            numbers.push_back(views.size());
            for (const PeerView& view : views) {
                numbers.push_back(view.usable ? u64{view.rank} << 32U | view.size : ~u64{0});
            }
        }
        return content_hash(numbers);
    }

    std::unordered_map<ContentHash, std::shared_ptr<CallSequence>, ContentHashHasher> known_;
    u64 records_ = 0;
};

/// Folds shared sequences, each once.
class Folding {
  public:
    Folding(const CallTypes& kinds, FoldingView view) : kinds_(kinds), view_(view) {}

    std::shared_ptr<const FoldedSequence> fold(
        const std::shared_ptr<const CallSequence>& sequence) {
        auto& known = known_[sequence.get()];
        if (!known) {
            known = std::make_shared<const FoldedSequence>(fold_sequence(sequence, kinds_, view_));
        }
        return known;
    }

  private:
    const CallTypes& kinds_;
    FoldingView view_;
    std::unordered_map<const CallSequence*, std::shared_ptr<const FoldedSequence>> known_;
};

void expect_threads_only(const TraceFile& file, const std::string& name, std::size_t found) {
    if (found == 0) {
        throw Error(ErrorKind::unsupported, "{}: there are no MPI processes to extrapolate", name);
    }
    const std::size_t others = file.location_count() - found;
    if (others == 0) return;
    throw Error(ErrorKind::unsupported,
                "{}: {} of {} locations are not threads of MPI processes (accelerators, metrics); "
                "such traces cannot be extrapolated yet",
                name, others, file.location_count());
}

/// Checks the limit before a location with `events` events is read.
void expect_room(const std::string& name, u64 known, u64 events) {
    if (events <= kMostEvents - std::min(known, kMostEvents)) return;
    throw Error(
        ErrorKind::unsupported,
        "{}: its ranks have more than {} different events to compare; use runs of fewer steps",
        name, kMostEvents);
}

std::string program_of(const TrainingRun& run, const CallTypes& kinds) {
    if (run.locations.empty() || run.locations.front().empty()) return {};
    const CallSequence& events = *run.locations.front().front().events;
    for (std::size_t i = 0; i < events.calls.size(); ++i) {
        const CallType& kind = kinds[events.calls[i]];
        if (kind.name == "ProgramBegin" && kind.arguments.front().kind == FieldKind::string) {
            const u32 location = run.file->definitions().locations_of_rank(0).front();
            const u64 code = events.values[events.first[i]];
            return run.file->definitions().string(
                run.file->mapping_tables(location).global_of_code(FieldKind::string, code));
        }
    }
    return {};
}

}  // namespace

TrainingRun read_run(TraceFile& file, const std::string& name, CallTypes& kinds) {
    TrainingRun run;
    run.name = name;
    run.file = &file;
    run.ranks = file.definitions().world_size();
    run.has_times = file.summary().timing != TimingLevel::none;
    run.seconds_per_tick = file.definitions().tick_rate().seconds_per_tick();
    SequencePool events;
    SequencePool definitions;
    run.global_definitions = definitions.keep(read_global_definitions(file, kinds), 0);
    auto communicators =
        std::make_shared<RankCommunicators>(*run.global_definitions, kinds, run.ranks);
    auto times = std::make_shared<std::vector<std::vector<TransitionTimes>>>(run.ranks);
    u64 start = ~u64{0};
    std::size_t found = 0;
    for (u32 rank = 0; rank < run.ranks; ++rank) {
        auto& threads = run.locations.emplace_back();
        const std::span<const u32> locations = file.definitions().locations_of_rank(rank);
        if (!locations.empty()) {
            communicators->set_local_ids(rank, file.mapping_tables(locations.front()));
        }
        for (const u32 location : locations) {
            const u64 records = file.index().events(location);
            expect_room(name, events.records(), records);
            CallSequence sequence = read_events(file, location, kinds);
            if (!sequence.ticks.empty()) start = std::min(start, sequence.ticks.front());
            (*times)[rank].push_back(transition_times(sequence, kinds, run.seconds_per_tick));
            threads.push_back({events.keep(std::move(sequence), records),
                               definitions.keep(read_local_definitions(file, location, kinds), 0)});
        }
        found += threads.size();
    }
    expect_threads_only(file, name, found);
    events.begin_at(start);
    run.times = std::move(times);
    run.communicators = std::move(communicators);
    run.program = program_of(run, kinds);
    return run;
}

FoldedRun fold_run(const TrainingRun& run, const CallTypes& kinds, FoldingView view) {
    Folding folding(kinds, view);
    FoldedRun folded;
    folded.ranks = run.ranks;
    folded.has_times = run.has_times;
    folded.seconds_per_tick = run.seconds_per_tick;
    folded.communicators = run.communicators;
    folded.times = run.times;
    folded.global_definitions = folding.fold(run.global_definitions);
    for (const auto& threads : run.locations) {
        auto& of_rank = folded.locations.emplace_back();
        for (const auto& location : threads) {
            of_rank.push_back({folding.fold(location.events), folding.fold(location.definitions)});
        }
    }
    return folded;
}

std::string sizes_text(const std::vector<TrainingRun>& runs) {
    std::string text;
    for (const TrainingRun& run : runs) {
        text += (text.empty() ? "" : ", ") + std::to_string(run.ranks);
    }
    return text;
}

}  // namespace tracefold
