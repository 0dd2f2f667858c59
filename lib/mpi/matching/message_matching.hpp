// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/matching/matching_state.hpp"

namespace tracefold {

/// Matches the messages of a simulation with their receives and probes. Functions that return bool
/// return false if the walker has to wait.
class MessageMatching {
  public:
    /// The state must outlive this object.
    explicit MessageMatching(MatchingState& state) : state_(state), surplus_(state.ranks.size()) {}

    /// Counts the messages without a recorded receive: receives without a record may receive them.
    /// Reads all calls of the state's walkers.
    void count_surplus();
    [[nodiscard]] bool has_surplus() const { return has_surplus_; }

    void send(u32 walker, const Action& action);
    /// A blocking receive, or a completion whose receive was unknown until now.
    bool receive(u32 walker, const Action& action);
    void post_receive(u32 walker, const Action& action);
    bool probe(u32 walker, const Action& action);
    /// Receives a probed message.
    bool receive_taken(u32 walker, const Action& action);
    /// A receive without a record gets the earliest message sent that arrived and has no receive.
    bool receive_any(u32 walker);

    /// False if the message has no known destination.
    bool find_channel(u32 walker, const Envelope& envelope, bool sends, u32& channel);
    /// Waits for the message of a posted receive.
    bool wait(u32 walker, u32 channel, u64 number, CallPlace receiver);
    /// Waits for the receive of a sent message.
    bool wait_for_receipt(u32 walker, u32 channel, u64 number);
    /// Cancels the last message sent.
    void retract(u32 channel) { channels_.retract(channel); }
    /// Pairs pending receives of unknown arguments with messages that are otherwise unreceived.
    void pair_pending(u32 rank, const std::vector<CallPlace>& receives);

    /// Reports the unreceived messages. Call once, at the end.
    void report_unreceived(const std::function<void(CallPlace sender)>& tell);

    /// True if no message can arrive any more. Precondition: the walker waits for a message.
    [[nodiscard]] bool is_hopeless(u32 walker);
    /// A rank's receives without a record, minus the messages that they may receive.
    [[nodiscard]] i64& spare_receives(u32 rank) { return surplus_[rank].receives; }

    [[nodiscard]] const std::deque<Channels::Channel>& channels() const { return channels_.all(); }
    [[nodiscard]] const Channels::Key& key(u32 channel) { return channels_[channel].key; }
    /// Messages sent and not yet received.
    [[nodiscard]] u64 outstanding() const { return channels_.outstanding(); }

  private:
    /// Surplus messages of a rank.
    struct Surplus {
        std::vector<u32> channels;  ///< to this rank, with more messages than receives
        i64 receives = 0;
    };

    void matched(const Channels::Match& match, const Channels::Key& key);
    u64 post(u32 walker, u32 channel, u64 bytes);
    [[nodiscard]] bool is_unreceived(CallPlace probe) const;
    void note_unreceived(const Channels::Match& match, const Channels::Key& key);
    [[nodiscard]] u32 oldest_surplus(u32 rank, bool& hope);
    [[nodiscard]] bool cannot_come(u32 channel, u32 receiver);
    [[nodiscard]] std::string text(const Channels::Channel& channel,
                                   const Channels::Run& run) const;
    [[nodiscard]] Envelope envelope_of(const Channels::Channel& channel, u64 bytes) const;

    MatchingState& state_;
    Channels channels_;
    std::vector<Surplus> surplus_;  ///< by rank
    bool has_surplus_ = false;
};

}  // namespace tracefold
