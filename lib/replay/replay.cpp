// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/replay.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "file/record_counts.hpp"
#include "mpi/balance.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "replay/detail/rank_replay.hpp"
#include "replay/record/recording.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/core.h>
#include <mpi.h>

namespace tracefold {

namespace {

void check_times(const TraceFile& file, Deltas deltas) {
    const TimingLevel timing = file.summary().timing;
    if (deltas == Deltas::none || keeps_every_time(timing)) return;
    const std::string path = file.container().path();
    if (timing == TimingLevel::none) {
        throw Error(ErrorKind::usage,
                    path +
                        " does not hold the times of calls, so no computation can be imitated; use "
                        "--deltas none or compress with --timing exact");
    }
    if (deltas == Deltas::exact) {
        throw Error(ErrorKind::usage,
                    path +
                        " holds how long computation took, but not when; use --deltas mean or "
                        "sample, or compress with --timing exact");
    }
}

void check_options(const TraceFile& file, const Communicator& world, const ReplayOptions& options) {
    const u32 ranks = file.definitions().world_size();
    if (static_cast<u32>(world.size()) != ranks) {
        throw Error(ErrorKind::usage, "the trace has " + std::to_string(ranks) +
                                          " MPI ranks, but there are " +
                                          std::to_string(world.size()) + " processes");
    }
    if (!options.record.empty() && options.bytes_scale != 1.0) {
        throw Error(ErrorKind::usage,
                    "--record writes the sizes of the trace and cannot be used with --bytes-scale");
    }
    check_times(file, options.deltas);
}

/// The counts of all ranks, on rank 0.
std::map<std::string, u64> gather_counts(Communicator& world,
                                         const std::map<std::string, u64>& mine) {
    std::map<std::string, u64> total;
    for (const std::string& part : world.gather(to_bytes(mine), 0)) {
        for (const auto& [name, calls] :
             from_bytes<std::map<std::string, u64>>(part, "the calls of another process")) {
            total[name] += calls;
        }
    }
    return total;
}

/// Refuses unsupported calls of all ranks: rank 0 has "MPI_A (3 calls), MPI_B (1 call)".
void refuse_unsupported(Communicator& world, const std::map<std::string, u64>& total) {
    agree(world, [&total] {
        if (total.empty()) return;
        std::string names;
        for (const auto& [name, count] : total) {
            names += (names.empty() ? "" : ", ") + name + " (" + std::to_string(count) +
                     (count == 1 ? " call)" : " calls)");
        }
        throw Error(ErrorKind::unsupported,
                    "the trace does not describe well enough to issue " + names +
                        "; leave them out on all ranks with --unsupported skip");
    });
}

/// True if any recorded operation has no partner. Cost: a walk through the own program.
bool lacks_partners(TraceFile& file, Communicator& world) {
    u64 mine = 0;
    agree(world, [&] { mine = balance_of_rank(file, static_cast<u32>(world.rank())); });
    const std::vector<u64> all = world.all_gather(mine);
    return std::accumulate(all.begin(), all.end(), u64{0}) != 0;
}

/// Inferences that need all ranks: rank 0 walks all programs and broadcasts the result. Cost: none
/// unless threads call MPI, receives lack a record, calls lack a partner, or a part is replayed.
std::vector<ReplayPatch> infer(TraceFile& file, Communicator& world, const WindowRequest& window) {
    if (!needs_patches(file, window) && !lacks_partners(file, world)) return {};
    std::string packed;
    on_first(world, [&] { packed = pack_patches(replay_patches(file, window)); });
    return unpack_patches(world.broadcast(packed, 0));
}

/// Rank 0 decides and broadcasts.
bool is_proven(Communicator& world, const ReplayResult& result) {
    const bool proven =
        world.rank() == 0 && result.proof->differences == 0 && !result.issues_nothing();
    return world.broadcast(proven ? "1" : "0", 0) == "1";
}

/// Whether rank 0 expects another repetition of so many nanoseconds, and a compared one that takes
/// twice as long, to end within 90 % of the time limit.
bool has_time(Communicator& world, u64 longest, const ReplayOptions& options) {
    constexpr double kNanosecond = 1e-9;
    if (options.time_limit <= 0) return true;
    const u64 end = clock_now() - options.started + (options.verify ? 3 : 1) * longest;
    const bool fits = static_cast<double>(end) * kNanosecond < 0.9 * options.time_limit;
    return world.broadcast(fits ? "1" : "0", 0) == "1";
}

ReplayMachine this_machine() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    PMPI_Get_library_version(text.data(), &length);
    std::string library(text.data(), static_cast<std::size_t>(length));
    std::ranges::replace(library, '\t', ' ');
    int version = 0;
    int subversion = 0;
    PMPI_Get_version(&version, &subversion);
    std::timespec now{};
    std::timespec_get(&now, TIME_UTC);
    std::tm utc{};
    std::array<char, sizeof "2026-01-31T23:59:59"> date{};
    std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", gmtime_r(&now.tv_sec, &utc));
    return {library.substr(0, library.find_first_of("\n\r")),
            std::to_string(version) + '.' + std::to_string(subversion),
            fmt::format("{}.{:03}Z", date.data(), now.tv_nsec / 1000000),
            process_clock().counts_cycles() ? "cycle counter" : "CLOCK_MONOTONIC",
            static_cast<double>(clock_resolution()) * 1e-9};
}

void check_recording(Communicator& world, const ReplayOptions& options) {
    if (options.record.empty()) return;
    if (!options.window.is_whole()) {
        throw Error(
            ErrorKind::usage,
            "--record writes all calls of the trace and cannot be used with --from or --to");
    }
    on_first(world, [&] { AtomicFile(options.record, options.force); });
}

}  // namespace

ReplayResult replay_trace(TraceFile& file, Communicator& world, const ReplayOptions& options) {
    check_options(file, world, options);
    check_recording(world, options);
    const std::vector<ReplayPatch> patches = infer(file, world, options.window);
    RankReplay rank(file, static_cast<u32>(world.rank()), patches, options);
    agree(world, [&rank] { rank.prepare(); });
    const bool recording = !options.record.empty();
    // A recording contains all calls of the trace.
    std::map<std::string, u64> left_out = gather_counts(world, rank.left_out());
    if (!options.skip_unsupported || recording) refuse_unsupported(world, left_out);
    agree(world, [&rank] { rank.exchange(); });
    agree(world, [&rank] { rank.allocate(); });
    options.begins();
    // Comparing takes time: of several repetitions, one more is compared after the measured ones.
    const bool proves = options.verify || recording;
    const bool apart = options.repetitions > 1 || recording;
    rank.compare(false);
    for (u32 i = 0; i < options.warm_up; ++i) rank.run();
    rank.forget_runs();
    rank.compare(proves && !apart);
    const ReplayMachine machine = this_machine();
    std::vector<std::vector<MeasuredCalls>> calls;
    u64 longest = 0;
    for (u32 i = 0; i < options.repetitions; ++i) {
        if (i != 0 && !has_time(world, longest, options)) break;
        const u64 begin = clock_now();
        rank.keep_times(recording && i + 1 == options.repetitions);
        rank.run();
        calls.push_back(gather_calls(world, rank));
        longest = std::max(longest, clock_now() - begin);
    }
    ReplayResult result = reduce_result(file, rank);
    result.machine = machine;
    result.left_out_calls = std::move(left_out);
    result.stopped = calls.size() < options.repetitions;
    for (std::size_t i = 0; i < calls.size(); ++i) result.runs[i].calls = std::move(calls[i]);
    result.trace = file.container().fingerprint();
    result.has_messages =
        options.window.is_whole() &&
        records_any(file.structure(),
                    {EventType::MpiSend, EventType::MpiIsend, EventType::MpiRecv,
                     EventType::MpiIrecv, EventType::MpiMrecv, EventType::MpiImrecv});
    result.measurements = gather_measurements(world, file, rank, options);
    rank.keep_times(false);
    rank.compare(proves);
    if (proves && apart) rank.run();
    rank.remove_files();
    if (!proves) return result;
    result.proof = gather_proof(world, rank.proof());
    if (recording && is_proven(world, result)) {
        write_recording(world, file, rank, patches, options);
    }
    if (result.issues_nothing()) result.proof.reset();
    return result;
}

}  // namespace tracefold
