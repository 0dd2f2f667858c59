// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "fold/collective_sizes.hpp"
#include "fold/structure_index.hpp"
#include "model/structure.hpp"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace tracefold {

/// Equal messages, one-sided transfers or collective operations: `sent` and `received` hold one
/// size in bytes per transfer, all repeated `times` times.
struct Transfer {
    enum class Kind : u8 {
        send,        ///< blocking or nonblocking
        receive,     ///< of a completed message
        collective,  ///< a member's contribution; sizes as in OTF2, with the own part
        put,
        get,
        atomic,
    };

    Kind kind{};
    u32 symbol = 0;
    u32 location = 0;
    u32 peer =
        kNone;  ///< world rank; kNone: of a collective, or unknown (sender of a probed message)
    u64 communicator = 0;  ///< global id; for windows: their communicator
    u8 operation = 0;      ///< of a collective: OTF2_CollectiveOp
    ValueRun sent;
    ValueRun received;
    PeerSizes per_peer;  ///< of a collective
    u64 times = 1;

    [[nodiscard]] u64 calls() const { return sent.count * times; }
    /// Total bytes; kOverflow beyond 64 bits.
    [[nodiscard]] u64 bytes_sent() const { return sizes_of(sent, times); }
    [[nodiscard]] u64 bytes_received() const { return sizes_of(received, times); }

    /// Sum of the sizes, `times` times; kOverflow beyond 64 bits.
    static u64 sizes_of(const ValueRun& sizes, u64 times);
};

constexpr bool has_sent(Transfer::Kind kind) {
    return kind != Transfer::Kind::receive && kind != Transfer::Kind::get;
}
constexpr bool has_received(Transfer::Kind kind) {
    return kind != Transfer::Kind::send && kind != Transfer::Kind::put;
}

/// The kind of transfer of a record type or of its completion's type; none if it is no transfer.
std::optional<Transfer::Kind> transfer_kind(u8 type);

using TransferSink = std::function<void(const Transfer&)>;

/// Passes all transfers of the selected locations, location by location, from the folded form.
/// Cost: distinct argument combinations, computed once for each class of locations with the same
/// columns, without unwinding repetitions; then some 50 ns per location and combination. Memory:
/// the distinct combinations. Throws Error(corrupt).
void visit_transfers(TraceFile& file, ExecutionCounts& counts, const std::vector<bool>& selected,
                     const TransferSink& sink);

/// Where a symbol stores the data of one of its transfers.
struct TransferRecipe {
    static constexpr std::size_t kMaxFields = 6;

    Transfer::Kind kind{};
    u32 element = 0;
    u8 type = 0;       ///< EventType of the slots' fields: the completion if `late`
    bool raw = false;  ///< fields are stored unencoded
    bool late = false;
    u8 field_count = 0;  ///< values of the record in encoded form
    /// Slot of each value, kNone if irrelevant to the transfer.
    std::array<u32, kMaxFields> slots{};
    PeerEncoding peers = PeerEncoding::relative;
};

/// The transfers of a call symbol; empty for most. Cost: linear in its slots.
std::vector<TransferRecipe> transfer_recipes(const Structure& structure, u32 symbol,
                                             const std::vector<Slot>& slots);

}  // namespace tracefold
