// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/transfers.hpp"
#include "model/structure.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// Where a symbol keeps the data of one of its transfers.
struct TransferRecipe {
    static constexpr std::size_t kMaxFields = 6;

    Transfer::Kind kind{};
    u32 element = 0;
    u8 type = 0;       ///< EventType whose fields stand in the slots: the completion if `late`
    bool raw = false;  ///< the fields stand as they were recorded
    bool late = false;
    u8 field_count = 0;  ///< values that the record has in its encoded form
    /// Slot of each, kNone for those that say nothing about a transfer.
    std::array<u32, kMaxFields> slots{};
    PeerEncoding peers = PeerEncoding::relative;
};

/// The transfers of a call symbol; empty for most. Cost: linear in its slots.
std::vector<TransferRecipe> transfer_recipes(const Structure& structure, u32 symbol,
                                             const std::vector<Slot>& slots);

}  // namespace tracefold
