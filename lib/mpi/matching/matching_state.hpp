// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/matching/channels.hpp"
#include "mpi/matching_observer.hpp"

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

/// Collects the findings of a check.
class FindingList {
  public:
    /// `example` is only called for the first few.
    template <class Example>
    void add(FindingKind kind, const Example& example, u64 count = 1) {
        Finding& finding = all_[static_cast<std::size_t>(kind)];
        finding.count += count;
        if (finding.examples.size() < Finding::kExamples) finding.examples.push_back(example());
    }

    /// Non-empty findings, by kind.
    [[nodiscard]] std::vector<Finding> found() const;
    /// True if add() can repeat all findings since `before`: they have all their examples already.
    [[nodiscard]] bool can_repeat(const FindingList& before) const;
    /// Repeats the findings since `before` `times` times.
    void add(const FindingList& before, u64 times);

  private:
#define TRACEFOLD_ONE(name, hinders, what, done) +1
    static constexpr std::size_t kKinds = 0 TRACEFOLD_FINDINGS(TRACEFOLD_ONE);
#undef TRACEFOLD_ONE

    std::array<Finding, kKinds> all_;
};

/// The state shared by the parts of a matching simulation: the progress of every location, its
/// blocking operation, and the findings.
struct MatchingState {
    /// A location whose calls are simulated.
    struct Walker {
        u32 rank = 0;
        u32 location = 0;
        /// Reads the next call; false at the end, and where `iterations` stop.
        std::function<bool(MpiCall&)> next;
        IterationSource* iterations = nullptr;

        [[nodiscard]] bool has_stopped() const {
            return iterations != nullptr && iterations->coming().count != 0;
        }
    };
    struct Counts {
        u64 calls = 0;
        u64 messages = 0;  ///< matched
        u64 bytes = 0;     ///< of matched messages
        u64 collectives = 0;
        std::map<std::string, u64> unsupported;  ///< calls by name
        std::map<std::string, u64> not_issued;   ///< calls for which a replay issues none

        /// Repeats the counts since `before` `times` times.
        void add(const Counts& before, u64 times) {
            calls += (calls - before.calls) * times;
            messages += (messages - before.messages) * times;
            add_saturated(bytes, saturated(static_cast<u128>(bytes - before.bytes) * times));
            collectives += (collectives - before.collectives) * times;
            repeat(unsupported, before.unsupported, times);
            repeat(not_issued, before.not_issued, times);
        }

      private:
        using Names = std::map<std::string, u64>;

        static void repeat(Names& names, const Names& before, u64 times) {
            for (auto& [name, count] : names) {
                const auto was = before.find(name);
                count += (count - (was == before.end() ? 0 : was->second)) * times;
            }
        }
    };
    /// A request and the operation that completes it.
    struct Request {
        enum class Kind : u8 {
            send,
            receive,
            unknown_receive,
            taken_receive,  ///< receives a probed message
            collective,
            unknown_collective,
            unplaced,  ///< a collective without a record
            left_out,
        };
        Kind kind = Kind::send;
        u32 place = 0;   ///< channel or context
        u64 number = 0;  ///< of the message in its channel, or of the instance in its context
        CallPlace call;
        bool is_unrecorded = false;
        bool lost = false;  ///< receives a message that was never sent
    };
    struct Rank {
        FlatMap<u64, Request, NumberHash> requests;
        std::unordered_set<u64> freed;    ///< communicators
        std::unordered_set<u64> used;     ///< communicators
        std::unordered_set<u64> made;     ///< communicators
        std::unordered_set<u64> windows;  ///< that exist at this point
        std::unordered_set<u64> files;
        u32 locks = 0;             ///< of windows, held
        u32 walkers = 0;           ///< that have not ended
        u32 threads = 0;           ///< all walkers of the rank
        std::vector<u32> blocked;  ///< walkers that wait for a request or for a probed message
        std::unordered_map<u64, bool> taken;  ///< probed messages: true once they have arrived
        bool finalized = false;
        bool called = false;  ///< has called any MPI function
    };
    enum class Wait : u8 {
        nothing,
        message,
        receipt,  ///< of a sent message
        collective,
        any_message,
        request,
        taken,
        placing,
        epoch,   ///< of a window
        thread,  ///< for earlier calls of other threads
    };
    /// The progress of a location.
    struct Progress {
        MpiCall call;
        std::size_t action = 0;  ///< index of the current action
        bool in_call = false;
        bool has_read = false;  ///< the call is read and has not begun
        bool at_end = false;    ///< no further call
        bool arrived = false;   ///< the current action has begun
        bool given_up = false;  ///< the current action continues without its partners
        bool placed =
            false;      ///< the communicator of the current action, without a record, is known
        i64 ahead = 0;  ///< messages sent minus received
        Wait wait = Wait::nothing;
        u32 place = 0;
        u64 number = 0;
        u64 request = kNoRequest;  ///< assigned to a completion
        u64 comm = kNone;          ///< used last, with the rank's view
        const CommunicatorView* view = nullptr;
    };

    /// Both must outlive this object. `all_tables`: one per rank.
    MatchingState(const DefinitionIndex& index, const std::vector<CommunicatorTable>& all_tables)
        : definitions(index), tables(all_tables), ranks(all_tables.size()) {}

    void begin(std::vector<Walker> all);

    [[nodiscard]] Rank& rank_of(u32 walker) { return ranks[walkers[walker].rank]; }
    [[nodiscard]] const Rank& rank_of(u32 walker) const { return ranks[walkers[walker].rank]; }
    [[nodiscard]] CallPlace here(u32 walker) const {
        const Progress& it = progress[walker];
        return {walker, it.call.index, static_cast<u32>(it.action)};
    }
    /// The rank's view of a communicator; null, with a finding, if it is not a member.
    [[nodiscard]] const CommunicatorView* view(u32 walker, u64 comm);
    /// True if the rank freed it. A thread may use it until another thread frees it.
    [[nodiscard]] bool is_freed(u32 walker, u64 comm) const;

    void block(u32 walker, Wait wait, u32 place, u64 number);
    /// Blocks the walker until wake() of its rank's list.
    void block_on_rank(u32 walker, Wait wait, u64 number);
    /// Makes the blocked walkers ready.
    void wake(std::vector<u32>& blocked);
    void add_request(u32 walker, u64 id, const Request& request);
    void leave_out(CallPlace place) {
        patches[place.walker].left_out.push_back({place.index, place.action});
    }

    [[nodiscard]] std::string text(CallPlace place) const;
    [[nodiscard]] std::string call_text(u32 walker) const;
    [[nodiscard]] std::string name_of_call(const MpiCall& call) const;

    const DefinitionIndex& definitions;
    const std::vector<CommunicatorTable>& tables;
    std::vector<Rank> ranks;
    std::vector<Walker> walkers;
    std::vector<Progress> progress;    ///< by walker
    std::vector<ReplayPatch> patches;  ///< by walker
    std::deque<u32> ready;             ///< runnable walkers
    FindingList findings;
    Counts counts;
    MatchingObserver* observer = nullptr;  ///< or null
    bool in_order_of_times = false;        ///< threads of a rank call in the recorded order
    bool sizes_of_senders = false;         ///< receives use the sender's size
    bool sends_wait = false;               ///< completions of sends wait for the receives
    bool misses_intercommunicators = false;
};

/// "from rank 0 to rank 1, tag 7, communicator 0"
std::string channel_text(const Channels::Key& key);

}  // namespace tracefold
