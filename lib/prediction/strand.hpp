// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/mailbox.hpp"
#include "prediction/rank_operations.hpp"
#include "prediction/scenario_clocks.hpp"
#include "prediction/walk_event.hpp"

#include <memory>
#include <vector>

namespace tracefold {

/// A request that was posted.
struct StrandSlot {
    bool is_open = false;
    bool is_awaited = false;
    u32 moment = kNone;  ///< from which on its completion is known; kNone: it is at once
};

/// A sequence of operations: a rank, or a non-blocking collective operation of one.
struct Strand {
    u32 number = 0;
    u32 rank = 0;
    EventTurn turn;  ///< of its next operation among those of the same time
    NetworkOperations operations;
    std::size_t at = 0;
    std::vector<StrandSlot> slots;
    u32 missing = 0;        ///< slots that it waits for
    u32 ready = kNone;      ///< of a branch: the moment up to which it is
    bool has_calls = true;  ///< of a rank: some are left to be read
    bool over = false;
    bool is_blocked = false;                  ///< in the operation that it is at
    std::unique_ptr<RankOperations> program;  ///< of a rank
    u32 parent = kNone;                       ///< of a branch
    u32 parent_slot = 0;

    StrandSlot& slot(u32 number_of_slot) {
        if (number_of_slot >= slots.size()) slots.resize(number_of_slot + std::size_t{1});
        return slots[number_of_slot];
    }
};

/// A message from its send on.
struct FlyingMessage {
    NetworkMessage transfer;
    u64 channel = 0;
    u32 strand = kNone;  ///< its sender
    u32 slot = 0;
    u32 moment = kNone;  ///< when it comes; kNone: it has not been sent
    bool has_rendezvous = false;

    [[nodiscard]] Mailbox::Channel mailbox() const { return {transfer.from, transfer.to, channel}; }
};

}  // namespace tracefold
