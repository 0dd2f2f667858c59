// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"
#include "model/symbol.hpp"

#include <array>
#include <unordered_map>

namespace tracefold {

/// The mapping tables of one location: local ids of definitions to global ones. Tables need not be
/// injective, so going back is exact only through a ReferenceCode.
class MappingTables {
  public:
    /// Takes the MappingTable records of a batch of local definitions; ignores all others.
    void add(const RecordBatch& batch);

    /// The global id; ids without an entry stay as they are. Precondition: is_mapped(kind).
    [[nodiscard]] u64 global(FieldKind kind, u64 raw) const;

    /// How a raw id stands in a symbol or column: by its global id wherever that leads back.
    [[nodiscard]] ReferenceCode encode(FieldKind kind, u64 raw) const;
    [[nodiscard]] u64 decode(FieldKind kind, ReferenceCode code) const;
    /// The global id behind a code.
    [[nodiscard]] u64 global_of_code(FieldKind kind, ReferenceCode code) const {
        return (code & 1U) != 0 ? global(kind, code >> 1U) : code >> 1U;
    }

  private:
    struct Table {
        std::unordered_map<u64, u64> to_global;
        std::unordered_map<u64, u64> to_raw;  ///< the smallest raw id of each global one
    };

    [[nodiscard]] u64 raw_of(FieldKind kind, u64 global_id) const;

    std::array<Table, kMappingKinds> tables_;
};

}  // namespace tracefold
