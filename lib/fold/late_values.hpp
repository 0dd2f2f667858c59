// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// The late values of a request that never completes: an invalid communicator id.
inline constexpr u64 kNeverCompleted = u64{1} << 32U;

/// Values of a request that are known only at its completion, but belong to the posting call. Each
/// posting slot group (symbol, element) has a queue: values leave it in posting order, each once
/// all previous requests of the queue are resolved. Memory: the unresolved requests and the values
/// queued behind them.
class LateValues {
  public:
    static constexpr u8 kMaxValues = 5;
    using Values = std::array<u64, kMaxValues>;

    u32 add(u8 value_count);
    /// Assigns an entry to its posting call: its values go to `first_column` and the following
    /// ones. Call in posting order.
    void post(u32 entry, u32 first_column, CallBatch& out);
    /// Sets the values of an entry. Precondition: not resolved yet.
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
