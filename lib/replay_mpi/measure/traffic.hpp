// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/communicator_table.hpp"
#include "replay/mpi_call.hpp"
#include "replay_mpi/measure/measured_sizes.hpp"

#include <unordered_map>

namespace tracefold {

/// What one rank sends: sizes of its messages and of its parts in collective operations, as
/// recorded, and to whom the messages go. Memory: one entry per partner.
class Traffic {
  public:
    struct Messages {
        u64 count = 0;
        u64 bytes = 0;
    };

    /// `table` must outlive this object.
    explicit Traffic(const CommunicatorTable& table) : table_(table) {}

    /// For every call that is issued.
    void add(const MpiCall& call);

    [[nodiscard]] const MeasuredSizes& messages() const { return messages_; }
    /// What each collective call sends, for all partners together.
    [[nodiscard]] const MeasuredSizes& collectives() const { return collectives_; }
    /// By world rank of the receiver.
    [[nodiscard]] const std::unordered_map<u64, Messages>& peers() const { return peers_; }

  private:
    void add_message(const Envelope& envelope);

    const CommunicatorTable& table_;
    MeasuredSizes messages_;
    MeasuredSizes collectives_;
    std::unordered_map<u64, Messages> peers_;
};

}  // namespace tracefold
