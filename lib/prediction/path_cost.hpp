// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/path_history.hpp"

namespace tracefold {

/// What time goes to.
enum class CostKind : u8 {
    computation,  ///< as recorded, or faster
    recorded,     ///< calls that the model does not know, as recorded
    latency,      ///< L
    overhead,     ///< o, and O for each byte
    gap,          ///< g
    bytes,        ///< G for each byte
};
inline constexpr std::size_t kCostKinds = 6;

/// A part of the critical path.
struct PathCost {
    u32 rank = 0;
    u32 node = kNone;  ///< of the call tree; kNone: outside of all regions
    CostKind kind{};
    i64 time = 0;  ///< picoseconds
};

/// The same as a number, for ways.
constexpr u64 key_of(u32 rank, u32 node, CostKind kind) {
    return (u64{rank} << 36U) | (u64{node} << 4U) | static_cast<u64>(kind);
}
constexpr u64 without_rank(u64 key) { return key & ((u64{1} << 36U) - 1); }
constexpr PathCost cost_of(const PathHistory::Cost& cost) {
    return {static_cast<u32>(cost.key >> 36U), static_cast<u32>(cost.key >> 4U),
            static_cast<CostKind>(cost.key & 15U), cost.time};
}

}  // namespace tracefold
