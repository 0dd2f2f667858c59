// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "fold/folder.hpp"
#include "fold/structure_store.hpp"
#include "model/call_batch.hpp"

#include <vector>

namespace tracefold {

/// Folds one stream of one location: its symbols into a script, every slot's values into a column.
/// Cost per event: a compare and an increment for the symbol and for each value while they are
/// predicted. Memory: the folded size.
class LocationFolder {
  public:
    void consume(const CallBatch& batch);

    /// Adds the result to the store. `symbols` are those of the call model that filled the batches,
    /// `peers` (by column, may be shorter) says how the location sees the peers in a column. Call
    /// once.
    void finish(StructureStore& store, Stream stream, u32 location,
                const std::vector<Symbol>& symbols, const std::vector<PeerView>& peers = {});

  private:
    Folder script_;
    u32 symbol_ = kNone;  ///< of the running run
    u64 run_ = 0;
    std::vector<ColumnBuilder> columns_;
};

}  // namespace tracefold
