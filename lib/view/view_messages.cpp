// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "view/view_messages.hpp"

#include "core/hash.hpp"
#include "model/event_table.hpp"
#include "model/message_channel.hpp"
#include "query/world_peers.hpp"
#include "trace/call_skipper.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace tracefold::inline view {

namespace {

struct ViewChannelHash {
    std::size_t operator()(const MessageChannel& channel) const {
        const u64 ranks = u64{channel.source} << 32U | channel.destination;
        return static_cast<std::size_t>(mix(ranks ^ mix(channel.comm << 32U ^ channel.tag)));
    }
};

/// What is known of a channel.
struct ChannelTraffic {
    u64 sends = 0;
    u64 receives = 0;
    /// Near the window, by their number in the channel.
    std::map<u64, ViewMessage> messages;
};

/// Reads the messages of rows, one after the other.
class MessageReader {
  public:
    MessageReader(TraceView& view, TickWindow window, u64 most_calls)
        : view_(view), window_(window), most_calls_(most_calls) {
        margin_ = window.length();
    }

    /// False if there are too many calls to read.
    bool read(u32 row, const Lane& lane) {
        me_ = view_.rows().rows[row].rank;
        if (lane.blocks().empty() || me_ == kNone) return true;
        row_ = row;
        lane_ = &lane;
        pending_.clear();
        counted_.clear();
        notes_ = false;
        block_ = ~std::size_t{0};
        const u64 first = first_near_call();
        const u64 last = window_.end + margin_;
        CallReader calls(view_.file(), lane.location(), Times::skip);
        CallSkipper skipper(calls);
        for (u64 call = 0; calls.next(); ++call) {
            if (lane.blocks()[lane.block_of(call)].begin > last) break;
            near_ = call >= first;
            take(calls, call);
            if (++calls_ > most_calls_) return false;
            call += near_ ? 0 : skip(skipper, first - call - 1);
        }
        return true;
    }

    ViewMessages finish(std::size_t most) {
        ViewMessages result;
        result.calls = calls_;
        for (auto& [channel, traffic] : channels_) {
            for (auto& [number, message] : traffic.messages) {
                if (!is_wanted(message)) continue;
                if (result.messages.size() == most) return {{}, true, calls_};
                message.tag = channel.tag;
                message.communicator = channel.comm;
                result.messages.push_back(message);
            }
        }
        std::sort(result.messages.begin(), result.messages.end(),
                  [](const ViewMessage& a, const ViewMessage& b) {
                      return std::tie(a.sent.ticks, a.sent.row, a.sent.call, a.received.ticks) <
                             std::tie(b.sent.ticks, b.sent.row, b.sent.call, b.received.ticks);
                  });
        return result;
    }

  private:
    /// Messages of calls that may come again; with more of them they are read one by one.
    static constexpr std::size_t kMostCounted = 1U << 16U;

    [[nodiscard]] bool is_wanted(const ViewMessage& message) const {
        const auto inside = [this](const ViewMessage::End& end) {
            return end.row != kNone && end.ticks >= window_.begin && end.ticks <= window_.end;
        };
        return inside(message.sent) || inside(message.received);
    }

    /// Before it, nothing happens that the window needs.
    [[nodiscard]] u64 first_near_call() const {
        std::size_t block = 0;
        const std::size_t blocks = lane_->blocks().size();
        while (block < blocks && lane_->block_end(block) + margin_ < window_.begin) ++block;
        return block < blocks ? lane_->blocks()[block].first_call : lane_->calls();
    }

    /// Leaves out calls that come again, but for what they count; returns how many.
    u64 skip(CallSkipper& skipper, u64 most) {
        // Requests that are pending would have other numbers.
        const CallSkipper::LeftOut left_out =
            skipper.after_call(notes_ && pending_.empty() ? most : 0);
        if (left_out.iterations != 0) {
            for (u64* const count : counted_) *count += left_out.iterations;
        }
        notes_ = skipper.begins() ? pending_.empty() : notes_ && skipper.is_looking();
        if (skipper.begins() || !notes_) counted_.clear();
        return left_out.all_calls();
    }

    /// The number of a message in its channel.
    u64 count(u64& messages) {
        if (notes_ && !near_) counted_.push_back(&messages);
        if (counted_.size() > kMostCounted) notes_ = false;
        return messages++;
    }

    void take(CallReader& calls, u64 call) {
        const RecordSpan records = calls.records();
        for (const CallReader::Posted& posted : calls.posted()) note_posted(calls, posted);
        for (std::size_t i = 0; i < records.size(); ++i) {
            const auto& head = records[i];
            const std::span<const u64> fields = records.values(head);
            switch (static_cast<EventType>(head.type)) {
                case EventType::MpiSend:
                case EventType::MpiIsend:
                    send(calls, call, fields);
                    break;
                case EventType::MpiRecv:
                    receive(channel_from(calls, fields), call, fields[3]);
                    break;
                case EventType::MpiIrecv:
                    complete(calls, call, fields);
                    break;
                default:
                    break;
            }
        }
    }

    [[nodiscard]] u64 communicator_of(const CallReader& calls, u64 raw) const {
        return calls.tables().global(FieldKind::comm, raw);
    }

    const LaneItem& item_of(u64 call) {
        const std::size_t block = lane_->block_of(call);
        if (block != block_) items_ = lane_->items(block);
        block_ = block;
        return items_[call - lane_->blocks()[block].first_call];
    }

    void send(CallReader& calls, u64 call, std::span<const u64> fields) {
        const u64 communicator = communicator_of(calls, fields[1]);
        const u32 peer = world_peer(view_.definitions(), communicator, me_, fields[0]);
        ChannelTraffic& traffic = channels_[{communicator, me_, peer, static_cast<u32>(fields[2])}];
        const u64 number = count(traffic.sends);
        if (!near_) return;
        ViewMessage& message = traffic.messages[number];
        message.sent = {row_, call, item_of(call).begin};
        message.bytes = fields[3];
    }

    [[nodiscard]] MessageChannel channel_from(const CallReader& calls,
                                              std::span<const u64> fields) const {
        const u64 communicator = communicator_of(calls, fields[1]);
        const u32 peer = world_peer(view_.definitions(), communicator, me_, fields[0]);
        return {communicator, peer, me_, static_cast<u32>(fields[2])};
    }

    void receive(const MessageChannel& channel, u64 call, u64 bytes) {
        ChannelTraffic& traffic = channels_[channel];
        end_at(traffic, count(traffic.receives), call, bytes);
    }

    /// Receives are matched in the order in which they were posted.
    void note_posted(CallReader& calls, const CallReader::Posted& posted) {
        if (!posted.completes || static_cast<EventType>(posted.completion) != EventType::MpiIrecv)
            return;
        const auto& head = calls.records()[posted.record];
        if (static_cast<EventType>(head.type) != EventType::MpiIrecvRequest) return;
        const MessageChannel channel = channel_from(calls, posted.fields);
        pending_[calls.records().values(head)[0]] = {channel, count(channels_[channel].receives)};
    }

    void complete(CallReader& calls, u64 call, std::span<const u64> fields) {
        const auto posted = pending_.find(fields[4]);
        if (posted == pending_.end()) {
            receive(channel_from(calls, fields), call, fields[3]);
            return;
        }
        end_at(channels_[posted->second.channel], posted->second.number, call, fields[3]);
        pending_.erase(posted);
    }

    void end_at(ChannelTraffic& traffic, u64 number, u64 call, u64 bytes) {
        if (!near_) return;
        ViewMessage& message = traffic.messages[number];
        message.received = {row_, call, item_of(call).end()};
        message.bytes = bytes;
    }

    struct ViewPosted {
        MessageChannel channel;
        u64 number = 0;
    };

    TraceView& view_;
    TickWindow window_;
    u64 most_calls_;
    u64 margin_ = 0;
    u64 calls_ = 0;
    u32 me_ = kNone;
    u32 row_ = 0;
    const Lane* lane_ = nullptr;
    bool near_ = false;
    std::size_t block_ = 0;        ///< of items_
    std::vector<LaneItem> items_;  ///< of the block that was looked at last
    std::unordered_map<MessageChannel, ChannelTraffic, ViewChannelHash> channels_;
    std::unordered_map<u64, ViewPosted> pending_;  ///< by request
    bool notes_ = false;                           ///< what calls count that may come again
    std::vector<u64*> counted_;                    ///< by these calls, once for each message
};

}  // namespace

ViewMessages view_messages(TraceView& view, const std::vector<u32>& rows, TickWindow window,
                           std::size_t most, u64 most_calls) {
    view.expect(rows);
    MessageReader reader(view, window, most_calls);
    for (const u32 row : rows) {
        // One after the other: those of many rows may have no room together.
        if (!reader.read(row, *view.lane(row))) return {{}, true, most_calls};
    }
    return reader.finish(most);
}

}  // namespace tracefold::inline view
