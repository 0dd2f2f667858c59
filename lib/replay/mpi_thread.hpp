// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call_reader.hpp"

#include <vector>

namespace tracefold {

/// One of the threads of a rank that call MPI, and its call at hand.
struct MpiThread {
    u32 number;    ///< among those of the rank that call MPI
    u32 location;  ///< index
    MpiCallReader reader;
    MpiCall call = {};
    bool in_call = false;  ///< the call has begun
    bool at_end = false;   ///< there is no call at hand

    /// Goes on to the next call. Throws Error(corrupt).
    void read() {
        in_call = false;
        at_end = !reader.next(call);
    }
    /// When the call begins or, once it has, when it ends.
    [[nodiscard]] u64 time() const { return in_call ? call.end : call.begin; }
};

/// Merges threads: the one with the least `order(thread)`, the first one of several; null if all
/// are at their end.
template <class Thread, class Order>
Thread* next_thread(std::vector<Thread>& threads, const Order& order) {
    Thread* next = nullptr;
    for (Thread& thread : threads) {
        if (thread.at_end) continue;
        if (next == nullptr || order(thread) < order(*next)) next = &thread;
    }
    return next;
}

}  // namespace tracefold
