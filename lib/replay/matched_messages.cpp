// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/matched_messages.hpp"

#include "replay/mpi_call_reader.hpp"

namespace tracefold {

namespace {

using Map = std::unordered_map<u64, u64>;

/// Removes an entry and gives its value; nothing if there is none.
template <class Value>
std::optional<Value> take_from(std::unordered_map<u64, Value>& map, u64 key) {
    const auto found = map.find(key);
    if (found == map.end()) return std::nullopt;
    const Value value = found->second;
    map.erase(found);
    return value;
}

}  // namespace

std::optional<u64> MatchedMessages::Scout::take(u64 message) {
    while (!bytes_.contains(message) && !at_end_) read();
    return take_from(bytes_, message);
}

void MatchedMessages::Scout::read() {
    at_end_ = !stream_.next();
    if (at_end_) return;
    for (const RecordBatch::Head& head : stream_.records().heads()) {
        const std::span<const u64> fields = stream_.records().values(head);
        switch (static_cast<EventType>(head.type)) {
            case EventType::MpiMrecv:
                bytes_[fields[0]] = fields[1];
                break;
            case EventType::MpiImrecvRequest:
                message_[fields[1]] = fields[0];
                break;
            case EventType::MpiImrecv:
                if (const auto message = take_from(message_, fields[0])) {
                    bytes_[*message] = fields[1];
                }
                break;
            default:
                break;
        }
    }
}

/// Finds what the threads of a process hand over: walks through their records, thread by thread,
/// and keeps what begins on one and ends on another.
class MatchedMessages::Exchange {
  public:
    explicit Exchange(MatchedMessages& all) : all_(all) {}

    void walk(TraceFile& file, u32 location) {
        probes_.clear();
        posted_.clear();
        CallReader stream(file, location, Times::skip);
        while (stream.next()) {
            for (const RecordBatch::Head& head : stream.records().heads()) {
                add(static_cast<EventType>(head.type), stream.records().values(head),
                    stream.tables());
            }
        }
        for (const auto& [message, probe] : probes_) all_.handed_over_[message].probe = probe;
        for (const auto& [request, message] : posted_) all_.posted_elsewhere_[request] = message;
    }

    void join() {
        for (const auto& [request, bytes] : completed_) {
            const auto posted = all_.posted_elsewhere_.find(request);
            if (posted != all_.posted_elsewhere_.end()) {
                all_.handed_over_[posted->second].bytes = bytes;
            }
        }
    }

  private:
    void add(EventType type, std::span<const u64> fields, const MappingTables& tables) {
        switch (type) {
            case EventType::MpiProbe:
                if (fields[3] == kNoMessage) break;
                probes_[fields[3]] = {tables.global(FieldKind::comm, fields[1]),
                                      static_cast<u32>(fields[0]), static_cast<u32>(fields[2]), 0};
                break;
            case EventType::MpiMrecv:
                receive(fields[0], fields[1]);
                break;
            case EventType::MpiImrecvRequest:
                posted_[fields[1]] = fields[0];
                break;
            case EventType::MpiImrecv:
                if (const auto message = take_from(posted_, fields[0])) {
                    receive(*message, fields[1]);
                } else {
                    completed_[fields[0]] = fields[1];
                }
                break;
            default:
                break;
        }
    }

    void receive(u64 message, u64 bytes) {
        if (probes_.erase(message) == 0) all_.handed_over_[message].bytes = bytes;
    }

    MatchedMessages& all_;
    std::unordered_map<u64, Envelope> probes_;  ///< of the thread, whose messages it has not got
    Map posted_;                                ///< message by request, of the thread
    Map completed_;                             ///< bytes by request, of all that others posted
};

MatchedMessages::MatchedMessages(TraceFile& file, u32 location) : ahead_(file, location) {
    const DefinitionIndex& definitions = file.definitions();
    const std::optional<u32> rank = definitions.world_rank(definitions.locations()[location]);
    if (!rank) return;
    const std::vector<u32> threads = mpi_locations(file, *rank);
    if (threads.size() < 2) return;
    Exchange exchange(*this);
    for (const u32 thread : threads) exchange.walk(file, thread);
    exchange.join();
}

/// If several threads have something to do with the message, one of them may know it.
std::optional<u64> MatchedMessages::bytes_of(u64 message) {
    if (const auto own = ahead_.take(message)) return own;
    const auto found = handed_over_.find(message);
    return found == handed_over_.end() ? std::nullopt : found->second.bytes;
}

void MatchedMessages::take(Action& probe) {
    const std::optional<u64> bytes = bytes_of(probe.message);
    probe.known = bytes.has_value();
    probe.envelope.bytes = bytes.value_or(0);
    taken_[probe.message] = {probe.envelope, bytes};
}

MatchedMessages::Message MatchedMessages::take_message(u64 message) {
    if (const auto own = take_from(taken_, message)) return *own;
    const auto found = handed_over_.find(message);
    return found == handed_over_.end() ? Message{} : found->second;
}

bool MatchedMessages::receive(Action& receive) {
    const Message message = take_message(receive.message);
    if (!message.probe) return false;
    const u64 bytes = receive.envelope.bytes;
    receive.envelope = *message.probe;
    receive.envelope.bytes = bytes;
    return true;
}

bool MatchedMessages::post(Action& post) {
    // The probe has looked for the size, unless it is of another thread.
    const bool own = taken_.contains(post.message);
    Message message = take_message(post.message);
    if (!message.probe) return false;
    if (!own) message.bytes = bytes_of(post.message);
    post.known = message.bytes.has_value();
    post.envelope = *message.probe;
    post.envelope.bytes = message.bytes.value_or(0);
    posted_[post.request] = post.envelope;
    return true;
}

bool MatchedMessages::complete(Action& completion) {
    const u64 bytes = completion.envelope.bytes;
    std::optional<Envelope> envelope = take_from(posted_, completion.request);
    if (!envelope) {
        const auto posted = posted_elsewhere_.find(completion.request);
        if (posted != posted_elsewhere_.end()) envelope = take_message(posted->second).probe;
    }
    if (!envelope) return false;
    completion.envelope = *envelope;
    completion.envelope.bytes = bytes;
    return true;
}

}  // namespace tracefold
