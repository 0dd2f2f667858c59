// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "fold/structure_pool.hpp"
#include "replay/check.hpp"
#include "replay/matching_observer.hpp"
#include "schedules/exchange.hpp"
#include "trace/trace_file.hpp"

#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

/// What has to be known of all ranks before one of them is written: a first walk over the trace,
/// all ranks side by side. It finds out which messages and collective calls have no partner,
/// numbers the pairs of communicator and tag, and joins what the members of a communicator recorded
/// for each collective operation. Memory: what check_replay() needs, the distinct collective
/// operations, and for each communicator their folded order.
class CommunicationSurvey : private MatchingObserver {
  public:
    /// A communicator or window on which collective operations took place.
    struct Context {
        u32 number = 0;            ///< from 0 on, without gaps
        std::vector<u32> members;  ///< world ranks
        u32 first_side = 0;        ///< members of the first side of an intercommunicator
        u32 column = kNone;        ///< which exchange each instance was
    };

    /// `threads` and `sizes`: as for check_replay(). Throws Error: corrupt, unsupported (the calls
    /// of the ranks do not go together).
    explicit CommunicationSurvey(TraceFile& file, u32 threads = 1,
                                 SizeSource sizes = SizeSource::recorded);

    [[nodiscard]] const CheckResult& findings() const { return findings_; }
    /// Null if there is nothing to infer.
    [[nodiscard]] const ReplayPatch* patch(u32 location) const;
    /// True if the message of the location's call with this number was cancelled.
    [[nodiscard]] bool is_cancelled(u32 location, u64 index) const {
        return !cancelled_.empty() && cancelled_.contains(place(location, index));
    }

    /// True if the message of any call was.
    [[nodiscard]] bool has_cancelled() const { return !cancelled_.empty(); }

    /// Number of a pair of communicator and tag, from 0 on, without gaps.
    [[nodiscard]] u32 channel(u64 comm, u32 tag) const;
    [[nodiscard]] u32 channel_count() const { return static_cast<u32>(channels_.size()); }

    /// Null if nobody met there. `key`: communicator, or window plus kWindowContext.
    [[nodiscard]] const Context* context(u64 key) const;
    [[nodiscard]] u32 context_count() const { return static_cast<u32>(contexts_.size()); }
    /// In the order of their numbers.
    [[nodiscard]] const std::deque<Context>& contexts() const { return contexts_; }
    /// The numbers of the exchanges of a context, one after the other.
    [[nodiscard]] ColumnCursor exchanges_of(const Context& context) const {
        return {{pool_.patterns(), pool_.columns()}, context.column};
    }
    [[nodiscard]] const Exchange& exchange(u64 number) const { return exchanges_[number]; }

  private:
    void matched_collective(const CollectiveInstances::Context& context,
                            const CollectiveInstances::Instance& instance) override;
    void cancelled_send(u32 location, u64 index) override;
    void channel(const Channels::Key& key) override;
    [[nodiscard]] bool follows_iterations() const override { return true; }
    void begin_iteration(const std::vector<std::size_t>& calls) override;
    bool end_iteration() override;
    void repeat(const std::vector<IterationSource*>& sources, u64 times) override;

    /// An exchange that took place.
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
    CollectiveRecords records_;  ///< of the instance at hand
    std::vector<u64> numbers_;   ///< the same, to be hashed
    bool notes_ = false;         ///< what takes place in an iteration
    std::vector<NotedExchange> noted_;
    std::size_t cancelled_before_ = 0;  ///< that iteration
    std::vector<u32> member_of_;        ///< by world rank, for the context `members_of_`
    u32 members_of_ = kNone;
};

/// True if the context is all of so many ranks, in their order, on one side.
bool is_whole_world(const CommunicationSurvey::Context& context, u32 ranks);

}  // namespace tracefold
