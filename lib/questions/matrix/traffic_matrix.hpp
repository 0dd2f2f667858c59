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

/// How often transfers of which size occur: class 0 is no bytes, class k is 2^(k-1) to 2^k - 1.
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
    std::map<u64, u64> exact;  ///< size -> count, if asked for

    /// Adds the numbers of a run, each `times` times. Cost: the classes that it meets.
    void add(const ValueRun& run, u64 times);
};

/// Sizes by call and side.
struct MessageSizes {
    enum class Side : u8 {
        sent,      ///< of a collective: per call, to all members together, as OTF2 counts
        received,  ///< likewise
        per_peer,  ///< of a collective: per call, to or from each member (Transfer::per_peer)
    };

    struct Key {
        Transfer::Kind kind{};
        std::string call;
        Side side = Side::sent;

        auto operator<=>(const Key&) const = default;
    };

    std::map<Key, SizeHistogram> histograms;
};

/// Histograms of what the selected locations send and receive, in the folded form: see
/// visit_transfers() for the cost. With `exact`, every size is counted for itself as well; memory
/// then grows with the number of different sizes.
MessageSizes message_sizes(TraceFile& file, ExecutionCounts& counts,
                           const std::vector<bool>& selected, bool exact);

/// Cuts a run at the powers of two: parts with sizes of one class each, by rising size.
void split_by_class(ValueRun run,
                    const std::function<void(std::size_t size_class, const ValueRun&)>& sink);

/// "send", "collective", "put".
std::string_view transfer_name(Transfer::Kind kind);

/// "sent", "per_peer".
std::string_view side_name(MessageSizes::Side side);

/// The bounds of a class of SizeHistogram.
u64 smallest_of_class(std::size_t size_class);
u64 largest_of_class(std::size_t size_class);

/// Calls `line` with the bounds, count and bytes of every class or exact size that occurs.
using SizeLine = std::function<void(u64 smallest, u64 largest, u64 count, u64 bytes)>;
void for_each_size(const SizeHistogram& histogram, bool exact, const SizeLine& line);

/// A row per size class or, with `exact`, per size that occurs. Precondition: the sizes were
/// counted that way.
void put_sizes(const MessageSizes& sizes, bool exact, TableSink& table);

/// One row per pair: from, to, calls, bytes.
void put_matrix(const TrafficMatrix& matrix, TableSink& table);

}  // namespace tracefold
