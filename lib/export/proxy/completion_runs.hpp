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

/// Consecutive calls that complete any ready ones of several requests: MPI_Waitany and its
/// variants. Timing decides which call completes which request; their union is fixed.
struct CompletionRun {
    MpiFunction function{};  ///< of the first call
    u64 calls = 0;
    std::vector<u64> requests;
};

/// Reads the calls of a rank with look-ahead to the end of such runs. Memory: a few thousand calls;
/// longer runs are split.
class CompletionRuns {
  public:
    /// Reads the next call; false after the last. Actions are valid until the next one.
    using Source = std::function<bool(MpiCall&)>;

    /// `functions`: the functions of runs.
    CompletionRuns(Source source, std::set<MpiFunction> functions)
        : source_(std::move(source)), functions_(std::move(functions)) {}

    /// Reads the same calls in order; calls of a run have no actions.
    bool next(MpiCall& call);
    /// The run that begins with the last call; null if none.
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
    std::optional<MpiCall> held_;  ///< the call after the run
    std::vector<Action> held_actions_;
};

/// Distinguishes functions called until all receives, or all sends, are complete from functions
/// whose completed requests determine the next action: by the majority of their runs. Memory: a
/// rank's outstanding requests.
class CompletionIdiomDetector {
  public:
    void begin_rank();
    /// Call for every call of the rank in order; `run`: the run that it begins, or null.
    void add(const MpiCall& call, const CompletionRun* run);

    /// The functions called until all are complete.
    [[nodiscard]] std::set<MpiFunction> functions() const;
    /// All functions examined.
    static std::set<MpiFunction> candidates();

  private:
    using Kind = Action::Kind;
    void complete(u64 request);

    std::unordered_map<u64, Kind> outstanding_;  ///< by request: kind of the posting action
    std::map<Kind, u64> left_;                   ///< outstanding ones by kind
    std::map<MpiFunction, i64> surplus_;         ///< of runs that complete all of a kind
};

/// The folded sizes of all ranks in collectives with a count per partner: the counts of one rank
/// follow from the sizes of the others. Memory: the folded sequences.
class VectorSizes {
  public:
    /// Adds the sizes of a rank's next collective on a communicator.
    void record(u32 rank, u64 comm, const Contribution& sizes);
    /// Call after the last record().
    void finish();

    /// Reads the collectives of all communicators in order.
    class Walk {
      public:
        explicit Walk(const VectorSizes& sizes) : sizes_(sizes) {}

        /// The sizes of all members in the next collective of a communicator, valid until the next
        /// invocation. Throws Error(corrupt) if a member took part in fewer.
        std::span<const Contribution> next(u64 comm, std::span<const u64> members);
        /// Skips a collective. Cost: constant, unless next() follows.
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
