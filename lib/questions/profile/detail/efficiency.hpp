// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "file/recording_gaps.hpp"
#include "file/trace_file.hpp"
#include "mpi/program_steps.hpp"
#include "questions/profile/detail/computation_counters.hpp"
#include "questions/profile/detail/thread_efficiency.hpp"
#include "questions/profile/detail/wait_analysis.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Steps `first` to `last`.
struct StepRange {
    u64 first = 0;
    u64 last = 0;
};

/// How efficiently a program used its processes between MPI_Init and MPI_Finalize, in the terms of
/// the POP centre of excellence, and where it waited. Definitions: docs/reference/efficiency.md.
/// Times in ticks.
struct Efficiency {
    struct Wait {
        std::string path;
        u32 rank = 0;
        u32 location = 0;
        WaitKind kind{};
        u64 count = 0;  ///< calls with waiting time
        u64 ticks = 0;
    };

    /// Hardware counters of the computation; only of programs with MPI.
    struct Counters {
        std::array<std::string, kHardwareCounters> metrics;  ///< by counter; empty: not recorded
        std::vector<ComputationCounters> ranks;              ///< by `ranks`; empty: why_not
        ComputationCounters total;
        std::string why_not;
    };

    /// Ranks that call MPI, or other processes with events, in ascending order.
    std::vector<RankEfficiency> ranks;
    std::vector<std::string> names;  ///< display names of `ranks`: "3", "python 1000"
    RecordingGaps gaps;              ///< excluded processes
    TickRate rate;
    u64 runtime = 0;
    IdealTime ideal_runtime;  ///< on a network with instantaneous transfer; see has_ideal()

    /// From 0 to 1; none without computation.
    std::optional<double> load_balance;
    std::optional<double> communication;
    std::optional<double> parallel;
    /// Factors of `communication`; none for the reason in `why_not_split`. If the ideal run time is
    /// a range (for the reason in `why_range`), they are its lower ends, and `..._most` the upper.
    std::optional<double> serialisation;
    std::optional<double> transfer;
    std::optional<double> serialisation_most;
    std::optional<double> transfer_most;
    std::string why_not_split;
    std::string why_range;

    /// `parallel` if no time between unsuccessful polls was computation; none without such time.
    std::optional<double> without_polling;

    /// Hybrid factors of programs with threads: `hybrid` = `parallel` x `thread_parallel` and
    /// `thread_parallel` = `thread_load_balance` x `thread_communication`.
    std::optional<double> hybrid;
    std::optional<double> thread_parallel;
    std::optional<double> thread_load_balance;
    std::optional<double> thread_communication;
    /// Factors of programs with accelerators: `host` = `hybrid` or `parallel` x `device_offload`,
    /// and `device_parallel` = `device_load_balance` x `device_communication` x
    /// `device_orchestration`.
    std::optional<double> host;
    std::optional<double> device_offload;
    std::optional<double> device_parallel;
    std::optional<double> device_load_balance;
    std::optional<double> device_communication;
    std::optional<double> device_orchestration;
    /// Empty without accelerators for single-threaded processes.
    ThreadEfficiency threads;
    bool has_threads = false;  ///< several per process
    std::vector<DeviceTimes> devices;
    bool has_mpi = true;  ///< else a rank is a process, from its first record to its last
    /// False for a single process without communication: it has only thread and accelerator
    /// factors.
    bool has_processes = true;
    /// Several threads of a rank call MPI: times of a rank are means over its threads.
    bool threads_call_mpi = false;

    std::optional<Counters> counters;  ///< none: the trace has no such metrics

    std::vector<Wait> waits;    ///< by call path, location, kind
    u64 early_messages = 0;     ///< received before sent: unsynchronised clocks
    u64 early_collectives = 0;  ///< calls that ended before a needed member came: the same

    /// False without a wait search (WaitSearch): then `waits` and ideal times are missing.
    bool knows_waits = true;

    bool is_part = false;  ///< of a run: begins without MPI_Init, or ends without MPI_Finalize
    UnknownTime unknown_time;

    /// The focus of analysis: steps of the program without the first one, with which a set-up that
    /// has no records of its own may be mixed up. Without waits by call path. Null: no steps, or
    /// the trace is a part already.
    std::shared_ptr<Efficiency> focus;
    StepRange focus_steps;

    [[nodiscard]] bool has_counters() const { return counters && counters->why_not.empty(); }
    /// Whether times on the ideal network exist: neither with threads_call_mpi nor without MPI.
    [[nodiscard]] bool has_ideal() const { return has_mpi && knows_waits && !threads_call_mpi; }
    /// Whether the record does not determine the ideal times.
    [[nodiscard]] bool has_range() const { return ideal_runtime.least != ideal_runtime.most; }
    [[nodiscard]] double seconds(u64 ticks) const { return rate.seconds(ticks); }
};

/// Whether to simulate all ranks together to find their waiting times.
enum class WaitSearch : u8 { all, none };

/// Computes efficiency and waiting times. Simulates all ranks together with their times and walks
/// them again for call paths; without waits, walks each rank separately at a tenth of the cost.
/// `threads` threads per process read calls; 0: one per core for large traces. Complete on process
/// 0, independent of the number of threads and processes. Collective; throws the same Error on all:
/// corrupt; unsupported if the file does not keep the times of every record, or for one process
/// with one thread and no accelerator. Cost: twice check_replay(), plus the times. Memory: that of
/// check_replay(), plus outstanding calls.
/// `steps`: of the file; null: without a focus of analysis.
Efficiency trace_efficiency(Communicator& comm, TraceFile& file, WaitSearch search, u32 threads,
                            FoundSteps* steps = nullptr);
/// Computes efficiency on this process alone.
Efficiency trace_efficiency(TraceFile& file, WaitSearch search = WaitSearch::all, u32 threads = 1);

}  // namespace tracefold
