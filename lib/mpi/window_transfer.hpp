// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call.hpp"

#include <array>
#include <optional>
#include <vector>

namespace tracefold {

/// Maps matching ids of pending operations to targets of a window: a flush records ids, but not its
/// target. Pending operations of one direction and target share an id.
class PendingTransfers {
  public:
    /// `targets`: processes of the window.
    explicit PendingTransfers(std::size_t targets) : ids_{Ids(targets, 0), Ids(targets, 0)} {}

    [[nodiscard]] std::size_t targets() const { return ids_[0].size(); }
    /// Precondition: target < targets(). Ids are never 0.
    void note(bool incoming, u32 target, u64 id) {
        ids_[incoming ? 1 : 0][target] = id;
        last_ = target;
    }
    /// Cost: O(1) for the last target, otherwise O(targets).
    [[nodiscard]] std::optional<u32> target_of(u64 id) const;
    [[nodiscard]] u32 last_target() const { return last_; }

  private:
    using Ids = std::vector<u64>;

    std::array<Ids, 2> ids_;  ///< by direction and target
    u32 last_ = 0;
};

/// One recorded operation on remote memory.
struct WindowTransfer {
    u64 window = 0;
    u32 target = 0;
    u64 sent = 0;      ///< bytes to the target
    u64 received = 0;  ///< bytes from the target
    u64 id = 0;        ///< matching id, or request of a function that makes one

    [[nodiscard]] u64 bytes() const { return sent > received ? sent : received; }
};

/// Nullopt if the call has no such record: its target was MPI_PROC_NULL.
std::optional<WindowTransfer> read_transfer(const MpiCall& call);

/// The window that the first record with one names.
std::optional<u64> recorded_window(const MpiCall& call);

}  // namespace tracefold
