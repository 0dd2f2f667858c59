// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "view/row_messages.hpp"

#include "core/hash.hpp"
#include "model/event_table.hpp"
#include "query/world_peers.hpp"
#include "trace/call_skipper.hpp"

#include <span>

namespace tracefold {

namespace {

/// Reads the ends of messages of a row.
class RowMessageReader {
  public:
    RowMessageReader(TraceView& view, u32 row, const Lane& lane, TickWindow window)
        : view_(view),
          lane_(lane),
          window_(window),
          margin_(window.length()),
          me_(view.rows().rows[row].rank),
          items_(lane) {}

    RowMessages read(u64 most_calls) {
        if (lane_.blocks().empty() || me_ == kNone) return std::move(messages_);
        const u64 first = first_near_call();
        const u64 last = window_.end + margin_;
        CallReader calls(view_.file(), lane_.location(), Times::skip);
        CallSkipper skipper(calls);
        for (u64 call = 0; calls.next(); ++call) {
            if (lane_.blocks()[lane_.block_of(call)].begin > last) break;
            near_ = call >= first;
            take(calls, call);
            if (++messages_.calls > most_calls) break;
            call += near_ ? 0 : skip(skipper, first - call - 1);
        }
        return std::move(messages_);
    }

  private:
    /// Messages of calls that may come again; with more of them they are read one by one.
    static constexpr std::size_t kMostCounted = 1U << 16U;

    /// Before it, nothing happens that the window needs.
    [[nodiscard]] u64 first_near_call() const {
        std::size_t block = 0;
        const std::size_t blocks = lane_.blocks().size();
        while (block < blocks && lane_.block_end(block) + margin_ < window_.begin) ++block;
        return block < blocks ? lane_.blocks()[block].first_call : lane_.calls();
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

    void send(CallReader& calls, u64 call, std::span<const u64> fields) {
        const u64 communicator = communicator_of(calls, fields[1]);
        const u32 peer = world_peer(view_.definitions(), communicator, me_, fields[0]);
        ChannelOfRow& own = channel({communicator, me_, peer, static_cast<u32>(fields[2])});
        const u64 number = count(own.sends);
        if (near_) own.sent.push_back({number, call, items_.item(call).begin, fields[3]});
    }

    [[nodiscard]] MessageChannel channel_from(const CallReader& calls,
                                              std::span<const u64> fields) const {
        const u64 communicator = communicator_of(calls, fields[1]);
        const u32 peer = world_peer(view_.definitions(), communicator, me_, fields[0]);
        return {communicator, peer, me_, static_cast<u32>(fields[2])};
    }

    void receive(const MessageChannel& channel, u64 call, u64 bytes) {
        ChannelOfRow& own = this->channel(channel);
        end_at(own, count(own.receives), call, bytes);
    }

    /// Receives are matched in the order in which they were posted.
    void note_posted(CallReader& calls, const CallReader::Posted& posted) {
        if (!posted.completes || static_cast<EventType>(posted.completion) != EventType::MpiIrecv)
            return;
        const auto& head = calls.records()[posted.record];
        if (static_cast<EventType>(head.type) != EventType::MpiIrecvRequest) return;
        ChannelOfRow& own = channel(channel_from(calls, posted.fields));
        pending_[calls.records().values(head)[0]] = {&own, count(own.receives)};
    }

    void complete(CallReader& calls, u64 call, std::span<const u64> fields) {
        const auto posted = pending_.find(fields[4]);
        if (posted == pending_.end()) {
            receive(channel_from(calls, fields), call, fields[3]);
            return;
        }
        end_at(*posted->second.channel, posted->second.number, call, fields[3]);
        pending_.erase(posted);
    }

    void end_at(ChannelOfRow& own, u64 number, u64 call, u64 bytes) {
        if (near_) own.received.push_back({number, call, items_.item(call).end(), bytes});
    }

    ChannelOfRow& channel(const MessageChannel& channel) {
        const auto [known, fresh] = channels_.try_emplace(channel, nullptr);
        if (fresh)
            known->second = &messages_.channels.emplace_back(ChannelOfRow{channel, 0, 0, {}, {}});
        return *known->second;
    }

    struct PostedReceive {
        ChannelOfRow* channel = nullptr;
        u64 number = 0;
    };

    TraceView& view_;
    const Lane& lane_;
    TickWindow window_;
    u64 margin_;
    u32 me_;
    RowMessages messages_;
    bool near_ = false;
    LaneItemReader items_;
    std::unordered_map<MessageChannel, ChannelOfRow*, MessageChannelHash> channels_;
    std::unordered_map<u64, PostedReceive> pending_;  ///< by request
    bool notes_ = false;                              ///< what calls count that may come again
    std::vector<u64*> counted_;                       ///< by these calls, once for each message
};

}  // namespace

std::size_t MessageChannelHash::operator()(const MessageChannel& channel) const {
    const u64 ranks = u64{channel.source} << 32U | channel.destination;
    return static_cast<std::size_t>(mix(ranks ^ mix(channel.comm << 32U ^ channel.tag)));
}

RowMessages row_messages(TraceView& view, u32 row, const Lane& lane, TickWindow window,
                         u64 most_calls) {
    return RowMessageReader(view, row, lane, window).read(most_calls);
}

}  // namespace tracefold
