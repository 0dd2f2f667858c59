// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/communication_survey.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

u64 channel_key(u64 comm, u32 tag) { return comm << 32U | tag; }

CollectiveKind kind_of(const CollectiveInstances::Context& context, const CollectivePart& part) {
    const bool synchronises = (context.key & kWindowContext) != 0 || !is_communication(part.kind);
    return synchronises ? CollectiveKind::barrier : part.kind;
}

}  // namespace

CommunicationSurvey::CommunicationSurvey(TraceFile& file, u32 threads, SizeSource sizes)
    : member_of_(file.definitions().world_size(), kNone) {
    findings_ = check_replay(file, *this, Times::skip, threads, nullptr, sizes);
    refuse_what_does_not_go_together(sizes);
    for (const ReplayPatch& patch : findings_.patches) {
        patches_.emplace(patch.location, &patch);
    }
    for (std::size_t context = 0; context < contexts_.size(); ++context) {
        contexts_[context].column = orders_[context].finish(pool_);
    }
    orders_.clear();
}

void CommunicationSurvey::refuse_what_does_not_go_together(SizeSource sizes) const {
    for (const Finding& finding : findings_.findings) {
        const FindingInfo& info = finding_info(finding.kind);
        // These matter where calls are issued only.
        const bool is_of_execution = finding.kind == FindingKind::freed_communicator ||
                                     finding.kind == FindingKind::crossed_request ||
                                     finding.kind == FindingKind::beyond_memory ||
                                     finding.kind == FindingKind::unordered_threads;
        const bool is_of_size =
            finding.kind == FindingKind::sender_size && sizes == SizeSource::recorded;
        const bool hinders = info.hinders && !can_be_skipped(finding.kind) && !is_of_execution;
        if (!hinders && !is_of_size) continue;
        const std::string example = finding.examples.empty() ? "" : ": " + finding.examples.front();
        const std::string subject = finding.kind == FindingKind::no_mpi ? "" : "the trace has ";
        throw Error(ErrorKind::unsupported, subject + std::string(info.what) + example);
    }
}

const ReplayPatch* CommunicationSurvey::patch(u32 location) const {
    const auto found = patches_.find(location);
    return found == patches_.end() ? nullptr : found->second;
}

u32 CommunicationSurvey::channel(u64 comm, u32 tag) const {
    const auto found = channels_.find(channel_key(comm, tag));
    if (found == channels_.end()) {
        throw Error(ErrorKind::internal, "a message was not met in the first walk");
    }
    return found->second;
}

const CommunicationSurvey::Context* CommunicationSurvey::context(u64 key) const {
    const auto found = context_numbers_.find(key);
    return found == context_numbers_.end() ? nullptr : &contexts_[found->second];
}

void CommunicationSurvey::matched_collective(const CollectiveInstances::Context& context,
                                             const CollectiveInstances::Instance& instance) {
    const auto [found, fresh] =
        context_numbers_.try_emplace(context.key, static_cast<u32>(contexts_.size()));
    if (fresh) {
        contexts_.push_back({found->second, context.members, context.first_side, kNone});
        orders_.emplace_back();
    }
    if (members_of_ != found->second) {
        members_of_ = found->second;
        for (u32 member = 0; member < context.members.size(); ++member) {
            member_of_[context.members[member]] = member;
        }
    }
    const NotedExchange noted{found->second, exchange_number(context, instance)};
    orders_[noted.context].push(noted.exchange);
    if (notes_) noted_.push_back(noted);
}

void CommunicationSurvey::begin_iteration(const std::vector<std::size_t>& /*calls*/) {
    notes_ = true;
    noted_.clear();
    cancelled_before_ = cancelled_.size();
}

bool CommunicationSurvey::end_iteration() {
    notes_ = false;
    return cancelled_.size() == cancelled_before_;
}

void CommunicationSurvey::repeat(const std::vector<IterationSource*>& /*sources*/, u64 times) {
    for (u64 i = 0; i < times; ++i) {
        for (const NotedExchange& noted : noted_) orders_[noted.context].push(noted.exchange);
    }
}

u64 CommunicationSurvey::exchange_number(const CollectiveInstances::Context& context,
                                         const CollectiveInstances::Instance& instance) {
    records_.kind = kind_of(context, instance.part);
    records_.root = instance.part.root < context.members.size() ? instance.part.root : kNone;
    records_.first_side = context.first_side;
    const bool has_sizes = records_.kind != CollectiveKind::barrier;
    records_.sizes.assign(context.members.size(), {});
    if (context.first_side != context.members.size() || !has_sizes) records_.root = kNone;
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
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

void CommunicationSurvey::cancelled_send(u32 location, u64 index) {
    cancelled_.insert(place(location, index));
}

void CommunicationSurvey::channel(const Channels::Key& key) {
    channels_.try_emplace(channel_key(key.comm, key.tag), static_cast<u32>(channels_.size()));
}

bool is_whole_world(const CommunicationSurvey::Context& context, u32 ranks) {
    if (context.members.size() != ranks || context.first_side != ranks) return false;
    for (u32 member = 0; member < ranks; ++member) {
        if (context.members[member] != member) return false;
    }
    return true;
}

}  // namespace tracefold
