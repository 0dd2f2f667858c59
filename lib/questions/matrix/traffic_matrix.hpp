// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/csv_table.hpp"
#include "base/types.hpp"
#include "file/call_names.hpp"
#include "questions/matrix/transfers.hpp"
#include "questions/system/system_tree.hpp"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Content of a communication matrix.
enum class TrafficKind : u8 {
    point_to_point,  ///< messages, as recorded by senders
    one_sided,       ///< puts, gets and atomic operations, by direction of data
    collective,      ///< contributions to collectives: columns are communicators
};

/// "point-to-point"
std::string_view traffic_name(TrafficKind kind);

/// Traffic between pairs of ranks, sparse: most pairs have none.
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

    std::vector<std::string> rows;     ///< groups of sending ranks
    std::vector<std::string> columns;  ///< groups of receiving ranks; for collectives communicators
    std::map<Place, Cell> cells;
    Cell total;     ///< over all cells
    Cell unknown;   ///< to ranks missing in the definitions; in no cell
    Cell received;  ///< received by the rows' ranks, as recorded by receivers
};

/// The traffic that the selected locations send, from the folded form. Collectives count once per
/// member, with the bytes sent. Cost: that of visit_transfers().
TrafficMatrix traffic_matrix(TraceFile& file, ExecutionCounts& counts, const RankGroups& groups,
                             const std::vector<bool>& selected, TrafficKind kind);

/// Number of transfers by size: class 0 is 0 bytes, class k is 2^(k-1) to 2^k - 1 bytes.
struct SizeHistogram {
    static constexpr std::size_t kClasses = 65;

    struct Class {
        u64 count = 0;
        u64 bytes = 0;  ///< or kOverflow
    };

    std::array<Class, kClasses> classes{};
    u64 count = 0;
    u64 bytes = 0;  ///< or kOverflow
    u64 smallest = ~u64{0};
    u64 largest = 0;
    std::map<u64, u64> exact;  ///< size -> count, on request

    /// Adds the numbers of a run `times` times. Cost: the classes that it covers.
    void add(const ValueRun& run, u64 times);
};

/// Sizes by call and direction.
struct MessageSizes {
    enum class Side : u8 {
        sent,               ///< of a collective: per call over all members, as OTF2 counts
        received,           ///< of a collective: per call over all members, as OTF2 counts
        per_peer,           ///< of a collective: per call and member (Transfer::per_peer)
        per_peer_in_place,  ///< the same if the call used MPI_IN_PLACE
    };

    struct Key {
        Transfer::Kind kind{};
        std::string call;
        Side side = Side::sent;

        auto operator<=>(const Key&) const = default;
    };

    std::map<Key, SizeHistogram> histograms;
};

/// Histograms of the sizes that the selected locations send and receive, from the folded form.
/// `exact`: also counts each size separately; memory then grows with the distinct sizes. Cost: that
/// of visit_transfers().
MessageSizes message_sizes(TraceFile& file, ExecutionCounts& counts,
                           const std::vector<bool>& selected, bool exact);

/// Splits a run at powers of two into parts of one size class, by ascending size.
void split_by_class(ValueRun run,
                    const std::function<void(std::size_t size_class, const ValueRun&)>& sink);

/// "send", "collective", "put".
std::string_view transfer_name(Transfer::Kind kind);

/// Whether sizes are per peer: their sum is no traffic.
constexpr bool is_per_peer(MessageSizes::Side side) { return side >= MessageSizes::Side::per_peer; }

/// "sent", "per_peer".
std::string_view side_name(MessageSizes::Side side);

/// Bounds of a class of SizeHistogram.
u64 smallest_of_class(std::size_t size_class);
u64 largest_of_class(std::size_t size_class);

/// Calls `line` for every non-empty class or exact size.
using SizeLine = std::function<void(u64 smallest, u64 largest, u64 count, u64 bytes)>;
void for_each_size(const SizeHistogram& histogram, bool exact, const SizeLine& line);

/// Writes a row per non-empty size class or, with `exact`, per size, which must have been counted.
void put_sizes(const MessageSizes& sizes, bool exact, TableSink& table);

/// Writes one row per pair: from, to, calls, bytes.
void put_matrix(const TrafficMatrix& matrix, TableSink& table);

}  // namespace tracefold
