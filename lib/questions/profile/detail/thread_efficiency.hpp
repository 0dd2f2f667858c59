// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/common_clock.hpp"
#include "file/thread_forks.hpp"
#include "questions/profile/detail/measured_time.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// The observed time of a process.
struct ProcessSpan {
    std::vector<u32> locations;  ///< its threads; the first one calls MPI
    MeasuredTime time;
    u32 number = 0;  ///< of the process
};

/// Time of one thread by state over its process's span; the sum is the span.
struct ThreadTimes {
    u32 location = 0;
    u32 process = 0;                      ///< index of the observed process
    u64 mpi = 0;                          ///< without MPI: other communication
    std::array<u64, kThreadUses> uses{};  ///< outside of MPI; `work` is useful computation

    /// Host processor time for the program: useful computation and accelerator calls.
    [[nodiscard]] u64 computation() const {
        return of(ThreadUse::work) + of(ThreadUse::device_wait) + of(ThreadUse::device_copy) +
               of(ThreadUse::device_call);
    }
    [[nodiscard]] u64 of(ThreadUse use) const { return uses[static_cast<std::size_t>(use)]; }
};

/// States of all threads, and where they wait for each other or for an accelerator.
struct ThreadEfficiency {
    struct Wait {
        std::string path;
        u32 location = 0;
        u32 process = 0;  ///< index as in ThreadTimes
        ThreadUse use{};
        u64 count = 0;  ///< visits with waiting time
        u64 ticks = 0;
    };

    std::vector<ThreadTimes> threads;  ///< by process
    std::vector<Wait> waits;           ///< by call path, location
};

/// True if threads were forked or created or, without MPI, if several of a process have events.
bool has_threads(TraceFile& file);

/// Threads of a process, by location: those with events on a processor, not an accelerator.
std::vector<u32> threads_of(TraceFile& file, std::span<const u32> locations);

/// Processes with events of a trace without MPI, each from its first record to its last. Cost:
/// unwinds all locations. Throws Error(corrupt).
std::vector<ProcessSpan> processes_of(TraceFile& file);

/// Computes the thread states of the processes. Unwinds their locations with times. Throws
/// Error(corrupt). Memory: call paths, once per location.
ThreadEfficiency thread_efficiency(TraceFile& file, const std::vector<ProcessSpan>& processes);

/// Time that MPI takes from a multithreaded process, in ticks over all its threads: time in MPI,
/// and time in which a thread waits for other threads or is idle while one of its process is in
/// MPI. If one thread calls MPI and the others wait meanwhile, that is its time in MPI times the
/// number of threads. Cost: unwinds the locations together. Throws Error(corrupt).
u64 mpi_loss(TraceFile& file, const CommonClock& clock, const ProcessSpan& process);

/// Activity of an accelerator (all streams) in its process's span, in ticks; the rest is idle.
struct DeviceTimes {
    std::string name;  ///< of the streams' location group
    u32 process = 0;   ///< process number; kNone: no known user
    u32 streams = 0;
    u64 span = 0;
    u64 kernels = 0;  ///< at least one stream runs a kernel
    u64 copies = 0;   ///< copies without a concurrent kernel
};

/// Times of all accelerators, grouped by process. The streams of one location group form one
/// accelerator. If a recorder puts streams into the group of their process, there is one
/// accelerator per process, unless its streams only manage host memory. Cost: unwinds the streams.
/// Throws Error(corrupt).
std::vector<DeviceTimes> device_times(TraceFile& file, const std::vector<ProcessSpan>& processes);

}  // namespace tracefold
