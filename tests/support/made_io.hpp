// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/made_trace.hpp"

namespace tracefold::testing {

/// Records of operations on files, on a device whose handle exists before the trace begins. A trace
/// without MPI calls: its locations belong to no rank unless `ranks` says so.
class MadeIo {
  public:
    static constexpr u64 kHandle = 3;
    static constexpr u64 kRead = 0;
    static constexpr u64 kWrite = 1;
    static constexpr u64 kFlush = 2;
    static constexpr u64 kUndefined = ~u64{0};

    explicit MadeIo(const MadeTrace::Shape& shape) : trace(shape) {
        trace.define([](DefinitionWriter& out) {
            const u64 device = out.string("/dev/sda");
            out.add(DefinitionType::IoParadigm,
                    {0, out.string("BLOCK"), out.string("block layer"), 0, 1, 0});
            out.add(DefinitionType::IoRegularFile, {0, device, 0});
            out.add(DefinitionType::IoHandle, {kHandle, device, 0, 0, 1, kNone, kNone});
            out.add(DefinitionType::IoPreCreatedHandleState, {kHandle, 3, 0});
        });
    }

    void begin(u32 rank, u32 thread, u64 mode, u64 id, u64 bytes = 4096) {
        trace.record(rank, thread, EventType::IoOperationBegin, {kHandle, mode, 1, bytes, id});
    }
    void complete(u32 rank, u32 thread, u64 id, u64 bytes = 4096) {
        trace.record(rank, thread, EventType::IoOperationComplete, {kHandle, bytes, id});
    }
    void cancel(u32 rank, u32 thread, u64 id) {
        trace.record(rank, thread, EventType::IoOperationCancelled, {kHandle, id});
    }

    MadeTrace trace;
};

/// Reads and writes of 4096 bytes in turn, begun on one thread and completed on the next one 50
/// ticks later.
inline void make_block_io(MadeIo& io) {
    for (u64 i = 0; i < 10; ++i) {
        io.trace.at(100 * i);
        io.begin(0, 0, i % 2, i);
        io.trace.at(100 * i + 50);
        io.complete(0, 1, i);
    }
}

}  // namespace tracefold::testing
