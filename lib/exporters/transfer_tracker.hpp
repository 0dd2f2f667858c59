// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/communicator_table.hpp"
#include "replay/operation.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A message that a rank sends or receives, from its call to its completion.
struct TrackedMessage {
    bool sends = false;
    u32 peer = 0;  ///< world rank
    Envelope envelope;
    u64 number = 0;  ///< among those of its communicator and tag to, or from, this rank
    u64 call = 0;
    u64 begin = 0;  ///< ticks
};

/// The other end of a message; the rank as recorded where the definitions do not tell.
inline u32 world_rank_of(const Envelope& envelope, const CommunicatorTable& table) {
    const CommunicatorView* view = table.find(envelope.comm);
    if (view == nullptr || envelope.peer >= view->peers().size()) return envelope.peer;
    return static_cast<u32>(view->peers()[envelope.peer]);
}

/// Numbers the messages of a rank, so that both ends of one have the same number, and keeps those
/// that are outstanding. Memory: what is outstanding, and a number for each peer and tag.
class TransferTracker {
  public:
    TrackedMessage begin(bool sends, u32 peer, const Envelope& envelope,
                         const Operation& operation) {
        const Channel channel{sends, peer, envelope.tag, envelope.comm};
        return {sends, peer, envelope, numbers_[channel]++, operation.index, operation.begin};
    }
    void keep(u64 request, const TrackedMessage& message) {
        outstanding_.insert_or_assign(request, message);
    }
    /// Nothing if the request was not kept.
    std::optional<TrackedMessage> complete(u64 request) {
        const auto found = outstanding_.find(request);
        if (found == outstanding_.end()) return std::nullopt;
        const TrackedMessage message = found->second;
        outstanding_.erase(found);
        return message;
    }

    /// Calls done(message) if the action ends this rank's part in a message: it is sent, or its
    /// receive is complete.
    template <class Done>
    void follow(const Operation& operation, const Action& action, const CommunicatorTable& table,
                const Done& done) {
        const auto message = [&](bool sends) {
            return begin(sends, world_rank_of(action.envelope, table), action.envelope, operation);
        };
        switch (action.kind) {
            case Action::Kind::send:
                done(message(true));
                break;
            case Action::Kind::receive:
                done(message(false));
                break;
            case Action::Kind::post_receive:
                if (action.known) keep(action.request, message(false));
                break;
            case Action::Kind::complete_receive:
                if (const auto completed = complete(action.request)) done(*completed);
                break;
            default:
                break;
        }
    }

    /// Those that were kept and not completed, in the order of their calls.
    [[nodiscard]] std::vector<TrackedMessage> outstanding() const {
        std::vector<TrackedMessage> messages;
        for (const auto& [request, message] : outstanding_) messages.push_back(message);
        std::ranges::sort(messages, [](const TrackedMessage& a, const TrackedMessage& b) {
            return std::tie(a.call, a.peer, a.number) < std::tie(b.call, b.peer, b.number);
        });
        return messages;
    }

  private:
    struct Channel {
        bool sends;
        u32 peer;
        u32 tag;
        u64 comm;

        bool operator==(const Channel&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Channel& channel) const {
            u64 h = (channel.comm << 32U) ^ channel.tag;
            h = h * 0x9E3779B97F4A7C15U + (u64{channel.peer} << 1U | (channel.sends ? 1U : 0U));
            h *= 0x9E3779B97F4A7C15U;
            return static_cast<std::size_t>(h ^ (h >> 29U));
        }
    };

    std::unordered_map<Channel, u64, Hash> numbers_;
    std::unordered_map<u64, TrackedMessage> outstanding_;
};

}  // namespace tracefold
