// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "model/definition_index.hpp"
#include "model/mpi_function.hpp"
#include "mpi/collective_arguments.hpp"
#include "mpi/mpi_call.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

// Reconstructs a collective call without a record: its operation follows from the function's name,
// and its sizes from the metrics that some recorders write within the call
// (docs/reference/replay.md, "Collective calls without a record").
namespace tracefold {

/// The facts known to one member: the called function and its metric (kNoMetric: none).
struct UnrecordedCall {
    MpiFunction function = MpiFunction::other;
    u64 metric = kNoMetric;
};

/// True if one member's call is not enough: only the root's metric gives root and size, or a size
/// follows from the sizes of all members.
bool needs_other_members(MpiFunction function);

/// True if all members have the same metric: their arguments are equal.
bool has_equal_metrics(MpiFunction function);

/// A collective reconstructed from the calls of all members.
struct ExplainedCollective {
    CollectiveKind kind = CollectiveKind::barrier;
    u32 root = 0;           ///< rank; kNone for operations without a root
    bool has_root = false;  ///< the root was inferred, not assumed to be rank 0
    bool has_size = false;  ///< a metric gave the size; otherwise sizes are 0
    u32 size = 1;           ///< members
    u64 bytes = 0;          ///< of one share, or the total (`is_total`)
    bool is_total = false;
    std::vector<u64> metrics;  ///< by member, if members differ; otherwise empty

    /// The record that a member would have written, with sizes as OTF2 counts them.
    [[nodiscard]] Contribution of_member(u32 rank) const;
};

/// Takes the calls of all members by rank; all of one function.
ExplainedCollective explain_collective(std::span<const UnrecordedCall> members);

/// Takes the facts of one member and assumes the same for the others.
ExplainedCollective explain_collective(const UnrecordedCall& member, RankView view);

/// The inferences about the collective calls without a record of one location, in order, folded
/// while they are added. Memory: the folded size.
class InferredCollectives {
  public:
    /// Adds the next action with its part.
    void add(const Action& action);
    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// Serialises the inferences for a Cursor. Call once.
    std::string pack();

    /// Reads the inferences in order.
    class Cursor {
      public:
        /// `bytes` from pack(); empty: no inferences. Throws Error(corrupt).
        explicit Cursor(const std::string& bytes);
        /// Completes the parts of the actions of a call that have no record, and removes calls that
        /// no communicator's members all make. Call for every call in order. No effect after the
        /// last one.
        void apply(std::vector<Action>& actions);

      private:
        struct Columns {
            std::vector<Pattern> patterns;
            std::vector<Column> columns;
        };
        void explain(Action& action);

        std::unique_ptr<Columns> columns_;
        std::vector<ColumnCursor> cursors_;
        std::unordered_map<u64, CollectivePart> posted_;  ///< by request
        u64 left_ = 0;
    };

  private:
    static constexpr std::size_t kColumns = 5;

    ColumnBuilder columns_[kColumns];  ///< communicator, root, sent, received, facts
    u64 count_ = 0;
};

}  // namespace tracefold
