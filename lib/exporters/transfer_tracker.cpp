// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/transfer_tracker.hpp"

#include "core/hash.hpp"
#include "trace/nanoseconds.hpp"

#include <algorithm>
#include <tuple>

namespace tracefold {

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
