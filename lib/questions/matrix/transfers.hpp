// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "fold/structure_index.hpp"
#include "model/structure.hpp"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace tracefold {

/// Messages, one-sided transfers or collective operations that are alike: `sent` and `received`
/// have as many sizes in bytes as there are such transfers, all of it `times` times over.
struct Transfer {
    enum class Kind : u8 {
        send,        ///< blocking or not
        receive,     ///< of a message that came
        collective,  ///< a member's part; sizes as OTF2 counts them, the own part included
        put,
        get,
        atomic,
    };

    Kind kind{};
    u32 symbol = 0;
    u32 location = 0;
    u32 peer = kNone;      ///< process; kNone: of a collective, or not known, as the sender of a
                           ///< message that a probe took, whose record alone has it
    u64 communicator = 0;  ///< global id; of a window that of its communicator
    u8 operation = 0;      ///< of a collective: OTF2_CollectiveOp
    ValueRun sent;
    ValueRun received;
    /// Of a collective: the bytes that each peer gives or gets, which the record has multiplied by
    /// the number of members; nothing if that is not known or not the same for all peers.
    std::optional<u64> per_peer;
    u64 times = 1;

    [[nodiscard]] u64 calls() const { return sent.count * times; }
    /// kOverflow beyond 64 bits.
    [[nodiscard]] u64 bytes_sent() const { return sizes_of(sent, times); }
    [[nodiscard]] u64 bytes_received() const { return sizes_of(received, times); }

    /// The sum of sizes, as many times over; kOverflow beyond 64 bits.
    static u64 sizes_of(const ValueRun& sizes, u64 times);
};

constexpr bool has_sent(Transfer::Kind kind) {
    return kind != Transfer::Kind::receive && kind != Transfer::Kind::get;
}
constexpr bool has_received(Transfer::Kind kind) {
    return kind != Transfer::Kind::send && kind != Transfer::Kind::put;
}

/// What a record is, by its type or that of the completion whose fields say so; nothing if it is no
/// transfer.
std::optional<Transfer::Kind> transfer_kind(u8 type);

using TransferSink = std::function<void(const Transfer&)>;

/// Passes all transfers of the selected locations, location by location, worked out from the folded
/// form. Cost: per location its different combinations of arguments; these are worked out once for
/// all locations with the same columns, without walking through what repeats. Memory: the different
/// combinations. Throws Error(corrupt).
void visit_transfers(TraceFile& file, ExecutionCounts& counts, const std::vector<bool>& selected,
                     const TransferSink& sink);

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
