// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "model/event_table.hpp"
#include "mpi_calls/mapping_tables.hpp"

#include <array>
#include <optional>
#include <vector>

namespace tracefold {

/// Where a record type has its peer and the communicator or window that the peer is a rank of.
struct PeerFields {
    static constexpr u8 kNoField = 0xFF;

    u8 peer = kNoField;
    u8 scope = kNoField;
    bool window = false;  ///< the scope is a window

    [[nodiscard]] constexpr bool exist() const { return peer != kNoField; }
};

namespace detail {

constexpr PeerFields find_peer_fields(const RecordInfo& info) {
    PeerFields found;
    for (u8 i = 0; i < info.field_count; ++i) {
        const FieldKind kind = info.fields[i].kind;
        if (kind == FieldKind::peer) found.peer = i;
        if (kind == FieldKind::comm || kind == FieldKind::rma_win) {
            found.scope = i;
            found.window = kind == FieldKind::rma_win;
        }
    }
    return found;
}

inline constexpr std::array<PeerFields, kEventTypes> kPeerFields = [] {
    std::array<PeerFields, kEventTypes> all{};
    for (u8 type = 0; type < kEventTypes; ++type) all[type] = find_peer_fields(event_info(type));
    return all;
}();

}  // namespace detail

constexpr const PeerFields& peer_fields(u8 type) { return detail::kPeerFields[type]; }

/// How the location at hand sees communicators and windows, by their raw (local) ids. Views are
/// looked up once per id.
class RankViews {
  public:
    RankViews(const DefinitionIndex& definitions, const MappingTables& tables,
              const LocationDefinition& location);

    const RankView& of_communicator(u64 raw) {
        const bool known = raw < communicators_.size() && communicators_[raw];
        return known ? *communicators_[raw] : learn_communicator(raw);
    }
    const RankView& of_window(u64 raw) {
        const bool known = raw < windows_.size() && windows_[raw];
        return known ? *windows_[raw] : learn_window(raw);
    }
    /// The view of the record type's scope. Precondition: fields.exist().
    const RankView& of_scope(const PeerFields& fields, u64 raw) {
        return fields.window ? of_window(raw) : of_communicator(raw);
    }

  private:
    using Cache = std::vector<std::optional<RankView>>;

    const RankView& learn_communicator(u64 raw);
    const RankView& learn_window(u64 raw);
    const RankView& learn(Cache& cache, u64 raw, u64 global_communicator);

    const DefinitionIndex& definitions_;
    const MappingTables& tables_;
    std::optional<u32> world_rank_;
    Cache communicators_;
    Cache windows_;
    RankView far_;  ///< of the last id too large for the caches
};

}  // namespace tracefold
