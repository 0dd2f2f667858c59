// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/chakra_file.hpp"
#include "schedules/exchange.hpp"

#include <optional>

namespace tracefold {

/// A collective operation as a node of one member.
struct ChakraCollectiveNode {
    ChakraCollective kind = ChakraCollective::barrier;
    u64 bytes = 0;  ///< what the member gives; of all_reduce and reduce_scatter the whole vector
    bool exact = true;  ///< the node tells root and shares of all members, as far as there are any
};

/// Nothing if messages have to stand for it. Nodes are all that ASTRA-sim simulates, which has
/// equal shares of all members, and at least one byte; with `all_types` everything that the schema
/// has a type for.
std::optional<ChakraCollectiveNode> chakra_collective(const Exchange& exchange, u32 member,
                                                      bool all_types);

}  // namespace tracefold
