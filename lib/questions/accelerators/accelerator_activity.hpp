// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "model/region_role.hpp"

#include <array>
#include <string>
#include <vector>

namespace tracefold {

/// What a trace tells about accelerators. Times in ticks.
struct AcceleratorActivity {
    /// Kernels or copies of one name on streams, or calls of one function on threads.
    struct Call {
        std::string name;
        AcceleratorUse use{};
        bool on_stream = false;
        u64 calls = 0;  ///< that ended
        u64 ticks = 0;
        u64 shortest = 0;
        u64 longest = 0;
        u64 bytes = 0;  ///< of copies that the recorder tells the size of
        u32 locations = 0;
    };
    /// Of a stream or thread, by AcceleratorUse. Calls within calls of a thread are part of these.
    /// The time of a stream is that in which at least one of its kernels or copies runs.
    struct Location {
        u32 location = 0;
        std::array<u64, kAcceleratorUses> calls{};
        std::array<u64, kAcceleratorUses> ticks{};
        u64 busy = 0;  ///< of a stream: ticks with a kernel or a copy
        u64 bytes = 0;

        [[nodiscard]] u64 ticks_of(AcceleratorUse use) const {
            return ticks[static_cast<std::size_t>(use)];
        }
        [[nodiscard]] u64 calls_of(AcceleratorUse use) const {
            return calls[static_cast<std::size_t>(use)];
        }
    };

    u64 length = 0;  ///< ticks from the first record of all to the last one, on the common clock
    std::vector<Call> calls;        ///< on streams, then on threads; each by time
    std::vector<Location> streams;  ///< in the order of their definitions
    std::vector<Location> threads;  ///< those that use an accelerator

    [[nodiscard]] bool empty() const { return streams.empty() && threads.empty(); }
};

/// True if a trace has streams or calls of an accelerator's interface. Cost: one pass over the
/// definitions.
bool has_accelerators(TraceFile& file);

/// Cost: unwinds all locations but those of metrics; of a trace without accelerators none. Throws
/// Error(corrupt). Precondition: keeps_every_time() of the file's timing level.
AcceleratorActivity accelerator_activity(TraceFile& file);

}  // namespace tracefold
