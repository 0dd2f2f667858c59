// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/message_channel.hpp"
#include "view/trace_view.hpp"

#include <deque>
#include <unordered_map>
#include <vector>

namespace tracefold {

struct MessageChannelHash {
    std::size_t operator()(const MessageChannel& channel) const;
};

/// Where a row sends a message, or receives it.
struct RowMessage {
    u64 number = 0;  ///< of the message among those that the row has sent, or received, there
    u64 call = 0;
    u64 ticks = 0;
    u64 bytes = 0;

    static void each_field(auto& self, auto& visit) {
        visit(self.number, self.call, self.ticks, self.bytes);
    }
};

/// What a row has to do with a channel.
struct ChannelOfRow {
    MessageChannel channel;
    u64 sends = 0;
    u64 receives = 0;
    std::vector<RowMessage> sent;      ///< near the window, by rising number
    std::vector<RowMessage> received;  ///< near the window, in the order of the calls

    static void each_field(auto& self, auto& visit) {
        visit(self.channel.comm, self.channel.source, self.channel.destination, self.channel.tag,
              self.sends, self.receives, self.sent, self.received);
    }
};

/// The ends of messages that one row has near a window.
struct RowMessages {
    std::deque<ChannelOfRow> channels;  ///< in the order of their first messages
    u64 calls = 0;                      ///< that were read
};

/// Reads them; near are those up to the length of the window away. Ends behind one call more than
/// `most_calls`. Cost: the calls of the row up to there, without their times; of those before that
/// come again, few. Throws Error(corrupt).
RowMessages row_messages(TraceView& view, u32 row, const Lane& lane, TickWindow window,
                         u64 most_calls);

}  // namespace tracefold
