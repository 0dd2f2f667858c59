// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi_calls/mapping_tables.hpp"
#include "replay/call_recipes.hpp"
#include "replay/matched_messages.hpp"
#include "replay/mpi_call.hpp"
#include "trace/call_reader.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Turns the records of a call into actions with global ids.
class ActionReader {
  public:
    /// Everything must outlive this object.
    ActionReader(TraceFile& file, const CallReader& stream);

    /// Appends what the stream's record says; call for all records in order. Of files only those
    /// that MPI opened count, of messages that a probe took those whose probe is in the trace.
    void append(std::size_t record, const ElementRecipe& recipe, std::vector<Action>& actions);

    /// What a metric record says of the size of the call that it is in; kNoMetric: nothing.
    [[nodiscard]] u64 size_told_by(std::size_t record) const;
    /// A collective call that left no record, from its function, that metric, and the definitions.
    [[nodiscard]] Action unrecorded_collective(MpiFunctionInfo caller, u64 metric, u64 time) const;

  private:
    [[nodiscard]] const CallReader::Posted* posted(std::size_t record) const;
    [[nodiscard]] u64 global(FieldKind kind, u64 raw) const {
        return stream_.tables().global(kind, raw);
    }
    [[nodiscard]] Envelope envelope(std::span<const u64> fields) const;
    [[nodiscard]] CollectivePart part(std::span<const u64> fields) const;
    void other(const ElementRecipe& recipe, const RecordBatch::Head& head, Action& action) const;
    void probe(std::span<const u64> fields, Action& action);
    bool matched(std::span<const u64> fields, Action& action);
    MatchedMessages& messages();

    TraceFile& file_;
    const DefinitionIndex& definitions_;
    const CallReader& stream_;
    u32 rank_;                                 ///< world rank
    std::optional<MatchedMessages> messages_;  ///< once there is one
};

}  // namespace tracefold
