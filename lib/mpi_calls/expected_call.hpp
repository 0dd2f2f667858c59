// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"
#include "mpi_calls/mapping_tables.hpp"
#include "mpi_calls/record_traits.hpp"
#include "mpi_calls/symbol_table.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// A record that a call is expected to have.
struct ExpectedRecord {
    u64 detail = 0;            ///< its region or the length of its arrays,
    u8 detail_at = kNoDetail;  ///< and which value that is
    u8 type = 0;
    bool has_values = false;  ///< it is more than a region or calling context
    bool posts = false;       ///< it creates a request
    u32 node = 0;             ///< of the symbol table, after this record

    [[nodiscard]] bool is(const RecordBatch& batch, const RecordBatch::Head& head) const {
        return head.type == type && head.attribute_count == 0 &&
               (detail_at == kNoDetail || batch.values(head)[detail_at] == detail);
    }
};

/// The records of a call from its Enter to its Leave. Empty if they do not follow from the symbol
/// (completions, attributes) or if it takes a closer look to tell whether they can be encoded.
using ExpectedCall = std::vector<ExpectedRecord>;

/// The records of the symbol at a node. Cost: linear in its elements.
ExpectedCall expected_call(const SymbolTable& table, u32 node, const MappingTables& tables);

/// True if the next records are the expected ones.
inline bool is_next(const ExpectedCall& expected, const RecordBatch& batch,
                    std::span<const RecordBatch::Head> heads) {
    if (expected.size() > heads.size()) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!expected[i].is(batch, heads[i])) return false;
    }
    return true;
}

}  // namespace tracefold
