// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// The late values of a request that never completes: no communicator has this id.
inline constexpr u64 kNeverCompleted = u64{1} << 32U;

/// Values of a request that become known only when it completes, but belong to the call that posted
/// it. Each posting slot group (symbol, element) has a queue: values leave it in posting order,
/// each as soon as all requests before it in its queue are resolved. Memory: the unresolved
/// requests and what waits behind them.
class LateValues {
  public:
    static constexpr u8 kMaxValues = 5;
    using Values = std::array<u64, kMaxValues>;

    /// A new unresolved entry.
    u32 add(u8 value_count);
    /// The posting call of an entry is known: its values go to `first_column` and the columns
    /// after it. Call in posting order.
    void post(u32 entry, u32 first_column, CallBatch& out);
    /// Precondition: not resolved yet.
    void resolve(u32 entry, const Values& values, CallBatch& out);

  private:
    struct Entry {
        Values values{};
        u8 value_count = 0;
        bool resolved = false;
        u32 queue = kNone;
    };
    struct Queue {
        u32 first_column = 0;
        std::vector<u32> entries;
        std::size_t head = 0;
    };

    void drain(Queue& queue, CallBatch& out);

    std::vector<Entry> entries_;
    std::vector<u32> free_;
    std::vector<Queue> queues_;
    std::vector<u32> queue_of_column_;
};

}  // namespace tracefold
