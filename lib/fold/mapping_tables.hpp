// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/record_batch.hpp"
#include "model/symbol.hpp"

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Facts about local ids below this are kept in arrays. A larger id (a recorder's choice) is looked
/// up each time.
inline constexpr u64 kCachedIds = 65536;

/// Numbers by number, without hashing for small keys.
class TRACEFOLD_API IdMap {
  public:
    /// Says how many entries to expect: keys up to a few times their number will cost no hashing.
    void reserve(u64 entries);
    /// Adds an entry or replaces it.
    void set(u64 key, u64 value);
    [[nodiscard]] std::optional<u64> find(u64 key) const;
    /// The value of a key; without an entry the key itself.
    [[nodiscard]] u64 at(u64 key) const {
        if (key < near_.size() && near_[key] != kAbsent) return near_[key];
        return far_.empty() ? key : find(key).value_or(key);
    }

  private:
    static constexpr u64 kAbsent = ~u64{0};

    u64 near_limit_ = 0;     ///< keys from here on are never near
    std::vector<u64> near_;  ///< kAbsent: perhaps in far_
    std::unordered_map<u64, u64> far_;
};

/// The mapping tables of one location: local ids of definitions to global ones. Tables need not be
/// injective, so going back is exact only through a ReferenceCode.
class TRACEFOLD_API MappingTables {
  public:
    /// Takes the MappingTable records of a batch of local definitions; ignores all others.
    void add(const RecordBatch& batch);

    /// The global id; ids without an entry stay as they are. Precondition: is_mapped(kind).
    [[nodiscard]] u64 global(FieldKind kind, u64 raw) const {
        return table(kind).to_global.at(raw);
    }

    /// How a raw id stands in a symbol or column: by its global id wherever that leads back.
    [[nodiscard]] ReferenceCode encode(FieldKind kind, u64 raw) const;
    [[nodiscard]] u64 decode(FieldKind kind, ReferenceCode code) const {
        return (code & 1U) != 0 ? code >> 1U : table(kind).to_raw.at(code >> 1U);
    }
    /// The global id behind a code.
    [[nodiscard]] u64 global_of_code(FieldKind kind, ReferenceCode code) const {
        return (code & 1U) != 0 ? global(kind, code >> 1U) : code >> 1U;
    }

  private:
    struct Table {
        IdMap to_global;
        IdMap to_raw;  ///< the smallest raw id of each global one
    };

    [[nodiscard]] const Table& table(FieldKind kind) const {
        return tables_[static_cast<std::size_t>(mapping_type(kind))];
    }

    std::array<Table, kMappingKinds> tables_;
};

}  // namespace tracefold
