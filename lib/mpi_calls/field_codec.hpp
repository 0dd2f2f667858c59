// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/append_buffer.hpp"
#include "model/symbol.hpp"
#include "mpi_calls/counted_ids.hpp"
#include "mpi_calls/mapping_tables.hpp"
#include "mpi_calls/rank_views.hpp"

#include <span>

namespace tracefold {

/// Encodes the fields of event records for folding and back: peers relative to the own rank,
/// request and matching ids as steps, sizes of collectives as payload and residual, references
/// through the mapping tables. Encoder and decoder run the same state machine: feed both the same
/// records in the same order.
class FieldCodec {
  public:
    FieldCodec(const DefinitionIndex& definitions, const MappingTables& tables,
               const LocationDefinition& location)
        : tables_(tables), views_(definitions, tables, location) {}

    /// Appends the column values of `fields` of a record of this type; counts of fixed arrays,
    /// context fields and the request id of a completion, which the caller encodes, are left out.
    /// False (with nothing appended and no state changed) if the values cannot be expressed.
    bool encode(u8 type, std::span<const u64> fields, AppendBuffer<u64>& out);

    /// The exact inverse; consumes from `values` what encode() appended. `array_count` and
    /// `context` are the element's. Appends to `fields`. Precondition: `values` is long enough.
    void decode(u8 type, const Element& element, std::span<const u64> values,
                AppendBuffer<u64>& fields);

    /// A request ended, which may begin again.
    void end_request(u64 id) { last_[IdCounter::ended] = id; }
    /// From now on a request that begins again as soon as it ended has the code 0, and is none that
    /// others are steps from; but not if there were such requests before. A decoder does the same
    /// before the first record if has_restarts() is true of the encoder in the end.
    void expect_restarts() { expects_restarts_ = expects_restarts_ || !had_restarts_; }
    [[nodiscard]] bool expects_restarts() const { return expects_restarts_; }
    [[nodiscard]] bool has_restarts() const { return expects_restarts_ && had_restarts_; }

    [[nodiscard]] const MappingTables& tables() const { return tables_; }
    RankViews& views() { return views_; }
    /// What the next ids are steps from; all the state there is that they depend on.
    [[nodiscard]] const CountedIds& last_ids() const { return last_; }
    void set_last_ids(const CountedIds& ids) { last_ = ids; }

  private:
    template <EventType kType>
    struct Coder;

    u64 encode_request_id(u64 id);
    u64 decode_request_id(u64 code);
    void begin_request(u64 id);

    const MappingTables& tables_;
    RankViews views_;
    CountedIds last_;
    bool expects_restarts_ = false;
    bool had_restarts_ = false;  ///< whether they were expected or not
};

/// OTF2's special ranks are the largest 32-bit numbers; they are the same on every rank.
inline constexpr u64 kSpecialRanks = 0xFFFFFFF0U;
inline constexpr u64 kAbsolutePeer = u64{1} << 33U;

/// A peer as it stands in a column, relative to the own rank; OTF2's special ranks stay absolute.
constexpr u64 encode_peer(u64 peer, u32 me) {
    return peer >= kSpecialRanks ? peer + kAbsolutePeer : peer - me;
}
constexpr u64 decode_peer(u64 value, u32 me) {
    const u64 special = value - kAbsolutePeer;
    return special >= kSpecialRanks && special <= kNone ? special : value + me;
}

/// True for the kinds whose column holds a ReferenceCode.
constexpr bool is_reference_code(FieldKind kind) {
    switch (kind) {
        case FieldKind::string:
        case FieldKind::attribute:
        case FieldKind::region:
        case FieldKind::parameter:
        case FieldKind::source_code_location:
        case FieldKind::calling_context:
        case FieldKind::interrupt_generator:
            return true;
        default:
            return false;
    }
}

}  // namespace tracefold
