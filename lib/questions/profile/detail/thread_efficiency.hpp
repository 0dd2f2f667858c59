// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/common_clock.hpp"
#include "file/thread_forks.hpp"

#include <array>
#include <string>
#include <vector>

namespace tracefold {

/// Ticks of the common clock between which a process is looked at.
struct ProcessSpan {
    std::vector<u32> locations;  ///< its threads, first the one that calls MPI
    u64 begin = 0;
    u64 end = 0;
    u32 number = 0;  ///< of the process
};

/// What one thread does in the span of its process; all ticks together are the span.
struct ThreadTimes {
    u32 location = 0;
    u32 process = 0;                      ///< place among the processes that are looked at
    u64 mpi = 0;                          ///< without MPI: in other communication
    std::array<u64, kThreadUses> uses{};  ///< outside of it; `work` is useful computation

    /// What the host's processor does for the program: useful computation and calls of
    /// accelerators.
    [[nodiscard]] u64 computation() const {
        return of(ThreadUse::work) + of(ThreadUse::device_wait) + of(ThreadUse::device_copy) +
               of(ThreadUse::device_call);
    }
    [[nodiscard]] u64 of(ThreadUse use) const { return uses[static_cast<std::size_t>(use)]; }
};

/// What the threads of all processes do, and where they wait for each other or for an
/// accelerator.
struct ThreadEfficiency {
    struct Wait {
        std::string path;
        u32 location = 0;
        u32 process = 0;  ///< as that of ThreadTimes
        ThreadUse use{};
        u64 count = 0;  ///< visits
        u64 ticks = 0;
    };

    std::vector<ThreadTimes> threads;  ///< by process
    std::vector<Wait> waits;           ///< by call path, location
};

/// True if threads were forked or created anywhere or, without MPI, if a process has several that
/// record events.
bool has_threads(TraceFile& file);

/// The threads of a process, by location: those of the rank that record events on a processor, not
/// on an accelerator.
std::vector<u32> threads_of(TraceFile& file, const std::vector<u32>& locations);

/// The processes with events of a trace without MPI, each from its first record to its last. Cost:
/// unwinds all locations. Throws Error(corrupt).
std::vector<ProcessSpan> processes_of(TraceFile& file);

/// Unwinds the locations of the processes with their times. Throws Error(corrupt). Memory: call
/// paths, for each location once.
ThreadEfficiency thread_efficiency(TraceFile& file, const std::vector<ProcessSpan>& processes);

/// What MPI takes from a process whose threads call it: the ticks of its span, added up over its
/// threads, in which a thread is in MPI, or waits for other threads or is idle while one of the
/// process is in MPI. Where but one thread calls MPI, and the others do nothing meanwhile, that is
/// the time in MPI of the one for each thread. Cost: unwinds the locations side by side. Throws
/// Error(corrupt).
u64 mpi_loss(TraceFile& file, const CommonClock& clock, const ProcessSpan& process);

/// What an accelerator, all its streams together, does in the span of the process that uses it.
/// Times in ticks; what is left of the span it is idle.
struct DeviceTimes {
    std::string name;  ///< of the location group of its streams
    u32 process = 0;   ///< number; kNone if no process is known to use it
    u32 streams = 0;
    u64 span = 0;
    u64 kernels = 0;  ///< while at least one stream runs a kernel
    u64 copies = 0;   ///< while streams copy and none runs a kernel
};

/// All accelerators, those of a process after each other. Streams are of one accelerator if they
/// are of one location group; where recorders put them into the group of their process, there is
/// one accelerator per process, unless its streams only manage memory of the host. Cost: unwinds
/// the streams. Throws Error(corrupt).
std::vector<DeviceTimes> device_times(TraceFile& file, const std::vector<ProcessSpan>& processes);

}  // namespace tracefold
