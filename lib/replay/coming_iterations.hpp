// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <cstddef>

namespace tracefold {

/// Iterations of an outermost loop that come next on a location, and that are like those before
/// them but for times and the ids of requests. They may begin at any of their calls.
struct ComingIterations {
    u64 count = 0;          ///< 0: none
    std::size_t calls = 0;  ///< of each
    std::size_t place = 0;  ///< of the next call, in the loop
};

/// The calls of a location for somebody who may know what iterations that come again lead to.
class IterationSource {
  public:
    IterationSource() = default;
    IterationSource(const IterationSource&) = delete;
    IterationSource& operator=(const IterationSource&) = delete;
    virtual ~IterationSource() = default;

    /// Where no call follows at once: the iterations that do; none at the end.
    [[nodiscard]] virtual ComingIterations coming() const = 0;
    /// The calls of so many of them follow, one by one. Precondition of this and leave_out(): not
    /// more than are coming().
    virtual void read(u64 iterations) = 0;
    /// So many of them are passed. With times, next_times() has to be called for each of them.
    virtual void leave_out(u64 iterations) = 0;
    /// From a call on that is returned, iterations begin at the place of this call, and none before
    /// that. Calls are named by their index. Preconditions: it is the last one that was read, or
    /// the next one; what was asked for before holds by now.
    virtual u64 begin_at(u64 call) = 0;
    /// Begin and end of each call of the next iteration that was left out, valid until the next
    /// call of this. Throws Error(corrupt).
    virtual const u64* next_times() = 0;
};

}  // namespace tracefold
