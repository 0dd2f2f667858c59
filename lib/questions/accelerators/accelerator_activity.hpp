// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "model/region_role.hpp"

#include <array>
#include <string>
#include <vector>

namespace tracefold {

/// Accelerator activity of a trace. Times in ticks.
struct AcceleratorActivity {
    /// Kernels or copies of one name on streams, or calls of one function on threads.
    struct Call {
        std::string name;
        AcceleratorUse use{};
        bool on_stream = false;
        u64 calls = 0;  ///< completed calls
        u64 ticks = 0;
        u64 shortest = 0;
        u64 longest = 0;
        u64 bytes = 0;  ///< of copies with recorded size
        u32 locations = 0;
    };
    /// Times of a stream or thread by AcceleratorUse. A thread's calls include nested ones. A
    /// stream's time is the time in which at least one of its kernels or copies runs.
    struct Location {
        u32 location = 0;
        std::array<u64, kAcceleratorUses> calls{};
        std::array<u64, kAcceleratorUses> ticks{};
        u64 busy = 0;  ///< of a stream: ticks with a kernel or copy
        u64 bytes = 0;

        [[nodiscard]] u64 ticks_of(AcceleratorUse use) const {
            return ticks[static_cast<std::size_t>(use)];
        }
        [[nodiscard]] u64 calls_of(AcceleratorUse use) const {
            return calls[static_cast<std::size_t>(use)];
        }
    };

    u64 length = 0;  ///< ticks from the first to the last record of all, on the common clock
    std::vector<Call> calls;        ///< on streams, then on threads; each by time
    std::vector<Location> streams;  ///< in order of definition
    std::vector<Location> threads;  ///< that use an accelerator

    [[nodiscard]] bool empty() const { return streams.empty() && threads.empty(); }
};

/// True if a trace has accelerator streams or API calls. Cost: one pass over the definitions.
bool has_accelerators(TraceFile& file);

/// Computes the activity. Cost: unwinds all locations except metric-only ones; nothing for traces
/// without accelerators. Throws Error(corrupt). Precondition: keeps_every_time() of the file's
/// timing level.
AcceleratorActivity accelerator_activity(TraceFile& file);

}  // namespace tracefold
