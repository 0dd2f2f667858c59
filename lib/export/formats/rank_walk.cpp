// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/formats/rank_walk.hpp"

#include "base/hash.hpp"
#include "file/common_clock.hpp"
#include "mpi/check.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tracefold {

ReceiveClues::ReceiveClues(TraceFile& file, u32 threads) {
    if (!has_matched_receives(file) && !calls_mpi_from_threads(file) &&
        !may_lack_collectives(file)) {
        return;
    }
    for (ReplayPatch& found : check_replay(file, threads).patches) {
        ReplayPatch clues;
        clues.location = found.location;
        clues.renames = std::move(found.renames);
        clues.receives = std::move(found.receives);
        clues.unposted = std::move(found.unposted);
        clues.collectives = std::move(found.collectives);
        if (!clues.empty()) by_location_.emplace(clues.location, std::move(clues));
    }
}

const ReplayPatch* ReceiveClues::of(u32 location) const {
    const auto found = by_location_.find(location);
    return found == by_location_.end() ? nullptr : &found->second;
}

RankWalk::RankWalk(TraceFile& file, const TraceClocks& clocks, const ReceiveClues& clues, u32 rank)
    : has_times_(file.summary().timing != TimingLevel::none) {
    for (const u32 location : mpi_locations(file, rank)) {
        const auto number = static_cast<u32>(threads_.size());
        threads_.push_back(
            {{number, location, MpiCallReader(file, location)}, clocks.of(location)});
        if (const ReplayPatch* known = clues.of(location)) threads_.back().reader.infer(known);
    }
    for (Thread& thread : threads_) thread.read();
}

const RankWalk::Thread* RankWalk::next() {
    if (last_ != nullptr) last_->read();
    // Without times or several threads, thread after thread.
    const bool in_order = has_times_ && threads_.size() > 1;
    last_ = next_thread(threads_, [in_order](const Thread& thread) {
        return in_order ? thread.clock.at(thread.call.begin) : 0;
    });
    return last_;
}

u32 world_rank_of(const Envelope& envelope, const CommunicatorTable& table) {
    const CommunicatorView* view = table.find(envelope.comm);
    if (view == nullptr || envelope.peer >= view->peers().size()) return envelope.peer;
    return static_cast<u32>(view->peers()[envelope.peer]);
}

std::size_t TransferTracker::Hash::operator()(const Channel& channel) const {
    u64 h = (channel.comm << 32U) ^ channel.tag;
    h = h * kGolden + (u64{channel.peer} << 1U | (channel.sends ? 1U : 0U));
    h *= kGolden;
    return static_cast<std::size_t>(h ^ (h >> 29U));
}

std::vector<TrackedMessage> TransferTracker::outstanding() const {
    std::vector<TrackedMessage> messages;
    for (const auto& [request, message] : outstanding_) messages.push_back(message);
    std::ranges::sort(messages, [](const TrackedMessage& a, const TrackedMessage& b) {
        return std::tie(a.thread, a.call, a.peer, a.number) <
               std::tie(b.thread, b.call, b.peer, b.number);
    });
    return messages;
}

TrackedMessage TransferTracker::begin(bool sends, u32 thread, const MpiCall& mpi_call,
                                      const Envelope& envelope, const CommunicatorTable& table) {
    const u32 peer = world_rank_of(envelope, table);
    const Channel channel{sends, peer, envelope.tag, envelope.comm};
    return {sends, peer, envelope, numbers_[channel]++, thread, mpi_call.index, mpi_call.begin};
}

u64 TransferTracker::middle_of(const MpiCall& mpi_call) {
    return mpi_call.begin + elapsed(mpi_call.begin, mpi_call.end) / 2;
}

}  // namespace tracefold
