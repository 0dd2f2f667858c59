// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/node_rows.hpp"

#include <string>
#include <string_view>

namespace tracefold::inline profile {

/// The rows of one node; those of zeros are empty.
using OneNodeRows = std::array<std::vector<u64>, kStoredMetrics>;

struct NumberedRows {
    u32 node = 0;
    OneNodeRows rows;
};

/// The rows of a node for another process of the same program: numbers as they lie in memory.
std::string rows_to_bytes(const NodeRows& rows, u32 node);

/// Throws Error(internal) for bytes that are none.
NumberedRows rows_from_bytes(std::string_view bytes, u32 locations);

}  // namespace tracefold::inline profile
