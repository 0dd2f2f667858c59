// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/rank_groups.hpp"
#include "analysis/transfers.hpp"
#include "core/saturating.hpp"

#include <map>
#include <string>
#include <vector>

namespace tracefold {

/// What a communication matrix is about.
enum class TrafficKind : u8 {
    point_to_point,  ///< messages, as their senders recorded them
    one_sided,       ///< puts, gets and atomic operations, in the direction of the data
    collective,      ///< parts in collective operations: columns are communicators
};

/// "point-to-point"
std::string_view traffic_name(TrafficKind kind);

/// Who sends how much to whom: sparse, since most pairs never meet.
struct TrafficMatrix {
    struct Cell {
        u64 calls = 0;
        u64 bytes = 0;  ///< or kOverflow

        Cell& operator+=(const Cell& other) {
            calls += other.calls;
            add_saturated(bytes, other.bytes);
            return *this;
        }
        bool operator==(const Cell&) const = default;
    };
    struct Place {
        u32 row = 0;
        u32 column = 0;

        auto operator<=>(const Place&) const = default;
    };

    std::vector<std::string> rows;     ///< groups of ranks that send
    std::vector<std::string> columns;  ///< that receive; of collectives: communicators
    std::map<Place, Cell> cells;
    Cell total;     ///< of all cells
    Cell unknown;   ///< to ranks that the definitions do not tell; in no cell
    Cell received;  ///< what the same ranks received, as the receivers recorded it
};

/// The matrix of what the selected locations send, in the folded form: see visit_transfers() for
/// the cost. Calls of collectives are parts of members; their bytes are those sent.
TrafficMatrix traffic_matrix(TraceFile& file, ExecutionCounts& counts, const RankGroups& groups,
                             const std::vector<bool>& selected, TrafficKind kind);

}  // namespace tracefold
