// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/cut/operation_tracker.hpp"

#include "base/hash.hpp"
#include "model/event_table.hpp"

namespace tracefold {

namespace {

/// Operations on different windows or handles may share ids.
u64 id_on(u64 object, u64 matching_id) { return mix(object + 1) + matching_id; }

/// For probed messages, separate from the ids of requests.
u64 id_of_message(u64 message) { return id_on(~u64{1}, message); }

constexpr u64 kUndefined = ~u64{0};

}  // namespace

OperationTracker::Step OperationTracker::next(const RecordBatch& batch,
                                              const RecordBatch::Head& head, Side side) {
    const std::span<const u64> v = batch.values(head);
    // Other locations may have other numbers for a file.
    const auto io_id = [&] { return id_on(tables_.global(FieldKind::io_handle, v[0]), v.back()); };
    number_ = count_++;
    switch (static_cast<EventType>(head.type)) {
        case EventType::MpiSend:
            return whole(Kind::send, side);
        case EventType::MpiRecv:
            return whole(Kind::receive, side);
        case EventType::MpiIsend:
            return begin(sends_, v.back(), Kind::send, side);
        case EventType::MpiIrecvRequest:
            return begin(receives_, v.back(), Kind::receive, side);
        case EventType::NonBlockingCollectiveRequest:
            return begin(collectives_, v.back(), Kind::posted_collective, side);
        case EventType::MpiIsendComplete:
            return complete(sends_, v.back(), Kind::send, side);
        case EventType::MpiIrecv:
            return complete(receives_, v.back(), Kind::receive, side);
        case EventType::NonBlockingCollectiveComplete:
            return complete(collectives_, v.back(), Kind::posted_collective, side);
        case EventType::MpiProbe:
            // Without an id, the probe leaves the message in the queue.
            if (v.back() == kUndefined) break;
            return begin(receives_, id_of_message(v.back()), Kind::receive, side);
        case EventType::MpiMrecv:
            return receive_message(v[0], side);
        case EventType::MpiImrecvRequest:
            return post_message(v[0], v[1], side);
        case EventType::MpiImrecv:
            return complete_message(v[0], side);
        case EventType::MpiRequestTest:
            return request(v.back(), false);
        case EventType::MpiRequestCancelled:
            return request(v.back(), true);
        case EventType::MpiCollectiveBegin:
            return begin_collective(in_collective_, side);
        case EventType::MpiCollectiveEnd:
            return end_collective(in_collective_, side);
        case EventType::RmaCollectiveBegin:
            return begin_collective(in_window_collective_, side);
        case EventType::RmaCollectiveEnd:
            return end_collective(in_window_collective_, side);
        case EventType::RmaPut:
        case EventType::RmaGet:
        case EventType::RmaAtomic:
            return begin(one_sided_, id_on(v[0], v.back()), Kind::one_sided, side);
        case EventType::RmaOpTest:
        case EventType::RmaOpCompleteNonBlocking:
            // It is complete at the origin; completion at the target may follow.
            return look(one_sided_, id_on(v[0], v.back()));
        case EventType::RmaOpCompleteBlocking:
        case EventType::RmaOpCompleteRemote:
            return end(one_sided_, id_on(v[0], v.back()));
        case EventType::IoOperationBegin:
            return begin(io_, io_id(), Kind::io, side);
        case EventType::IoOperationTest:
        case EventType::IoOperationIssued:
            return look(io_, io_id());
        case EventType::IoOperationComplete:
        case EventType::IoOperationCancelled:
            return complete(io_, io_id(), Kind::io, side);
        default:
            break;
    }
    --count_;
    return {};
}

std::optional<TracedOperation> OperationTracker::take(TracedOperation::Kind kind, u64 id) {
    Open& open = kind == Kind::send      ? sends_
                 : kind == Kind::receive ? receives_
                 : kind == Kind::io      ? io_
                                         : collectives_;
    const Step step = end(open, id);
    if (step.role == Role::none) return std::nullopt;
    return *step.operation;
}

OperationTracker::Step OperationTracker::whole(Kind kind, Side side) {
    ended_ = {kind, side, number_};
    return {Role::whole, &ended_};
}

OperationTracker::Step OperationTracker::begin(Open& open, u64 id, Kind kind, Side side) {
    TracedOperation& operation = open[id];
    operation = {kind, side, number_};
    return {Role::begins, &operation};
}

OperationTracker::Step OperationTracker::end(Open& open, u64 id) {
    const auto found = open.find(id);
    if (found == open.end()) return {};
    ended_ = found->second;
    open.erase(found);
    return {Role::ends, &ended_};
}

OperationTracker::Step OperationTracker::complete(Open& open, u64 id, Kind kind, Side side) {
    const Step step = end(open, id);
    if (step.role != Role::none) return step;
    ended_ = {kind, side, number_};
    return {Role::foreign, &ended_, id};
}

OperationTracker::Step OperationTracker::receive_message(u64 message, Side side) {
    return complete(receives_, id_of_message(message), Kind::receive, side);
}

/// A message probed by another thread begins here.
OperationTracker::Step OperationTracker::post_message(u64 message, u64 request, Side side) {
    const u64 id = id_of_message(message);
    const Step step = look(receives_, id);
    if (step.role == Role::none) return begin(receives_, request, Kind::receive, side);
    posted_messages_[request] = id;
    return step;
}

OperationTracker::Step OperationTracker::complete_message(u64 request, Side side) {
    const auto posted = posted_messages_.find(request);
    if (posted == posted_messages_.end()) return complete(receives_, request, Kind::receive, side);
    const u64 id = posted->second;
    posted_messages_.erase(posted);
    return complete(receives_, id, Kind::receive, side);
}

OperationTracker::Step OperationTracker::look(Open& open, u64 id) {
    const auto found = open.find(id);
    if (found == open.end()) return {};
    return {Role::goes_on, &found->second};
}

OperationTracker::Step OperationTracker::request(u64 id, bool cancels) {
    const auto posted = posted_messages_.find(id);
    if (posted != posted_messages_.end()) id = posted->second;
    for (Open* open : {&sends_, &receives_, &collectives_}) {
        if (!open->contains(id)) continue;
        if (!cancels) return look(*open, id);
        const Step step = end(*open, id);
        return {Role::cancels, step.operation};
    }
    return {};
}

OperationTracker::Step OperationTracker::begin_collective(std::vector<TracedOperation>& open,
                                                          Side side) {
    open.push_back({Kind::collective, side, number_});
    return {Role::begins, &open.back()};
}

OperationTracker::Step OperationTracker::end_collective(std::vector<TracedOperation>& open,
                                                        Side side) {
    if (open.empty()) return whole(Kind::collective, side);
    ended_ = open.back();
    open.pop_back();
    return {Role::ends, &ended_};
}

}  // namespace tracefold
