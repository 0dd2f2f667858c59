// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi_calls/mapping_tables.hpp"
#include "pipeline/call_stream.hpp"
#include "replay/call_recipes.hpp"
#include "replay/operation.hpp"

#include <vector>

namespace tracefold {

/// Turns the records of a call into actions with global ids.
class ActionReader {
  public:
    /// Everything must outlive this object.
    ActionReader(const TraceFile& file, const CallStream& stream);

    /// Appends what the stream's record says. Of files only those that MPI opened count.
    void append(std::size_t record, const ElementRecipe& recipe,
                std::vector<Action>& actions) const;

    /// What a metric record says of the size of the call that it is in; kNoMetric: nothing.
    [[nodiscard]] u64 size_told_by(std::size_t record) const;
    /// A collective call that left no record, from its function, that metric, and the definitions.
    [[nodiscard]] Action unrecorded_collective(MpiFunctionInfo caller, u64 metric, u64 time) const;

  private:
    [[nodiscard]] const CallStream::Posted* posted(std::size_t record) const;
    [[nodiscard]] u64 global(FieldKind kind, u64 raw) const {
        return stream_.tables().global(kind, raw);
    }
    [[nodiscard]] Envelope envelope(std::span<const u64> fields) const;
    [[nodiscard]] CollectivePart part(std::span<const u64> fields) const;
    void other(const ElementRecipe& recipe, const RecordBatch::Head& head, Action& action) const;

    const DefinitionIndex& definitions_;
    const CallStream& stream_;
    u32 rank_;  ///< world rank
};

}  // namespace tracefold
