// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/survey.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// OTF2_COLLECTIVE_OP_CREATE_HANDLE and what follows it move no data that the trace knows of.

u64 channel_key(u64 comm, u32 tag) { return comm << 32U | tag; }

CollectiveKind kind_of(const Meetings::Room& room, const CollectivePart& part) {
    const bool synchronises = (room.key & kWindowRoom) != 0 || !is_communication(part.kind);
    return synchronises ? CollectiveKind::barrier : part.kind;
}

}  // namespace

Survey::Survey(TraceFile& file) : member_of_(file.definitions().world_size(), kNone) {
    findings_ = check_replay(file, *this);
    refuse_what_does_not_go_together();
    for (const LocationInference& inference : findings_.inferences) {
        inferences_.emplace(inference.location, &inference);
    }
    for (std::size_t room = 0; room < rooms_.size(); ++room) {
        rooms_[room].column = orders_[room].finish(pool_);
    }
    orders_.clear();
}

void Survey::refuse_what_does_not_go_together() const {
    for (const Finding& finding : findings_.findings) {
        const FindingInfo& info = finding_info(finding.kind);
        // These matter where calls are issued only.
        const bool is_of_execution = finding.kind == FindingKind::freed_communicator ||
                                     finding.kind == FindingKind::unordered_threads;
        if (!info.hinders || can_be_skipped(finding.kind) || is_of_execution) continue;
        const std::string example = finding.examples.empty() ? "" : ": " + finding.examples.front();
        throw Error(ErrorKind::unsupported, "the trace has " + std::string(info.what) + example);
    }
}

const LocationInference* Survey::inference(u32 location) const {
    const auto found = inferences_.find(location);
    return found == inferences_.end() ? nullptr : found->second;
}

u32 Survey::channel(u64 comm, u32 tag) const {
    const auto found = channels_.find(channel_key(comm, tag));
    if (found == channels_.end()) {
        throw Error(ErrorKind::internal, "a message was not met in the first walk");
    }
    return found->second;
}

const Survey::Room* Survey::room(u64 key) const {
    const auto found = room_numbers_.find(key);
    return found == room_numbers_.end() ? nullptr : &rooms_[found->second];
}

void Survey::met(const Meetings::Room& room, const Meetings::Meeting& meeting) {
    const auto [found, fresh] =
        room_numbers_.try_emplace(room.key, static_cast<u32>(rooms_.size()));
    if (fresh) {
        rooms_.push_back({found->second, room.members, room.first_side, kNone});
        orders_.emplace_back();
    }
    if (members_of_ != found->second) {
        members_of_ = found->second;
        for (u32 member = 0; member < room.members.size(); ++member) {
            member_of_[room.members[member]] = member;
        }
    }
    orders_[found->second].push(exchange_number(room, meeting));
}

u64 Survey::exchange_number(const Meetings::Room& room, const Meetings::Meeting& meeting) {
    records_.kind = kind_of(room, meeting.part);
    records_.root = meeting.part.root < room.members.size() ? meeting.part.root : kNone;
    records_.first_side = room.first_side;
    const bool has_sizes = records_.kind != CollectiveKind::barrier;
    records_.sizes.assign(room.members.size(), {});
    if (room.first_side != room.members.size() || !has_sizes) records_.root = kNone;
    for (const Meetings::Arrival& arrival : meeting.present) {
        const u32 member = member_of_[arrival.rank];
        if (arrival.root == kRootSelf) records_.root = member;
        if (has_sizes) records_.sizes[member] = {arrival.sent, arrival.received};
    }
    numbers_ = {static_cast<u64>(records_.kind), records_.root, records_.first_side,
                records_.sizes.size()};
    for (const Contribution& one : records_.sizes) {
        if (!has_sizes) break;
        numbers_.push_back(one.sent);
        numbers_.push_back(one.received);
    }
    const auto [known, fresh] =
        known_exchanges_.try_emplace(content_hash(numbers_), exchanges_.size());
    if (fresh) exchanges_.emplace_back(records_);
    return known->second;
}

void Survey::cancelled_send(u32 location, u64 index) { cancelled_.insert(place(location, index)); }

void Survey::channel(const Channels::Key& key) {
    channels_.try_emplace(channel_key(key.comm, key.tag), static_cast<u32>(channels_.size()));
}

bool is_whole_world(const Survey::Room& room, u32 ranks) {
    if (room.members.size() != ranks || room.first_side != ranks) return false;
    for (u32 member = 0; member < ranks; ++member) {
        if (room.members[member] != member) return false;
    }
    return true;
}

}  // namespace tracefold
