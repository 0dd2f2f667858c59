// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "model/symbol.hpp"
#include "mpi_calls/mapping_tables.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// Where a record type has its peer and the communicator or window that the peer is a rank of.
struct PeerFields {
    static constexpr u8 kNoField = 0xFF;

    u8 peer = kNoField;
    u8 scope = kNoField;
    bool window = false;  ///< the scope is a window

    [[nodiscard]] bool exist() const { return peer != kNoField; }
};
const PeerFields& peer_fields(u8 type);

/// How the location at hand sees communicators and windows, by their raw (local) ids. Views are
/// looked up once per id.
class RankViews {
  public:
    RankViews(const DefinitionIndex& definitions, const MappingTables& tables,
              const LocationDefinition& location);

    const RankView& of_communicator(u64 raw) {
        if (raw < communicators_.size() && communicators_[raw]) return *communicators_[raw];
        return find_communicator(raw);
    }
    const RankView& of_window(u64 raw);
    /// The view of the record type's scope. Precondition: fields.exist().
    const RankView& of_scope(const PeerFields& fields, u64 raw) {
        return fields.window ? of_window(raw) : of_communicator(raw);
    }

  private:
    const RankView& find_communicator(u64 raw);
    [[nodiscard]] RankView look_up(u64 global_communicator) const;

    const DefinitionIndex& definitions_;
    const MappingTables& tables_;
    std::optional<u32> world_rank_;
    std::vector<std::optional<RankView>> communicators_;
    std::vector<std::optional<RankView>> windows_;
    RankView far_;  ///< of the last id too large for the tables
};

/// Encodes the fields of event records for folding and back: peers relative to the own rank,
/// request and matching ids as steps, sizes of collectives as payload and residual, references
/// through the mapping tables. Encoder and decoder run the same state machine: feed both the same
/// records in the same order.
class FieldCodec {
  public:
    FieldCodec(const DefinitionIndex& definitions, const MappingTables& tables,
               const LocationDefinition& location)
        : tables_(tables), views_(definitions, tables, location) {}

    /// Appends the column values of `fields` of a record of this type; counts of fixed arrays and
    /// context fields are left out. False (with nothing appended and no state changed) if the
    /// values cannot be expressed. `field_limit` fields are encoded: a completion's request id,
    /// its last field, is left to the caller.
    bool encode(u8 type, std::span<const u64> fields, u8 field_limit, std::vector<u64>& out);

    /// The exact inverse; consumes from `values` what encode() appended. `array_count` and
    /// `context` are the element's. Appends to `fields`. Precondition: `values` is long enough.
    void decode(u8 type, const Element& element, std::span<const u64> values, u8 field_limit,
                std::vector<u64>& fields);

    [[nodiscard]] const MappingTables& tables() const { return tables_; }
    RankViews& views() { return views_; }

  private:
    void decode_any(u8 type, const Element& element, std::span<const u64> values, u8 field_limit,
                    std::vector<u64>& fields);
    const RankView& view(u8 type, std::span<const u64> fields);
    u64 encode_one(FieldKind kind, u64 value, const RankView& view);
    u64 decode_one(FieldKind kind, u64 value, const RankView& view);

    const MappingTables& tables_;
    RankViews views_;
    u64 last_request_ = 0;
    u64 last_matching_ = 0;
};

/// A peer as it stands in a column, relative to the own rank; OTF2's special ranks stay absolute.
/// OTF2's special ranks are the largest 32-bit numbers; they are the same on every rank.
inline constexpr u64 kSpecialRanks = 0xFFFFFFF0U;
inline constexpr u64 kAbsolutePeer = u64{1} << 33U;

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
