// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/record/recording.hpp"

#include "archives/compress.hpp"
#include "archives/restore.hpp"
#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/temporary.hpp"
#include "replay/detail/rank_replay.hpp"
#include "replay/record/time_map.hpp"

#include <algorithm>
#include <filesystem>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

/// The answer of a process about one of its locations.
struct LocationTimes {
    u32 program = 0;      ///< the location of the calls
    u64 start_ticks = 0;  ///< start of the rank's program
    std::string times;    ///< MeasuredCallTimes

    static void each_field(auto& self, auto& visit) {
        visit(self.program, self.start_ticks, self.times);
    }
};

/// A location without calls follows the one of MPI_Init.
const LocationReplay& replay_of(const RankReplay& rank, u32 location) {
    const auto found =
        std::find_if(rank.locations().begin(), rank.locations().end(),
                     [location](const LocationReplay& one) { return one.location() == location; });
    return found == rank.locations().end() ? rank.locations().front() : *found;
}

LocationTimes times_of(const RankReplay& rank, u32 location) {
    const LocationReplay& replay = replay_of(rank, location);
    return {replay.location(), rank.locations().front().start_ticks(), replay.times().encoded()};
}

/// Events with replaced times.
class RetimedEvents : public RecordSource {
  public:
    RetimedEvents(std::unique_ptr<RecordSource> events, TimeMap map)
        : events_(std::move(events)), map_(std::move(map)) {}

    bool next(RecordBatch& batch) override {
        const bool more = events_->next(batch);
        for (std::size_t i = 0; i < batch.size(); ++i) batch.set_time(i, map_.at(batch[i].time));
        return more;
    }

  private:
    std::unique_ptr<RecordSource> events_;
    TimeMap map_;
};

/// The part of rank 0.
class Writer {
  public:
    Writer(Communicator& world, TraceFile& file, const RankReplay& rank,
           const std::vector<ReplayPatch>& patches, u64 begin)
        : world_(world), file_(file), rank_(rank), patches_(patches), begin_(begin) {}

    void write(const ReplayOptions& options) {
        const fs::path folder = fs::path(options.record).parent_path();
        const ScratchFolder scratch(folder.empty() ? "." : folder.string(),
                                    ScratchFolder::kOtherOutput);
        const fs::path archive = scratch.path() / "archive";
        restore_retimed(file_, archive.string(), {"measured in a replay", [this](u32 location) {
                                                      return events(location);
                                                  }});
        CompressOptions compression;
        compression.archive = archive.string();
        compression.output = options.record;
        compression.producer = options.producer;
        compression.force = options.force;
        SerialCommunicator alone;
        compress(alone, compression);
    }

  private:
    std::unique_ptr<RecordSource> events(u32 location) {
        const LocationTimes of_location = ask(location);
        MpiCallReader program(file_, of_location.program, Times::read);
        const auto inferred = std::find_if(
            patches_.begin(), patches_.end(),
            [&](const ReplayPatch& one) { return one.location == of_location.program; });
        program.infer(inferred == patches_.end() ? nullptr : &*inferred);
        const double pace = file_.definitions().tick_rate().nanoseconds_per_tick();
        return std::make_unique<RetimedEvents>(
            file_.events(location),
            TimeMap(std::move(program), MeasuredCallTimes::decoded(of_location.times),
                    {begin_, of_location.start_ticks, pace}));
    }

    /// Locations without a rank follow the first rank.
    LocationTimes ask(u32 location) {
        const LocationDefinition& definition = file_.definitions().locations()[location];
        const u32 owner = file_.definitions().world_rank(definition).value_or(0);
        if (owner == 0) return times_of(rank_, location);
        world_.send(static_cast<int>(owner), to_bytes(location));
        return from_bytes<LocationTimes>(world_.receive(static_cast<int>(owner)),
                                         "the times of another process");
    }

    Communicator& world_;
    TraceFile& file_;
    const RankReplay& rank_;
    const std::vector<ReplayPatch>& patches_;
    u64 begin_;
};

/// The part of all other ranks: an empty request ends it.
void answer(Communicator& world, const RankReplay& rank) {
    for (std::string question = world.receive(0); !question.empty(); question = world.receive(0)) {
        const u32 location = from_bytes<u32>(question, "a question of rank 0");
        world.send(0, to_bytes(times_of(rank, location)));
    }
}

/// Longest time in nanoseconds before the start on any rank: no rank's begin is cut.
u64 longest_lead(Communicator& world, const TraceFile& file, const RankReplay& rank) {
    const DefinitionIndex& definitions = file.definitions();
    const u64 start = rank.locations().front().start_ticks();
    const u64 ticks = start > definitions.clock_offset() ? start - definitions.clock_offset() : 0;
    const double pace = definitions.tick_rate().nanoseconds_per_tick();
    const std::vector<u64> all =
        world.all_gather(static_cast<u64>(static_cast<double>(ticks) * pace));
    return *std::max_element(all.begin(), all.end());
}

}  // namespace

void write_recording(Communicator& world, TraceFile& file, const RankReplay& rank,
                     const std::vector<ReplayPatch>& patches, const ReplayOptions& options) {
    const u64 begin = longest_lead(world, file, rank);
    if (world.rank() != 0) {
        answer(world, rank);
        return;
    }
    Writer(world, file, rank, patches, begin).write(options);
    for (int other = 1; other < world.size(); ++other) world.send(other, "");
}

}  // namespace tracefold
