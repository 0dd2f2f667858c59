// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/trace_file.hpp"
#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "fold/structure_pool.hpp"
#include "mpi/check.hpp"
#include "mpi/collective_arguments.hpp"
#include "mpi/matching_observer.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

/// A traffic matrix of which only row and column sums are known. Every entry is the share that is
/// proportional to both sums, rounded down, plus a few bytes of the rounding remainders, which are
/// dealt to the columns in turn. Deterministic. Memory: linear in rows and columns; no matrix.
class Transport {
  public:
    /// If the two totals differ, the columns are scaled to the rows: see is_exact(). Without column
    /// sums, each row is spread evenly. Cost: rows x columns.
    Transport(std::vector<u64> row_sums, std::vector<u64> column_sums);

    /// True if the column sums are the requested ones.
    [[nodiscard]] bool is_exact() const { return exact_; }

    /// The largest sum of a row or column.
    [[nodiscard]] u64 largest_sum() const;

    /// One row or column of the matrix. Cost: (rows + columns) log.
    void row(u32 row, std::vector<u64>& out) const;
    void column(u32 column, std::vector<u64>& out) const;

  private:
    void scale_columns(u64 total);
    void find_rest();
    [[nodiscard]] u64 share(u32 row, u32 column) const;

    std::vector<u64> rows_;
    std::vector<u64> columns_;
    u64 total_ = 0;
    bool exact_ = true;
    /// Prefix sums of the rounding remainders of the rows: one entry more than rows.
    std::vector<u64> row_rest_;
    /// Rounding remainders of the columns, in layers: the k-th layer holds the columns that lack k
    /// or more, in the order of `dealt_`. Begin of each layer, and the end of the last one.
    std::vector<u64> layers_;
    std::vector<u32> dealt_;  ///< columns sorted by falling remainder
    std::vector<u32> place_;  ///< index of each column in dealt_
};

/// The sizes that the members of a communicator recorded for one collective operation. An
/// intercommunicator lists the members of one side, then those of the other.
struct CollectiveRecords {
    CollectiveKind kind = CollectiveKind::barrier;
    u32 root = kNone;    ///< member; kNone: none
    u32 first_side = 0;  ///< members of the first side; all without an intercommunicator
    std::vector<Contribution> sizes;  ///< by member

    bool operator==(const CollectiveRecords&) const = default;
};

/// A collective operation from the view of all its members: the location of data before and after.
/// Computed once; members only read it.
class Exchange {
  public:
    explicit Exchange(const CollectiveRecords& records);

    [[nodiscard]] CollectiveKind kind() const { return kind_; }
    [[nodiscard]] u32 root() const { return root_; }
    /// Members of both sides.
    [[nodiscard]] u32 size() const { return size_; }
    [[nodiscard]] u32 first_side() const { return first_side_; }
    [[nodiscard]] bool is_inter() const { return first_side_ != size_; }
    /// True if all blocks are equal, in an intercommunicator on both sides.
    [[nodiscard]] bool has_equal_blocks() const { return blocks_.empty(); }
    /// True if the records of the members contradict each other: the exchange is then a compromise.
    [[nodiscard]] bool is_compromise() const { return compromise_; }

    /// Bytes of a member's block. Bcast, Reduce, Allreduce, Scan, Exscan: the whole vector;
    /// Gather(v), Allgather(v): its contribution; Scatter(v), Reduce_scatter(_block): its result;
    /// Alltoall: its message to each partner.
    [[nodiscard]] u64 block(u32 member) const { return blocks_.empty() ? bytes_ : blocks_[member]; }
    /// Bytes of the blocks of `count` members from `first` on, cyclically.
    [[nodiscard]] u64 blocks(u32 first, u32 count) const;

    /// The largest total that a member sends or receives.
    [[nodiscard]] u64 largest_sum() const;

    /// Alltoallv, Alltoallw: bytes that a member sends to, or receives from, each member of the
    /// other side (without an intercommunicator: of all).
    void sends(u32 member, std::vector<u64>& out) const;
    void receives(u32 member, std::vector<u64>& out) const;

  private:
    void set_blocks(std::vector<u64> blocks);
    void spread(const CollectiveRecords& records);
    void add_uniform(const CollectiveRecords& records);
    void add_shares(const CollectiveRecords& records);

    CollectiveKind kind_;
    u32 root_;
    u32 size_;
    u32 first_side_;
    bool compromise_ = false;
    u64 bytes_ = 0;
    std::vector<u64> blocks_;          ///< empty: all are bytes_
    std::vector<u64> summed_;          ///< prefix sums of the blocks, one entry more than blocks
    std::vector<Transport> matrices_;  ///< one; of an intercommunicator, one for each direction
};

/// The communicator from the view of a member.
CollectiveScope scope_of(const CollectiveRecords& records, u32 member);

/// A survey of the communication of all ranks, needed before one rank is written: a first walk over
/// the trace, all ranks side by side. It detects messages and collective calls without a partner,
/// numbers the pairs of communicator and tag, and joins the members' records of each collective
/// operation. Memory: that of check_replay(), the distinct collective operations, and for each
/// communicator their folded order.
class CommunicationSurvey : private MatchingObserver {
  public:
    /// A communicator or window with collective operations.
    struct Context {
        u32 number = 0;            ///< dense, from 0
        std::vector<u32> members;  ///< world ranks
        u32 first_side = 0;        ///< members of the first side of an intercommunicator
        u32 column = kNone;        ///< the exchange of each instance
    };

    /// `threads`, `sizes`: see check_replay(). Throws Error: corrupt, unsupported (calls do not
    /// match).
    explicit CommunicationSurvey(TraceFile& file, u32 threads = 1,
                                 SizeSource sizes = SizeSource::recorded);

    [[nodiscard]] const CheckResult& findings() const { return findings_; }
    /// Null if nothing was inferred.
    [[nodiscard]] const ReplayPatch* patch(u32 location) const;
    /// True if the message of call `index` of the location was cancelled.
    [[nodiscard]] bool is_cancelled(u32 location, u64 index) const {
        return !cancelled_.empty() && cancelled_.contains(place(location, index));
    }

    [[nodiscard]] bool has_cancelled() const { return !cancelled_.empty(); }

    /// Number of a pair of communicator and tag: dense, from 0.
    [[nodiscard]] u32 channel(u64 comm, u32 tag) const;
    [[nodiscard]] u32 channel_count() const { return static_cast<u32>(channels_.size()); }

    /// Null if it has no collective operation. `key`: communicator, or window plus kWindowContext.
    [[nodiscard]] const Context* context(u64 key) const;
    [[nodiscard]] u32 context_count() const { return static_cast<u32>(contexts_.size()); }
    /// By number.
    [[nodiscard]] const std::deque<Context>& contexts() const { return contexts_; }
    /// The numbers of the exchanges of a context, in order.
    [[nodiscard]] ColumnCursor exchanges_of(const Context& context) const {
        return {{pool_.patterns(), pool_.columns()}, context.column};
    }
    [[nodiscard]] const Exchange& exchange(u64 number) const { return exchanges_[number]; }
    [[nodiscard]] bool has_exchange(const std::function<bool(const Exchange&)>& is_it) const {
        return std::ranges::any_of(exchanges_, is_it);
    }

  private:
    void matched_collective(const CollectiveInstances::Context& context,
                            const CollectiveInstances::Instance& instance) override;
    void cancelled_send(u32 location, u64 index) override;
    void channel(const Channels::Key& key) override;
    [[nodiscard]] bool follows_iterations() const override { return true; }
    void begin_iteration(const std::vector<std::size_t>& calls) override;
    bool end_iteration() override;
    void repeat(const std::vector<IterationSource*>& sources, u64 times) override;

    /// An exchange during an observed iteration.
    struct NotedExchange {
        u32 context = 0;
        u64 exchange = 0;
    };
    static u64 place(u32 location, u64 index) { return u64{location} << 40U | index; }
    u64 exchange_number(const CollectiveInstances::Context& context,
                        const CollectiveInstances::Instance& instance);
    void refuse_what_does_not_go_together(SizeSource sizes) const;

    CheckResult findings_;
    std::unordered_map<u32, const ReplayPatch*> patches_;
    std::unordered_set<u64> cancelled_;
    std::unordered_map<u64, u32> channels_;  ///< by communicator and tag
    std::unordered_map<u64, u32> context_numbers_;
    std::deque<Context> contexts_;
    std::deque<ColumnBuilder> orders_;  ///< by context, during the walk
    std::unordered_map<ContentHash, u64, ContentHashHasher> known_exchanges_;
    std::deque<Exchange> exchanges_;
    StructurePool pool_;
    CollectiveRecords records_;  ///< of the current instance
    std::vector<u64> numbers_;   ///< `records_` as numbers, for hashing
    bool notes_ = false;         ///< records the exchanges of an iteration
    std::vector<NotedExchange> noted_;
    std::size_t cancelled_before_ = 0;  ///< cancelled messages before that iteration
    std::vector<u32> member_of_;        ///< by world rank, for context `members_of_`
    u32 members_of_ = kNone;
};

/// True if the members of the context are ranks 0 to `ranks` - 1 in order, on one side.
bool is_whole_world(const CommunicationSurvey::Context& context, u32 ranks);

}  // namespace tracefold
