// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "mpi/collective_arguments.hpp"
#include "mpi/mpi_call.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Calls in a row that complete some of several requests, whichever are ready: MPI_Waitany and its
/// like. Which of them completes what is chance, what all of them complete is not.
struct CompletionRun {
    MpiFunction function{};  ///< of the first call
    u64 calls = 0;
    std::vector<u64> requests;
};

/// Reads the calls of a rank and looks ahead to the end of such runs. Memory: a few thousand calls;
/// a run that is longer is taken for several.
class CompletionRuns {
  public:
    /// Reads the next call; false after the last. Actions are valid until the one after.
    using Source = std::function<bool(MpiCall&)>;

    /// `functions`: those that runs consist of.
    CompletionRuns(Source source, std::set<MpiFunction> functions)
        : source_(std::move(source)), functions_(std::move(functions)) {}

    /// The same calls in the same order, but those of a run have no actions.
    bool next(MpiCall& call);
    /// The run that begins with the call just read; null if none does.
    [[nodiscard]] const CompletionRun* begun() const { return begins_ ? &run_ : nullptr; }

  private:
    [[nodiscard]] bool may_be_in_run(const MpiCall& call) const;
    void read_run(MpiCall& first);
    void add(MpiCall& call);

    Source source_;
    std::set<MpiFunction> functions_;
    CompletionRun run_;
    bool begins_ = false;
    std::deque<MpiCall> ahead_;    ///< the rest of the run
    std::optional<MpiCall> held_;  ///< the call that ended it
    std::vector<Action> held_actions_;
};

/// Tells functions that are called until all receives, or all sends, are complete from those that
/// some of them complete with, which decide what the program does next: by what most of their runs
/// do. Memory: what a rank has outstanding.
class CompletionIdiomDetector {
  public:
    void begin_rank();
    /// For every call of the rank in order; `run`: the one that it begins, or null.
    void add(const MpiCall& call, const CompletionRun* run);

    /// Those of the first kind.
    [[nodiscard]] std::set<MpiFunction> functions() const;
    /// All that are looked at.
    static std::set<MpiFunction> candidates();

  private:
    using Kind = Action::Kind;
    void complete(u64 request);

    std::unordered_map<u64, Kind> outstanding_;  ///< by request: the kind of the action that posts
    std::map<Kind, u64> left_;                   ///< outstanding ones of each kind
    std::map<MpiFunction, i64> surplus_;         ///< of runs that complete all of a kind
};

/// What every rank sent and received in its collectives with a count per partner, folded, since the
/// counts of one rank follow from the sizes of the others. Memory: the folded sequences.
class VectorSizes {
  public:
    /// The sizes of a rank's next collective on a communicator.
    void record(u32 rank, u64 comm, const Contribution& sizes);
    /// After the last.
    void finish();

    /// Walks through the collectives of all communicators from the beginning.
    class Walk {
      public:
        explicit Walk(const VectorSizes& sizes) : sizes_(sizes) {}

        /// The sizes of all members in the next collective of a communicator, valid until the one
        /// after. Throws Error(corrupt) if a member took part in fewer.
        std::span<const Contribution> next(u64 comm, std::span<const u64> members);
        /// Passes over one that the caller need not know. Cost: a constant, unless next() follows.
        void skip(u64 comm) { ++skipped_[comm]; }

      private:
        struct Group {
            std::vector<ColumnCursor> cursors;  ///< by member: sent, received
            u64 left = 0;
            std::vector<Contribution> sizes;
        };
        Group& group(u64 comm, std::span<const u64> members);

        const VectorSizes& sizes_;
        std::unordered_map<u64, Group> groups_;
        std::unordered_map<u64, u64> skipped_;
    };

  private:
    struct Sequence {
        ColumnBuilder sent;
        ColumnBuilder received;
        u64 count = 0;
        u32 columns[2] = {kNone, kNone};
    };

    std::map<std::pair<u32, u64>, Sequence> sequences_;  ///< by rank and communicator
    StructurePool pool_;
};

}  // namespace tracefold
