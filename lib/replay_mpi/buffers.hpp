// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <memory>

namespace tracefold {

/// Memory that messages come from and go to: one block per direction, used round and round, so that
/// its size is that of the largest message and not that of all. What arrives is never looked at.
class Buffers {
  public:
    /// Before the replay: announces the largest piece that will be asked for.
    void expect_outgoing(u64 bytes);
    void expect_incoming(u64 bytes);
    /// Allocates, fills and touches the memory. Throws Error(io) if there is not enough.
    void allocate();
    [[nodiscard]] u64 size() const { return outgoing_.size + incoming_.size; }

    /// Pseudo-random bytes to send, equal from run to run. Not to be written to.
    /// Precondition: as large a piece was expected.
    void* outgoing(u64 bytes) { return outgoing_.take(bytes); }
    /// Room to receive into. Pieces handed out one after another overlap only when the block is
    /// exhausted.
    void* incoming(u64 bytes) { return incoming_.take(bytes); }

  private:
    struct Ring {
        std::unique_ptr<std::byte[]> bytes;
        u64 size = 0;
        u64 next = 0;

        void* take(u64 count) {
            if (count > size - next) next = 0;
            void* piece = bytes.get() + next;
            next += (count + kAlignment - 1) & ~(kAlignment - 1);
            if (next > size) next = size;
            return piece;
        }
    };

    static constexpr u64 kAlignment = 64;

    Ring outgoing_;
    Ring incoming_;
    u64 largest_outgoing_ = 0;
    u64 largest_incoming_ = 0;
};

}  // namespace tracefold
