// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cut/cut_request.hpp"
#include "cut/state_runs.hpp"
#include "model/message_channel.hpp"

#include <array>
#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What becomes of an operation in the part for the sake of its partners.
enum class Verdict : u8 {
    keep,
    alone,  ///< a partner is not in the part, since its rank, name or kind is not
    drop,   ///< a partner is outside of the time or iterations
};

/// What became of operations with partners.
struct PartnerCounts {
    u64 cut_messages = 0;         ///< left out, since the other end is outside of the window
    u64 lone_messages = 0;        ///< with one end in the part
    u64 cut_collectives = 0;      ///< left out on all members, since one is outside of the window
    u64 partial_collectives = 0;  ///< not with all their members
    u64 torn = 0;                 ///< operations only part of which is in the window
};

/// Brings together the two ends of each message and the members of each collective operation. The
/// n-th message sent from a rank to another on a communicator with a tag is the n-th one received;
/// the n-th operation of a kind on a communicator is the same on all members. All ranks tell of
/// theirs in a first walk, one rank after another; then settle(); a second walk over the same
/// ranks, in the same order, gets the verdicts. Memory: channels, and stretches of equal operations
/// on each.
class PartnerBook {
  public:
    using Channel = MessageChannel;
    /// A communicator or window, and the operation.
    using Context = std::array<u64, 3>;

    /// The number of a channel.
    u32 find(const Channel& channel);
    /// An end of a message.
    Verdict message(u32 channel, bool sends, Side side);
    /// The place of the message sent last.
    [[nodiscard]] u64 last_sent(u32 channel) const { return ends_[channel].sent.size() - 1; }
    /// A message that was taken back; for the first walk.
    void cancel(u32 channel, u64 place);
    /// A member comes to a collective operation. `members` are asked for once.
    template <class Members>
    Verdict collective(const Context& context, u32 rank, Side side, const Members& members) {
        const auto [found, fresh] = contexts_.try_emplace(context);
        if (fresh) found->second.members = members();
        return meet(found->second, rank, side);
    }

    /// `selected`: the ranks that are walked.
    void settle(const std::vector<bool>& selected);
    [[nodiscard]] const PartnerCounts& counts() const { return counts_; }

  private:
    struct Ends {
        Channel channel;
        StateRuns sent;
        StateRuns received;
        StateCursor sent_next;
        StateCursor received_next;
    };
    struct Instances {
        std::vector<u32> members;
        std::map<u32, StateRuns> came;  ///< by world rank
        StateRuns verdicts;
        std::unordered_map<u32, StateCursor> next;
    };

    Verdict meet(Instances& instances, u32 rank, Side side);
    void settle(Ends& ends, const std::vector<bool>& selected);
    void settle(Instances& instances, const std::vector<bool>& selected);
    Verdict judge(bool inside, bool outside, bool filtered, u64 count);

    bool settled_ = false;
    std::map<Channel, u32> channels_;
    std::vector<Ends> ends_;
    std::map<Context, Instances> contexts_;
    PartnerCounts counts_;
};

}  // namespace tracefold
