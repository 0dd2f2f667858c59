// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/call_encoder.hpp"
#include "fold/structure_store.hpp"
#include "support/record_builder.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracefold {

/// What the call model makes of the records of one location.
struct EncodedCalls {
    CallBatch calls;
    std::vector<Symbol> symbols;
    RawRecords raw;
    std::vector<PeerView> peers;
    bool has_restarts = false;
};

/// Encodes with timing, at most `piece` records at a time. `scout`: see CallEncoder; from record
/// `restarts_from` on requests are expected to begin again.
EncodedCalls encode_calls(const SmallWorld& world, const MappingTables& tables, u32 rank,
                          const RecordBatch& records, std::size_t piece = ~std::size_t{0},
                          const PollDetector* scout = nullptr,
                          std::size_t restarts_from = ~std::size_t{0});

/// The values of all slots of one kind in execution order, over all symbols.
std::vector<u64> values_of_kind(const EncodedCalls& encoded, FieldKind kind);

/// Folds encoded calls into a store.
void fold_calls(const EncodedCalls& encoded, u32 rank, StructureStore& store);

/// Unwinds and decodes the events of one location; `groups` receives the timing group per record.
RecordBatch unfold_calls(const SmallWorld& world, const MappingTables& tables, u32 rank,
                         const Structure& structure, std::vector<u32>* groups = nullptr);

/// Encodes, folds, unfolds and decodes: true if the records come back and if each record's tick
/// delta stands in the group that the decoder expects.
::testing::AssertionResult survives(const SmallWorld& world, const MappingTables& tables, u32 rank,
                                    const RecordBatch& records);

}  // namespace tracefold
