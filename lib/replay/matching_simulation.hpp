// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/channels.hpp"
#include "replay/check.hpp"
#include "replay/collective_instances.hpp"
#include "replay/communicator_table.hpp"
#include "replay/finding_list.hpp"
#include "replay/inferred_collectives.hpp"
#include "replay/unplaced_collectives.hpp"
#include "replay/window_cut.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace tracefold {

/// Walks the programs of all ranks as MPI would let them run: messages are buffered without limit,
/// a receive waits for its message, a collective call for all members. Whoever can go on goes on, a
/// bounded number of calls in turn, those that are far ahead of their receivers last. If nobody
/// can, those whose partners have ended go on without them; if there are none, it is a deadlock.
class MatchingSimulation {
  public:
    /// One location.
    struct Walker {
        u32 rank = 0;
        u32 location = 0;
        std::function<bool(MpiCall&)> next;
    };
    /// `tables` are those of the ranks; both must outlive this object.
    MatchingSimulation(const DefinitionIndex& definitions,
                       const std::vector<CommunicatorTable>& tables);

    /// Only for traces with receives without a record, before walk(): counts the messages that
    /// these may receive, those that no recorded receive is for.
    void count_surplus(std::vector<Walker> walkers);

    /// Before all others: what infer_communicators() said, which the walkers recall.
    void begin_with(std::vector<ReplayPatch> communicators, FileTable files);

    /// Before walk(): cuts a part out of all programs, by walker.
    void cut(std::vector<LocationWindow> windows);

    /// Before walk(), in place of cut(): who looks on. Must outlive the walk.
    void watch(MatchingObserver& observer) { observer_ = &observer; }

    /// Walks all programs to their ends. Call once.
    void walk(std::vector<Walker> walkers);
    /// After walk(): whether communicators are in use that no call makes.
    [[nodiscard]] bool misses_communicators() const;
    /// What was found. Call once, after walk().
    CheckResult report();

  private:
    /// A request, by what it waits for.
    struct Pending {
        enum class Kind : u8 {
            send,
            receive,
            unknown_receive,
            taken_receive,  ///< of a message that a probe took
            collective,
            unknown_collective,
            unresolved,  ///< a collective without a record
            left_out,
        };
        Kind kind = Kind::send;
        u32 place = 0;   ///< channel or context
        u64 number = 0;  ///< of the receive in its channel, of the instance in its context
        CallPlace call;
        bool is_unrecorded = false;
        bool lost = false;  ///< receives a message that never came
    };
    struct Rank {
        std::unordered_map<u64, Pending> requests;
        std::unordered_set<u64> freed;    ///< communicators
        std::unordered_set<u64> used;     ///< communicators
        std::unordered_set<u64> made;     ///< communicators
        std::unordered_set<u64> windows;  ///< that exist now
        std::unordered_set<u64> files;
        std::vector<u32> lonely;  ///< channels to this rank with a surplus
        u32 walkers = 0;          ///< that have not ended
        u32 threads = 0;          ///< all of them
        i64 bare = 0;  ///< receives without a record, minus the messages that they may receive
        std::vector<u32> blocked;  ///< walkers that wait for another one to post their request, or
                                   ///< to take their message
        std::unordered_map<u64, bool> taken;  ///< messages that probes took, and whether they came
        bool finalized = false;
    };
    struct State {
        enum class Wait : u8 { nothing, message, collective, any_message, request, taken, naming };
        MpiCall call;
        std::size_t action = 0;  ///< the next one of the operation
        bool in_call = false;
        bool arrived = false;   ///< the present action was begun
        bool given_up = false;  ///< the present action goes on without its partners
        bool resolved = false;  ///< the present action, without a record, is clear
        i64 ahead = 0;          ///< messages sent minus received
        Wait wait = Wait::nothing;
        u32 place = 0;
        u64 number = 0;
        u64 request = kNoRequest;  ///< that a completion was taken to mean
        u64 comm = kNone;          ///< used last, and how the rank sees it
        const CommunicatorView* view = nullptr;
    };

    // Walking (matching_simulation.cpp)
    void run(u32 walker);
    bool step(u32 walker);
    bool next_call(u32 walker);
    void begin_call(u32 walker);
    bool take(u32 walker, const Action& action);
    void end(u32 walker);
    bool wait_message(u32 walker, u32 channel, u64 number, CallPlace receiver);
    bool wait_collective(u32 walker, u32 context, u64 number);
    void block(u32 walker, State::Wait wait, u32 place, u64 number);
    void wake(std::vector<u32>& blocked);
    // What calls do (matching_simulation_calls.cpp)
    [[nodiscard]] CallPlace here(u32 walker) const {
        const State& state = states_[walker];
        return {walker, state.call.index, static_cast<u32>(state.action)};
    }
    [[nodiscard]] const CommunicatorView* view(u32 walker, u64 comm);
    [[nodiscard]] bool is_freed(u32 walker, u64 comm) const;
    void note_comm_call(u32 walker);
    bool find_channel(u32 walker, const Envelope& envelope, bool sends, u32& channel);
    void send(u32 walker, const Action& action);
    bool receive(u32 walker, const Action& action);
    void post_receive(u32 walker, const Action& action);
    bool collective(u32 walker, u64 key, const CollectivePart& part);
    void post_collective(u32 walker, const Action& action);
    bool meet(CallPlace place, u64 key, const CollectivePart& part, u32& context, u64& number);
    void hold(u32 context, u64 number);
    void add_request(u32 walker, u64 id, const Pending& pending);
    bool complete(u32 walker, const Action& action);
    bool complete_unknown(u32 walker, const Action& action);
    bool complete_late(u32 walker, const Action& action, u64 request, const Pending& pending);
    [[nodiscard]] u64 own_request(u32 walker, const Action& action);
    void cancel(u32 walker, const Action& action);
    bool record(u32 walker, const Action& action);
    void note_object(u32 walker, const Action& action);
    void met(const Channels::Match& match, const Channels::Key& key);
    // Collective calls without a record (matching_simulation_unrecorded.cpp)
    bool unrecorded(u32 walker, const Action& action);
    bool name_collectives();
    void explain(const UnplacedCollectives::Instance& instance);
    void note_unrecorded(const UnplacedCollectives::Call& call, const Action& action);
    void resolve(const UnplacedCollectives::Call& call, const Pending& pending);
    void give_up_unrecorded();
    [[nodiscard]] std::vector<u32> guessed_waits() const;
    [[nodiscard]] bool waits_by_guess(u32 walker) const;
    // Probes (matching_simulation_probes.cpp)
    bool probe(u32 walker, const Action& action);
    bool receive_taken(u32 walker, const Action& action);
    [[nodiscard]] bool is_unreceived(CallPlace probe) const;
    void note_unreceived(const Channels::Match& match, const Channels::Key& key);
    bool receive_any(u32 walker);
    // When nobody can go on, and at the end (matching_simulation_end.cpp)
    void resolve_stall();
    [[nodiscard]] bool is_hopeless(u32 walker);
    void give_up(u32 walker);
    void give_up_collective(u32 walker);
    void report_deadlock();
    [[nodiscard]] std::vector<u64> unmade(u32 rank) const;
    void report_communicators();
    void report_rank(u32 rank);
    void pair_pending(u32 rank, const std::vector<Pending>& left);
    void report_messages();
    [[nodiscard]] Envelope envelope_of(const Channels::Channel& channel, u64 bytes);
    void leave_out(CallPlace place) {
        patches_[place.walker].left_out.push_back({place.index, place.action});
    }
    // Words
    [[nodiscard]] std::string text(CallPlace place) const;
    [[nodiscard]] std::string call_text(u32 walker) const;
    [[nodiscard]] std::string text(const Channels::Key& key) const;
    [[nodiscard]] std::string waits_text(u32 walker);
    [[nodiscard]] std::string text_of_unknown(u64 comm) const;
    [[nodiscard]] std::string name_of_call(const MpiCall& mpi_call) const;

    /// What is left of a channel when all have ended.
    [[nodiscard]] std::string text(const Channels::Channel& channel,
                                   const Channels::Run& run) const;

    std::vector<Walker> walkers_;
    std::vector<State> states_;
    std::vector<Rank> ranks_;
    const DefinitionIndex& definitions_;
    const std::vector<CommunicatorTable>& tables_;
    Channels channels_;
    CollectiveInstances instances_;
    UnplacedCollectives unrecorded_;
    std::vector<InferredCollectives> collectives_inferred_;  ///< by walker
    FindingList findings_;
    std::deque<u32> ready_;
    std::deque<u32> ahead_;             ///< ready, but far ahead of their receivers
    std::vector<ReplayPatch> patches_;  ///< by walker
    std::map<std::string, u64> unsupported_;
    FileTable files_;
    std::map<u32, ReplayPatch> known_;  ///< before the walk, by location
    std::optional<WindowCut> cut_;
    MatchingObserver* observer_ = nullptr;  ///< null: nobody
    bool has_surplus_ = false;
    bool misses_intercommunicators_ = false;
    bool stalled_ = false;  ///< a deadlock was reported
    u64 calls_ = 0;
    u64 messages_ = 0;
    u64 bytes_ = 0;
    u64 collectives_ = 0;
};

}  // namespace tracefold
