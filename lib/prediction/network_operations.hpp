// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <memory>
#include <vector>

namespace tracefold {

/// Computation of one call path, in picoseconds.
struct PathTime {
    u32 node = kNone;  ///< of the call tree
    i64 time = 0;
};

/// What a rank does, as a network sees it.
struct NetworkOperation {
    enum class Kind : u8 {
        compute,   ///< `count` of NetworkOperations::times, from `first` on
        recorded,  ///< the same, for calls that the model does not know
        send,      ///< the request goes to `slot`
        receive,   ///< the same
        wait,      ///< for `count` of NetworkOperations::slots, from `first` on
        branch,    ///< NetworkOperations::branches[first], whose end completes `slot`
    };

    Kind kind = Kind::compute;
    bool blocks = false;  ///< of a send or receive: the next operation comes when it is complete
    u32 node = kNone;     ///< the MPI call
    u32 peer = 0;         ///< world rank
    u32 slot = 0;
    u64 channel = 0;  ///< messages of a channel from one rank to another come in order
    u64 bytes = 0;
    u32 first = 0;
    u32 count = 0;
};

/// NetworkOperations in their order. A branch, of a non-blocking collective operation, goes on by
/// itself.
struct NetworkOperations {
    std::vector<NetworkOperation> list;
    std::vector<PathTime> times;
    std::vector<u32> slots;
    std::vector<std::unique_ptr<NetworkOperations>> branches;

    void clear() {
        list.clear();
        times.clear();
        slots.clear();
        branches.clear();
    }
};

}  // namespace tracefold
