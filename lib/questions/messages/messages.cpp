// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/messages/messages.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "file/location_blocks.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "questions/structure/iterations.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

[[noreturn]] void refuse_more_than(std::size_t messages) {
    throw Error(ErrorKind::usage,
                "there are more than {} messages; select ranks, steps, names, a time, or only the "
                "longest waits",
                messages);
}

/// Connects the calls that send and receive each message.
class MessageObserver final : public MatchingObserver {
  public:
    using Take = std::function<void(Message message)>;

    /// `most`: messages on their way.
    MessageObserver(TraceFile& file, const CommonClock& clock, bool has_times, std::size_t most,
                    Take take)
        : definitions_(file.definitions()),
          clock_(clock),
          has_times_(has_times),
          most_(most),
          locations_(walked_locations(file)),
          current_(locations_.size()),
          probes_(locations_.size()),
          take_(std::move(take)) {}

    void began(u32 walker, const MpiCall& call) override {
        current_[walker] = call_of(walker, call);
        note_probe(walker, call);
        for (u32 i = 0; i < call.actions.size(); ++i) {
            const Action& action = call.actions[i];
            if (action.kind != Action::Kind::send) continue;
            if (++on_their_way_ > most_) {
                throw Error(ErrorKind::unsupported,
                            "more than {} messages are on their way at a time", most_);
            }
            const Envelope& sent = action.envelope;
            sent_[{walker, call.index, i}] = {
                current_[walker], {}, sent.bytes, sent.comm, sent.tag};
        }
    }
    void matched(CallPlace sender, CallPlace receiver) override {
        if (std::optional<Message> message = sent_.take(sender)) matched_[receiver] = *message;
    }
    /// A probe that leaves the message in the queue.
    void probed(CallPlace sender, CallPlace probe) override {
        if (Message* const message = sent_.find(sender)) {
            message->late = time_before(current_[probe.walker], message->sent);
        }
    }
    void completed(CallPlace receiver, CallPlace completion) override {
        std::optional<Message> message = matched_.take(receiver);
        if (!message) return;
        --on_their_way_;
        message->received = current_[completion.walker];
        message->late += time_before(message->received, message->sent);
        if (receiver.index == completion.index && probes_[completion.walker].receives) {
            message->late += time_before(probes_[completion.walker].call, message->sent);
        }
        take_(*message);
    }
    void cancelled_send(u32 location, u64 index) override { cancelled_.emplace(location, index); }

    /// Call after the walk: passes the messages that no call receives.
    void finish() {
        const auto take = [this](const Message& message) {
            if (!cancelled_.contains({message.sent.location, message.sent.call})) take_(message);
        };
        sent_.for_each(take);
        matched_.for_each(take);
    }

  private:
    /// An MPI_Probe without a record: of the message that the walker receives next.
    struct Probe {
        MessageCall call;
        bool receives = false;  ///< the current call receives it
    };

    /// Part of a call before the begin of another one.
    static u64 time_before(const MessageCall& call, const MessageCall& other) {
        return call.time.within(call.time.begin, other.time.begin);
    }
    void note_probe(u32 walker, const MpiCall& call) {
        Probe& probe = probes_[walker];
        if (probe.receives) probe = {};
        if (call.function == MpiFunction::Probe && call.actions.empty()) {
            probe.call = current_[walker];
        } else {
            probe.receives =
                probe.call.location != kNone && find_action(call, Action::Kind::receive) != nullptr;
        }
    }
    [[nodiscard]] MessageCall call_of(u32 walker, const MpiCall& call) const {
        const u32 location = locations_[walker];
        MessageCall made{location, call.index, name_of(call, definitions_), {}};
        if (!has_times_) return made;
        made.time.begin = clock_.since_start(location, call.begin);
        made.time.end = std::max(made.time.begin, clock_.since_start(location, call.end));
        return made;
    }

    const DefinitionIndex& definitions_;
    const CommonClock& clock_;
    bool has_times_;
    std::size_t most_;
    std::size_t on_their_way_ = 0;
    std::vector<u32> locations_;        ///< by walker
    std::vector<MessageCall> current_;  ///< by walker
    std::vector<Probe> probes_;         ///< by walker
    ByPlace<Message> sent_;             ///< without a receive, by the sending action
    ByPlace<Message> matched_;          ///< by the posting action
    std::set<std::pair<u32, u64>> cancelled_;
    Take take_;
};

/// Decides which messages are wanted, and sets their steps.
class MessageFilter {
  public:
    MessageFilter(TraceFile& file, const CallSelection& part, FoundSteps& steps)
        : rate_(file.definitions().tick_rate()),
          part_(part),
          source_(file),
          iterations_(file, source_, steps) {
        if (part.has_step) iterations_.expect_some();
    }

    /// Whether the message may be wanted, whatever its step.
    bool accepts(const Message& message) {
        return is_at_wanted_place(message) && is_named(message) && is_in_window(message);
    }
    /// Sets the step; false if it is not wanted. Precondition: number_calls().
    bool is_in_step(Message& message) {
        const bool ends = message.received.location != kNone;
        const MessageCall& call = ends ? message.received : message.sent;
        const LocationSteps* const steps = iterations_.of(call.location);
        if (steps != nullptr) message.step = steps->step_of(call.call);
        return !part_.has_step || (message.step && part_.has_step(*message.step));
    }
    u64 most_steps(u32 locations) {
        u64 most = 0;
        for (u32 i = 0; i < locations; ++i) most = std::max(most, iterations_.count(i));
        return most;
    }

  private:
    [[nodiscard]] bool is_at_wanted_place(const Message& message) const {
        const u32 receiver = message.received.location;
        return part_.locations[message.sent.location] ||
               (receiver != kNone && part_.locations[receiver]);
    }
    bool is_named(const Message& message) const {
        return !part_.has_name || part_.has_name(message.sent.name) ||
               (message.received.location != kNone && part_.has_name(message.received.name));
    }
    [[nodiscard]] bool is_in_window(const Message& message) const {
        if (!part_.window) return true;
        const bool ends = message.received.location != kNone;
        const u64 end = ends ? message.received.time.end : message.sent.time.end;
        return rate_.seconds(std::max(end, message.sent.time.end)) >= part_.window->from &&
               rate_.seconds(message.sent.time.begin) <= part_.window->to;
    }

    TickRate rate_;
    const CallSelection& part_;
    ListingSource source_;
    Iterations iterations_;
};

/// Turns the numbers of calls among those of MPI into those among all calls of a location.
void number_calls(TraceFile& file, std::vector<Message>& messages, u32 threads) {
    std::vector<std::vector<MessageCall*>> calls(file.location_count());
    for (Message& message : messages) {
        for (MessageCall* const call : {&message.sent, &message.received}) {
            if (call->location != kNone) calls[call->location].push_back(call);
        }
    }
    run_each(useful_threads(file.definitions().locations(), threads), calls.size(), [&](u32 i) {
        if (calls[i].empty()) return;
        std::ranges::sort(calls[i], {}, &MessageCall::call);
        MpiCallReader reader(file, i, Times::skip);
        u64 read = 0;
        MpiCall current;
        for (MessageCall* const call : calls[i]) {
            while (read <= call->call && reader.next(current)) ++read;
            call->call = reader.position();
        }
    });
}

bool waits_longer(const Message& a, const Message& b) {
    return std::tuple(b.late, a.sent.time.begin, a.sent.location, a.sent.call) <
           std::tuple(a.late, b.sent.time.begin, b.sent.location, b.sent.call);
}

/// Sorts the messages with the longest waits to the front, and removes the others.
void take_top(std::vector<Message>& messages, std::size_t top) {
    top = std::min(top, messages.size());
    const auto end = messages.begin() + static_cast<std::ptrdiff_t>(top);
    std::ranges::partial_sort(messages, end, waits_longer);
    messages.erase(end, messages.end());
}

/// With MessageRequest::top, so many are kept at least before others are removed.
constexpr std::size_t kFewMessages = 4096;

bool is_sent_before(const Message& a, const Message& b) {
    const auto order = [](const Message& it) {
        return std::tuple(it.sent.time.begin, it.sent.location, it.sent.call,
                          it.received.time.begin, it.received.location, it.received.call);
    };
    return order(a) < order(b);
}

}  // namespace

Messages find_messages(TraceFile& file, const MessageRequest& request, FoundSteps& steps,
                       u32 threads) {
    require_ranks(file, "a list of messages");
    Messages found;
    found.has_times = keeps_every_time(file.summary().timing);
    if (request.part.window && !found.has_times) {
        throw Error(ErrorKind::usage, "cannot select by time: the file does not keep every time");
    }
    const CommonClock clock = common_clock(file);
    MessageFilter filter(file, request.part, steps);
    MessageObserver observer(file, clock, found.has_times, request.most, [&](Message message) {
        if (!filter.accepts(message)) return;
        if (found.list.size() == request.most) refuse_more_than(request.most);
        found.list.push_back(message);
        const bool is_full = found.list.size() >= std::max(kFewMessages, 2 * request.top);
        if (request.top != 0 && !request.part.has_step && is_full)
            take_top(found.list, request.top);
    });
    check_replay(file, observer, found.has_times ? Times::read : Times::skip, threads);
    observer.finish();
    number_calls(file, found.list, threads);
    std::erase_if(found.list, [&](Message& message) { return !filter.is_in_step(message); });
    if (request.top != 0) {
        take_top(found.list, request.top);
    } else {
        std::ranges::sort(found.list, is_sent_before);
    }
    found.unreceived = static_cast<u64>(std::ranges::count(
        found.list, kNone, [](const Message& message) { return message.received.location; }));
    found.most_steps = filter.most_steps(file.location_count());
    return found;
}

void put_messages(TraceFile& file, const Messages& messages, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"sender", Type::whole},
                 {"receiver", Type::whole},
                 {"tag", Type::whole},
                 {"bytes", Type::whole},
                 {"communicator"},
                 {"step", Type::whole},
                 {"late", Type::real},
                 {"send"},
                 {"send_location"},
                 {"send_begin", Type::real},
                 {"send_duration", Type::real},
                 {"receive"},
                 {"receive_location"},
                 {"receive_begin", Type::real},
                 {"receive_duration", Type::real}});
    const DefinitionIndex& definitions = file.definitions();
    const ParticipantNames names(definitions);
    const TickRate rate = definitions.tick_rate();
    const auto seconds = [&](u64 ticks, bool known) {
        known ? table.real(rate.seconds(ticks)) : table.none();
    };
    const auto rank = [&](const MessageCall& call) {
        call.location == kNone ? table.none() : table.whole(names.place(call.location).rank);
    };
    for (const Message& message : messages.list) {
        const bool arrives = message.received.location != kNone;
        rank(message.sent);
        rank(message.received);
        table.whole(message.tag);
        table.whole(message.bytes);
        table.text(definitions.communicator_name(message.communicator));
        message.step ? table.whole(*message.step) : table.none();
        seconds(message.late, messages.has_times && arrives);
        for (const MessageCall* const call : {&message.sent, &message.received}) {
            const bool is_known = call->location != kNone;
            is_known ? table.text(call->name) : table.none();
            is_known ? table.text(names.label(call->location)) : table.none();
            seconds(call->time.begin, messages.has_times && is_known);
            seconds(call->time.length(), messages.has_times && is_known);
        }
    }
}

}  // namespace tracefold
