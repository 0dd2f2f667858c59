// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/id_map.hpp"
#include "base/types.hpp"
#include "model/record_batch.hpp"
#include "model/symbol.hpp"

#include <array>
#include <memory>

namespace tracefold {

/// Limit of the array caches for local ids. Larger ids are looked up each time.
inline constexpr u64 kCachedIds = 65536;

/// The mapping tables of one location from local to global ids of definitions. Tables need not be
/// injective: only a ReferenceCode can be mapped back exactly. Copies share the tables.
class TRACEFOLD_API MappingTables {
  public:
    /// Adds the MappingTable records of a batch of local definitions; ignores other records.
    void add(const RecordBatch& batch);
    /// Uses the tables of another location for the kinds of definitions where both are equal.
    void share(const MappingTables& other);

    /// Returns the global id; the same id without an entry. Precondition: is_mapped(kind).
    [[nodiscard]] u64 global(FieldKind kind, u64 raw) const {
        return table(kind).to_global.at(raw);
    }

    /// Encodes a raw id for a symbol or column: by its global id if that maps back to it.
    [[nodiscard]] ReferenceCode encode(FieldKind kind, u64 raw) const;
    [[nodiscard]] u64 decode(FieldKind kind, ReferenceCode code) const {
        return (code & 1U) != 0 ? code >> 1U : table(kind).to_raw.at(code >> 1U);
    }
    /// Returns the global id of a code.
    [[nodiscard]] u64 global_of_code(FieldKind kind, ReferenceCode code) const {
        return (code & 1U) != 0 ? global(kind, code >> 1U) : code >> 1U;
    }

  private:
    struct Table {
        IdMap to_global;
        IdMap to_raw;  ///< global id -> smallest raw id
        bool operator==(const Table&) const = default;
    };

    [[nodiscard]] const Table& table(FieldKind kind) const {
        const Table* const found = tables_[static_cast<std::size_t>(mapping_type(kind))].get();
        return found == nullptr ? empty_table() : *found;
    }
    static const Table& empty_table();

    std::array<std::shared_ptr<Table>, kMappingKinds> tables_;  ///< null: empty
};

}  // namespace tracefold
