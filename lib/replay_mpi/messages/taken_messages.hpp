// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <mutex>
#include <optional>
#include <unordered_map>

#include <mpi.h>

namespace tracefold {

/// The messages of a process that probes took and no call has received yet, by their ids in the
/// trace. Several threads may use it at once. O(1).
class TakenMessages {
  public:
    /// `bytes`: how many it has.
    void put(u64 id, MPI_Message message, u64 bytes);
    /// Removes a message; nothing if no probe took it, or it was received.
    std::optional<MPI_Message> get(u64 id);
    /// Receives what the program left, which MPI wants to be received. Throws Error(io).
    void receive_rest();

  private:
    struct Message {
        MPI_Message handle = MPI_MESSAGE_NULL;
        u64 bytes = 0;
    };

    std::mutex mutex_;
    std::unordered_map<u64, Message> messages_;
};

}  // namespace tracefold
