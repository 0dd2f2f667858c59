// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "view/view_messages.hpp"

#include "comm/agree.hpp"
#include "comm/serial.hpp"
#include "core/hash.hpp"
#include "io/value_bytes.hpp"
#include "model/event_table.hpp"
#include "model/message_channel.hpp"
#include "query/world_peers.hpp"
#include "trace/call_skipper.hpp"

#include <algorithm>
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

/// Where a message of a channel begins or ends.
struct ChannelEnd {
    u64 number = 0;  ///< of the message, in the channel
    u32 place = 0;   ///< of the row, among all that are read
    ViewMessage::End end;
    u64 bytes = 0;

    static void each_field(auto& self, auto& visit) {
        visit(self.number, self.place, self.end, self.bytes);
    }
};

/// What is known of a channel.
struct ChannelTraffic {
    u64 sends = 0;
    u64 receives = 0;
    /// Near the window.
    std::vector<ChannelEnd> sent;  ///< by rising number
    std::vector<ChannelEnd> received;
};

void append_ends(std::vector<ChannelEnd>& to, const std::vector<ChannelEnd>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

/// Messages in their order; what was read last says how large they are.
template <class Take>
void for_each_message(ChannelTraffic& traffic, const Take& take) {
    std::ranges::sort(traffic.received, {}, &ChannelEnd::number);
    auto sent = traffic.sent.begin();
    auto received = traffic.received.begin();
    while (sent != traffic.sent.end() || received != traffic.received.end()) {
        const u64 next_sent = sent == traffic.sent.end() ? ~u64{0} : sent->number;
        const u64 next_received = received == traffic.received.end() ? ~u64{0} : received->number;
        ViewMessage message;
        if (next_sent <= next_received) {
            message.sent = sent->end;
            message.bytes = sent->bytes;
        }
        if (next_received <= next_sent) {
            message.received = received->end;
            const bool is_last =
                next_sent != next_received || std::tie(received->place, received->end.call) >=
                                                  std::tie(sent->place, sent->end.call);
            if (is_last) message.bytes = received->bytes;
            ++received;
        }
        if (next_sent <= next_received) ++sent;
        take(message);
    }
}

/// The rows of one process: as many as others have, and all of a rank, which has its channels by
/// itself.
std::size_t first_row_of(TraceView& view, const std::vector<u32>& rows, int process,
                         int processes) {
    const auto rank_of = [&](std::size_t i) { return view.rows().rows[rows[i]].rank; };
    std::size_t first =
        rows.size() * static_cast<std::size_t>(process) / static_cast<std::size_t>(processes);
    while (first != 0 && first < rows.size() && rank_of(first) == rank_of(first - 1)) ++first;
    return first;
}

/// Reads the messages of rows, one after the other.
class MessageReader {
  public:
    MessageReader(TraceView& view, TickWindow window, u64 most_calls)
        : view_(view), window_(window), most_calls_(most_calls) {
        margin_ = window.length();
    }

    /// A row, by its place among all that are read. False if there are too many calls to read.
    bool read(u32 place, u32 row, const Lane& lane) {
        me_ = view_.rows().rows[row].rank;
        if (lane.blocks().empty() || me_ == kNone) return true;
        place_ = place;
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

    /// What was read, for take() of a reader of the rows before these.
    std::string to_bytes() const {
        ByteWriter out;
        ValueWriter write(out);
        write(calls_);
        if (calls_ > most_calls_) return out.take();
        for (const Channels::value_type* one : order_) {
            write(one->first.comm, one->first.source, one->first.destination, one->first.tag);
            write(one->second.sent, one->second.received);
        }
        return out.take();
    }
    void take(std::string_view bytes) {
        ByteReader in(bytes, "the messages of a process");
        ValueReader read(in);
        u64 calls = 0;
        read(calls);
        calls_ += calls;
        while (in.remaining() != 0) {
            MessageChannel channel;
            ChannelTraffic more;
            read(channel.comm, channel.source, channel.destination, channel.tag);
            read(more.sent, more.received);
            ChannelTraffic& traffic = traffic_of(channel);
            append_ends(traffic.sent, more.sent);
            append_ends(traffic.received, more.received);
        }
    }

    ViewMessages finish(std::size_t most) {
        if (calls_ > most_calls_) return {{}, true, most_calls_};
        ViewMessages result;
        result.calls = calls_;
        for (auto& [channel, traffic] : channels_) {
            for_each_message(traffic, [&, &of = channel](ViewMessage& message) {
                if (result.too_many || !is_wanted(message)) return;
                result.too_many = result.messages.size() == most;
                message.tag = of.tag;
                message.communicator = of.comm;
                result.messages.push_back(message);
            });
            if (result.too_many) return {{}, true, calls_};
        }
        std::sort(result.messages.begin(), result.messages.end(),
                  [](const ViewMessage& a, const ViewMessage& b) {
                      return std::tie(a.sent.ticks, a.sent.row, a.sent.call, a.received.ticks) <
                             std::tie(b.sent.ticks, b.sent.row, b.sent.call, b.received.ticks);
                  });
        return result;
    }

  private:
    using Channels = std::unordered_map<MessageChannel, ChannelTraffic, ViewChannelHash>;

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
        ChannelTraffic& traffic =
            traffic_of({communicator, me_, peer, static_cast<u32>(fields[2])});
        const u64 number = count(traffic.sends);
        if (!near_) return;
        traffic.sent.push_back({number, place_, {row_, call, item_of(call).begin}, fields[3]});
    }

    [[nodiscard]] MessageChannel channel_from(const CallReader& calls,
                                              std::span<const u64> fields) const {
        const u64 communicator = communicator_of(calls, fields[1]);
        const u32 peer = world_peer(view_.definitions(), communicator, me_, fields[0]);
        return {communicator, peer, me_, static_cast<u32>(fields[2])};
    }

    void receive(const MessageChannel& channel, u64 call, u64 bytes) {
        ChannelTraffic& traffic = traffic_of(channel);
        end_at(traffic, count(traffic.receives), call, bytes);
    }

    /// Receives are matched in the order in which they were posted.
    void note_posted(CallReader& calls, const CallReader::Posted& posted) {
        if (!posted.completes || static_cast<EventType>(posted.completion) != EventType::MpiIrecv)
            return;
        const auto& head = calls.records()[posted.record];
        if (static_cast<EventType>(head.type) != EventType::MpiIrecvRequest) return;
        const MessageChannel channel = channel_from(calls, posted.fields);
        pending_[calls.records().values(head)[0]] = {channel, count(traffic_of(channel).receives)};
    }

    void complete(CallReader& calls, u64 call, std::span<const u64> fields) {
        const auto posted = pending_.find(fields[4]);
        if (posted == pending_.end()) {
            receive(channel_from(calls, fields), call, fields[3]);
            return;
        }
        end_at(traffic_of(posted->second.channel), posted->second.number, call, fields[3]);
        pending_.erase(posted);
    }

    void end_at(ChannelTraffic& traffic, u64 number, u64 call, u64 bytes) {
        if (!near_) return;
        traffic.received.push_back({number, place_, {row_, call, item_of(call).end()}, bytes});
    }

    ChannelTraffic& traffic_of(const MessageChannel& channel) {
        const auto [place, added] = channels_.try_emplace(channel);
        if (added) order_.push_back(&*place);
        return place->second;
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
    u32 place_ = 0;
    u32 row_ = 0;
    const Lane* lane_ = nullptr;
    bool near_ = false;
    std::size_t block_ = 0;        ///< of items_
    std::vector<LaneItem> items_;  ///< of the block that was looked at last
    Channels channels_;
    std::vector<const Channels::value_type*> order_;  ///< in which they were met
    std::unordered_map<u64, ViewPosted> pending_;     ///< by request
    bool notes_ = false;                              ///< what calls count that may come again
    std::vector<u64*> counted_;                       ///< by these calls, once for each message
};

}  // namespace

ViewMessages view_messages(Communicator& comm, TraceView& view, const std::vector<u32>& rows,
                           TickWindow window, std::size_t most, u64 most_calls) {
    MessageReader reader(view, window, most_calls);
    std::string mine;
    agree(comm, [&] {
        const std::size_t first = first_row_of(view, rows, comm.rank(), comm.size());
        const std::size_t end = first_row_of(view, rows, comm.rank() + 1, comm.size());
        if (comm.size() == 1) view.expect(rows);
        // One after the other: those of many rows may have no room together.
        for (std::size_t i = first; i < end; ++i) {
            if (!reader.read(static_cast<u32>(i), rows[i], *view.lane(rows[i]))) break;
        }
        if (comm.rank() != 0) mine = reader.to_bytes();
    });
    int process = 0;
    for (const std::string& bytes : comm.gather(mine, 0)) {
        if (process++ != 0) reader.take(bytes);
    }
    return comm.rank() == 0 ? reader.finish(most) : ViewMessages();
}

ViewMessages view_messages(TraceView& view, const std::vector<u32>& rows, TickWindow window,
                           std::size_t most, u64 most_calls) {
    SerialCommunicator alone;
    return view_messages(alone, view, rows, window, most, most_calls);
}

}  // namespace tracefold::inline view
