// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>

namespace tracefold::testing {

/// How a recorder writes what an accelerator does.
enum class AcceleratorRecorder : u8 {
    /// Streams have location groups of their own, which processes created; copies are accesses to a
    /// window, in no region (Score-P with CUDA).
    cuda,
    /// Streams are locations of the process; copies are regions that transfer data (HIP tracers).
    hip,
};

/// Whether the host is a program of MPI, of AcceleratorStep::kRanks, or a single process without
/// MPI.
enum class AcceleratorHost : u8 { mpi, single_process };

/// What a rank of the program does in each of its steps, in ticks of a nanosecond from the begin of
/// the step. Rank 1 waits `kLateBy` longer than rank 0.
struct AcceleratorStep {
    static constexpr u32 kRanks = 2;
    static constexpr u32 kSteps = 10;
    static constexpr u64 kLength = 10'000;
    static constexpr u64 kFirst = 5'000;  ///< begin of the first step
    static constexpr u64 kCallLength = 50;
    static constexpr u64 kToDevice = 1'000;  ///< copy on the first stream
    static constexpr u64 kStencil = 4'000;   ///< kernel on the first stream
    static constexpr u64 kReduce = 1'500;    ///< kernel on the second stream
    static constexpr u64 kFromDevice = 500;  ///< copy on the first stream
    static constexpr u64 kHostWait = 6'000;  ///< of rank 0
    static constexpr u64 kLateBy = 200;
    static constexpr u64 kBytesTo = 65'536;
    static constexpr u64 kBytesFrom = 4'096;
    static constexpr u64 kCycles = 3;           ///< a tick, told before every region of a host
    static constexpr u64 kPowerPeriod = 1'000;  ///< ticks from sample to sample
};

/// Writes the archive `<directory>/traces.otf2` of a program with two streams for each process,
/// with hardware counters on the host threads and samples of the power at a location of its own. A
/// single process does what rank 0 does, but for MPI.
void write_accelerator_archive(AcceleratorRecorder recorder, const std::string& directory,
                               AcceleratorHost host = AcceleratorHost::mpi);

/// The power at the n-th sample, in watts.
constexpr double accelerator_power(u64 sample) {
    return 100.0 + 25.5 * static_cast<double>(sample % 4);
}

}  // namespace tracefold::testing
