// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/timeline/view_messages.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "file/call_reader.hpp"
#include "file/record_counts.hpp"
#include "model/event_table.hpp"
#include "model/mpi_function.hpp"
#include "questions/timeline/trace_view.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

struct MessageChannelHash {
    std::size_t operator()(const MessageChannel& channel) const;
};

/// Where a row sends or receives a message.
struct RowMessage {
    u64 number = 0;  ///< index among the row's messages in that direction of the channel
    u64 call = 0;
    u64 ticks = 0;
    u64 bytes = 0;

    static void each_field(auto& self, auto& visit) {
        visit(self.number, self.call, self.ticks, self.bytes);
    }
};

/// A row's messages of a channel.
struct ChannelOfRow {
    MessageChannel channel;
    u64 sends = 0;
    u64 receives = 0;
    std::vector<RowMessage> sent;      ///< near the window, by ascending number
    std::vector<RowMessage> received;  ///< near the window, in order of the calls

    static void each_field(auto& self, auto& visit) {
        visit(self.channel.comm, self.channel.source, self.channel.destination, self.channel.tag,
              self.sends, self.receives, self.sent, self.received);
    }
};

/// Message ends of one row near a window.
struct RowMessages {
    std::deque<ChannelOfRow> channels;  ///< in order of their first messages
    u64 calls = 0;                      ///< calls read
};

/// Reads message ends within the window's length before and after it. Stops one call after
/// `most_calls`. Cost: the row's calls up to there without times; few of the repeated ones before
/// the window. Throws Error(corrupt).
RowMessages row_messages(TraceView& view, u32 row, const Lane& lane, TickWindow window,
                         u64 most_calls);

namespace {

/// A row's part in a channel: its place, and counts of preceding rows of its rank.
struct ChannelSource {
    const ChannelOfRow* ends = nullptr;
    u32 place = 0;
    u64 sends = 0;
    u64 receives = 0;
};

/// A message end with its number in the channel.
struct PlacedEnd {
    u64 number = 0;
    u32 place = 0;  ///< place of the row
    const RowMessage* end = nullptr;
};

std::vector<PlacedEnd> sent_in(const std::vector<ChannelSource>& sources) {
    std::vector<PlacedEnd> all;
    for (const ChannelSource& one : sources) {
        for (const RowMessage& end : one.ends->sent)
            all.push_back({one.sends + end.number, one.place, &end});
    }
    return all;
}

/// Sorted by number, not by completion.
std::vector<PlacedEnd> received_in(const std::vector<ChannelSource>& sources) {
    std::vector<PlacedEnd> all;
    for (const ChannelSource& one : sources) {
        for (const RowMessage& end : one.ends->received)
            all.push_back({one.receives + end.number, one.place, &end});
    }
    if (!std::ranges::is_sorted(all, {}, &PlacedEnd::number))
        std::ranges::sort(all, {}, &PlacedEnd::number);
    return all;
}

/// Matches sends with receives.
class MessageMatcher {
  public:
    explicit MessageMatcher(const RowsWindow& part) : part_(part) {}

    /// Add rows in order: rows of one rank continue its counts. `ends` must outlive this object.
    void add(u32 place, const RowMessages& ends) {
        for (const ChannelOfRow& own : ends.channels) {
            std::vector<ChannelSource>& sources = channels_[own.channel];
            ChannelSource source{&own, place, 0, 0};
            if (!sources.empty()) {
                source.sends = sources.back().sends + sources.back().ends->sends;
                source.receives = sources.back().receives + sources.back().ends->receives;
            }
            sources.push_back(source);
        }
        calls_ += ends.calls;
    }

    /// Call after all rows were added. Returns the number of shares for concurrent matching.
    std::size_t divide() {
        for (const Channels::value_type& one : channels_) order_.push_back(&one);
        shares_.resize((order_.size() + kShare - 1) / kShare);
        return shares_.size();
    }
    /// Stops after more than `most` messages in total.
    void match_share(std::size_t share, std::size_t most) {
        const std::size_t end = std::min((share + 1) * kShare, order_.size());
        std::vector<ViewMessage>& found = shares_[share];
        for (std::size_t i = share * kShare; i < end && found_ <= most; ++i) {
            const std::size_t before = found.size();
            match(order_[i]->first, order_[i]->second, found);
            found_ += found.size() - before;
        }
    }
    /// Call after all shares are matched.
    ViewMessages finish(std::size_t most) {
        if (found_ > most) return {{}, true, calls_};
        ViewMessages result;
        result.calls = calls_;
        result.messages.reserve(found_);
        for (const std::vector<ViewMessage>& share : shares_)
            result.messages.insert(result.messages.end(), share.begin(), share.end());
        shares_.clear();
        std::sort(result.messages.begin(), result.messages.end(),
                  [](const ViewMessage& a, const ViewMessage& b) {
                      return std::tie(a.sent.ticks, a.sent.row, a.sent.call, a.received.ticks) <
                             std::tie(b.sent.ticks, b.sent.row, b.sent.call, b.received.ticks);
                  });
        return result;
    }

  private:
    using Channels =
        std::unordered_map<MessageChannel, std::vector<ChannelSource>, MessageChannelHash>;
    static constexpr std::size_t kShare = 64;  ///< channels per share

    void match(const MessageChannel& channel, const std::vector<ChannelSource>& sources,
               std::vector<ViewMessage>& messages) const {
        const std::vector<PlacedEnd> all_sent = sent_in(sources);
        const std::vector<PlacedEnd> all_received = received_in(sources);
        auto sent = all_sent.begin();
        auto received = all_received.begin();
        while (sent != all_sent.end() || received != all_received.end()) {
            const u64 next_sent = sent == all_sent.end() ? ~u64{0} : sent->number;
            const u64 next_received = received == all_received.end() ? ~u64{0} : received->number;
            const bool has_sent = next_sent <= next_received;
            const bool has_received = next_received <= next_sent;
            const ViewMessage message = message_of(channel, has_sent ? &*sent : nullptr,
                                                   has_received ? &*received : nullptr);
            sent += has_sent ? 1 : 0;
            received += has_received ? 1 : 0;
            if (is_wanted(message)) messages.push_back(message);
        }
    }

    [[nodiscard]] ViewMessage message_of(const MessageChannel& channel, const PlacedEnd* sent,
                                         const PlacedEnd* received) const {
        ViewMessage message;
        if (sent != nullptr) {
            message.sent = {part_.rows[sent->place], sent->end->call, sent->end->ticks};
            message.bytes = sent->end->bytes;
        }
        if (received != nullptr) {
            message.received = {part_.rows[received->place], received->end->call,
                                received->end->ticks};
            // The end that was read later determines the size.
            if (sent == nullptr || received->place >= sent->place)
                message.bytes = received->end->bytes;
        }
        message.tag = channel.tag;
        message.communicator = channel.comm;
        return message;
    }

    [[nodiscard]] bool is_wanted(const ViewMessage& message) const {
        const auto inside = [this](const ViewMessage::End& end) {
            return end.row != kNone && end.ticks >= part_.window.begin &&
                   end.ticks <= part_.window.end;
        };
        return inside(message.sent) || inside(message.received);
    }

    const RowsWindow& part_;
    u64 calls_ = 0;
    Channels channels_;
    std::vector<const Channels::value_type*> order_;
    std::vector<std::vector<ViewMessage>> shares_;
    std::atomic<std::size_t> found_ = 0;  ///< number of messages
};

/// Message ends read for a window.
struct WindowEnds {
    std::vector<RowMessages> rows;  ///< by place
    std::atomic<u64> calls = 0;
};

/// The places of a row in the windows' lists: each lane is read once for all windows.
struct RowPlaces {
    u32 row = 0;
    std::vector<std::pair<u32, u32>> places;  ///< window and place, ascending
};

std::vector<RowPlaces> places_of_rows(const std::vector<RowsWindow>& parts) {
    std::vector<RowPlaces> all;
    std::unordered_map<u32, std::size_t> known;
    for (u32 part = 0; part < parts.size(); ++part) {
        for (u32 place = 0; place < parts[part].rows.size(); ++place) {
            const u32 row = parts[part].rows[place];
            const auto [at, fresh] = known.try_emplace(row, all.size());
            if (fresh) all.push_back({row, {}});
            all[at->second].places.emplace_back(part, place);
        }
    }
    return all;
}

void read_rows(TraceView& view, const std::vector<RowsWindow>& parts,
               std::span<const RowPlaces> rows, u64 most_calls, u32 threads,
               std::vector<WindowEnds>& ends) {
    run_each(threads, rows.size(), [&](std::size_t i) {
        // Few lanes at a time: the cache may not hold those of many rows.
        const std::shared_ptr<const Lane> lane = view.lane(rows[i].row);
        for (const auto& [part, place] : rows[i].places) {
            if (ends[part].calls > most_calls) continue;
            RowMessages& own = ends[part].rows[place];
            own = row_messages(view, rows[i].row, *lane, parts[part].window, most_calls);
            ends[part].calls += own.calls;
        }
    });
}

std::string bytes_of_rows(std::span<const RowPlaces> rows, const std::vector<WindowEnds>& ends) {
    ByteWriter out;
    ValueWriter write(out);
    for (const RowPlaces& row : rows) {
        for (const auto& [part, place] : row.places) {
            const RowMessages& own = ends[part].rows[place];
            write(part, place, own.calls, u64{own.channels.size()});
            for (const ChannelOfRow& channel : own.channels) write(channel);
        }
    }
    return out.take();
}

void take_rows(std::string_view bytes, std::vector<WindowEnds>& ends) {
    ByteReader in(bytes, "the messages of a process");
    ValueReader read(in);
    while (in.remaining() != 0) {
        u32 part = 0;
        u32 place = 0;
        u64 channels = 0;
        RowMessages own;
        read(part, place, own.calls, channels);
        for (; channels != 0; --channels) read(own.channels.emplace_back());
        ends.at(part).calls += own.calls;
        ends[part].rows.at(place) = std::move(own);
    }
}

/// The rows of one process: an equal share.
std::span<const RowPlaces> rows_of(const Communicator& comm, std::span<const RowPlaces> all) {
    const auto size = static_cast<std::size_t>(comm.size());
    const auto rank = static_cast<std::size_t>(comm.rank());
    const std::size_t first = all.size() * rank / size;
    return all.subspan(first, all.size() * (rank + 1) / size - first);
}

std::vector<ViewMessages> matched(const std::vector<RowsWindow>& parts,
                                  const std::vector<WindowEnds>& ends, std::size_t most,
                                  u64 most_calls, u32 threads) {
    std::deque<MessageMatcher> matchers;
    std::vector<std::pair<std::size_t, std::size_t>> shares;  // part, share of it
    for (std::size_t part = 0; part < parts.size(); ++part) {
        MessageMatcher& matcher = matchers.emplace_back(parts[part]);
        if (ends[part].calls > most_calls) continue;
        for (u32 place = 0; place < ends[part].rows.size(); ++place)
            matcher.add(place, ends[part].rows[place]);
        const std::size_t count = matcher.divide();
        for (std::size_t share = 0; share < count; ++share) shares.emplace_back(part, share);
    }
    run_each(threads, shares.size(),
             [&](std::size_t i) { matchers[shares[i].first].match_share(shares[i].second, most); });
    std::vector<ViewMessages> found(parts.size());
    run_each(threads, parts.size(), [&](std::size_t part) {
        found[part] = {{}, true, most_calls};
        if (ends[part].calls <= most_calls) found[part] = matchers[part].finish(most);
    });
    return found;
}

}  // namespace

ViewMessages view_messages(TraceView& view, const std::vector<u32>& rows, TickWindow window,
                           std::size_t most, u64 most_calls) {
    view.expect(rows);
    SerialCommunicator alone;
    return view_messages(alone, view, {{window, rows}}, most, most_calls, 1).front();
}

std::vector<ViewMessages> view_messages(Communicator& comm, TraceView& view,
                                        const std::vector<RowsWindow>& parts, std::size_t most,
                                        u64 most_calls, u32 threads) {
    std::vector<WindowEnds> ends(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) ends[i].rows.resize(parts[i].rows.size());
    const std::vector<RowPlaces> all = places_of_rows(parts);
    const std::span<const RowPlaces> own = rows_of(comm, all);
    std::string bytes;
    agree(comm, [&] {
        read_rows(view, parts, own, most_calls, threads, ends);
        if (comm.rank() != 0) bytes = bytes_of_rows(own, ends);
    });
    for (const std::string& others : comm.gather(bytes, 0)) take_rows(others, ends);
    if (comm.rank() != 0) return {};
    return matched(parts, ends, most, most_calls, threads);
}

namespace {

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
    /// Maximum messages in a repeated sequence of calls; longer ones are read call by call.
    static constexpr std::size_t kMostCounted = 1U << 16U;

    /// First call of interest for the window.
    [[nodiscard]] u64 first_near_call() const {
        std::size_t block = 0;
        const std::size_t blocks = lane_.blocks().size();
        while (block < blocks && lane_.block_end(block) + margin_ < window_.begin) ++block;
        return block < blocks ? lane_.blocks()[block].first_call : lane_.calls();
    }

    /// Skips repeated calls and adds their message counts; returns the number of skipped calls.
    u64 skip(CallSkipper& skipper, u64 most) {
        // Repetitions cannot be skipped while requests are pending: their numbers would differ.
        const CallSkipper::LeftOut left_out =
            skipper.after_call(notes_ && pending_.empty() ? most : 0);
        if (left_out.iterations != 0) {
            for (u64* const count : counted_) *count += left_out.iterations;
        }
        notes_ = skipper.begins() ? pending_.empty() : notes_ && skipper.is_looking();
        if (skipper.begins() || !notes_) counted_.clear();
        return left_out.all_calls();
    }

    /// Returns the number of a message in its channel and counts it.
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

    /// Receives match in posting order.
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
    bool notes_ = false;         ///< whether to note the counts of repeatable calls
    std::vector<u64*> counted_;  ///< counters that these calls incremented, once per message
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
