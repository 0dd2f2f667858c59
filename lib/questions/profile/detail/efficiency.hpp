// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "file/recording_gaps.hpp"
#include "file/trace_file.hpp"
#include "questions/profile/detail/thread_efficiency.hpp"
#include "questions/profile/detail/wait_analysis.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// How well a program used its processes between MPI_Init and MPI_Finalize, in the terms of the POP
/// centre of excellence, and where it waited; docs/reference/efficiency.md has the definitions.
/// Times in ticks.
struct Efficiency {
    struct Wait {
        std::string path;
        u32 rank = 0;
        u32 location = 0;
        WaitKind kind{};
        u64 count = 0;  ///< calls that waited
        u64 ticks = 0;
    };

    /// Ranks that call MPI, or other processes with events, by rising number.
    std::vector<RankEfficiency> ranks;
    std::vector<std::string> names;  ///< of `ranks`, as people know them: "3", "python 1000"
    RecordingGaps gaps;              ///< who is left out
    TickRate rate;
    u64 runtime = 0;
    u64 ideal_runtime = 0;  ///< on a network where everything arrives at once; see has_ideal()

    /// From 0 to 1; nothing where there is no computation to measure.
    std::optional<double> load_balance;
    std::optional<double> communication;
    std::optional<double> parallel;
    /// The two factors of `communication`; nothing if `why_not_split` says why.
    std::optional<double> serialisation;
    std::optional<double> transfer;
    std::string why_not_split;

    /// Of programs with threads: the hybrid factors, `hybrid` = `parallel` x `thread_parallel` and
    /// `thread_parallel` = `thread_load_balance` x `thread_communication`.
    std::optional<double> hybrid;
    std::optional<double> thread_parallel;
    std::optional<double> thread_load_balance;
    std::optional<double> thread_communication;
    /// Of programs with accelerators: `host` = `hybrid` or `parallel` x `device_offload`, and
    /// `device_parallel` = `device_load_balance` x `device_communication` x `device_orchestration`.
    std::optional<double> host;
    std::optional<double> device_offload;
    std::optional<double> device_parallel;
    std::optional<double> device_load_balance;
    std::optional<double> device_communication;
    std::optional<double> device_orchestration;
    /// None if the program has neither several threads per process nor accelerators.
    ThreadEfficiency threads;
    bool has_threads = false;  ///< several per process
    std::vector<DeviceTimes> devices;
    bool has_mpi = true;  ///< else a rank is a process, from its first record to its last
    /// False for a single process without MPI that communicates with no other: its factors are
    /// those of its threads and accelerators.
    bool has_processes = true;
    /// Several threads of a rank call MPI: times of a rank are means over its threads.
    bool threads_call_mpi = false;

    std::vector<Wait> waits;  ///< by call path, location, kind
    u64 early_messages = 0;   ///< received before they were sent: the clocks do not agree

    /// False if waits were not looked for (WaitSearch): then there are none, and no ideal network.
    bool knows_waits = true;

    /// Whether there are times on the ideal network: not if threads_call_mpi, nor without MPI.
    [[nodiscard]] bool has_ideal() const { return has_mpi && knows_waits && !threads_call_mpi; }
    [[nodiscard]] double seconds(u64 ticks) const { return rate.seconds(ticks); }
};

/// Whether ranks are walked side by side to find out where they wait for each other.
enum class WaitSearch : u8 { all, none };

/// Walks all ranks side by side with their times, and a second time for their call paths. Throws
/// Error: corrupt; usage if the file does not keep the times of every record, or nothing in it
/// could wait for anything else: one process with one thread and no accelerator. Cost: twice that
/// of check_replay(), and the times. Memory: besides those, what is outstanding at a time. Without
/// waits each rank is walked by itself, at a tenth of the cost. `threads` read the calls of the
/// ranks, 0: one per core where there are events enough; so do those of each process. The result,
/// which process 0 gets, does not depend on their number. Collective; throws the same Error on all.
Efficiency trace_efficiency(Communicator& comm, TraceFile& file, WaitSearch search, u32 threads);
/// By this process alone.
Efficiency trace_efficiency(TraceFile& file, WaitSearch search = WaitSearch::all, u32 threads = 1);

}  // namespace tracefold
