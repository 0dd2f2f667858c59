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

// What can be said of a collective call that left no record: its operation is that of the
// function's name, and its sizes are those of the metrics that some recorders write within the call
// (docs/reference/replay.md, "Collective calls without a record").
namespace tracefold {

/// What one member knows: the function that it called, and what its metric says (kNoMetric: none).
struct UnrecordedCall {
    MpiFunction function = MpiFunction::other;
    u64 metric = kNoMetric;
};

/// True if the members' calls do not explain themselves one by one: only the root's metric says who
/// it is and how much is moved, or all sizes together say what one of them is.
bool needs_other_members(MpiFunction function);

/// True if all members' metrics say the same: the arguments of all are equal.
bool has_equal_metrics(MpiFunction function);

/// What the members of a communicator together know of one of its collectives.
struct ExplainedCollective {
    CollectiveKind kind = CollectiveKind::barrier;
    u32 root = 0;           ///< rank; kNone of operations without
    bool has_root = false;  ///< the root was found, not assumed to be rank 0
    bool has_size = false;  ///< a metric told; else the sizes are 0
    u32 size = 1;           ///< members
    u64 bytes = 0;          ///< of one share, or of all together (`is_total`)
    bool is_total = false;
    std::vector<u64> metrics;  ///< by member, where members differ; else empty

    /// What a member would have recorded, as OTF2 counts sizes.
    [[nodiscard]] Contribution of_member(u32 rank) const;
};

/// Of the calls of all members by rank, which are of one function.
ExplainedCollective explain_collective(std::span<const UnrecordedCall> members);

/// The same from what one member alone knows: it takes the others to know the same.
ExplainedCollective explain_collective(const UnrecordedCall& member, RankView view);

/// What was found out about the collective calls without a record of one location, call by call:
/// folded while it is added. Memory: the folded size.
class InferredCollectives {
  public:
    /// `action` is the next one, with its part.
    void add(const Action& action);
    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// All of it as bytes, for a Cursor. Call once.
    std::string pack();

    /// Gives it back, call by call.
    class Cursor {
      public:
        /// Of what pack() made; empty: nothing. Throws Error(corrupt).
        explicit Cursor(const std::string& bytes);
        /// Completes the parts of those of a call's actions that had no record, and takes away what
        /// no communicator's members all call. For every call in order. Does nothing after the last
        /// one that was added.
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
