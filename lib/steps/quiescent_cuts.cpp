// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/quiescent_cuts.hpp"

#include <algorithm>

namespace tracefold::inline steps {

namespace {

using Kind = Operation::Kind;

}  // namespace

QuiescentCuts::QuiescentCuts(const Operations& all, u32 reference)
    : all_(all),
      reference_(reference),
      channels_(all.channels.size()),
      communicators_(all.communicators.size()),
      done_(all.ranks.size()),
      wanted_(all.ranks.size()) {
    for (std::size_t i = 0; i < communicators_.size(); ++i) {
        communicators_[i].places.resize(all.communicators[i].size());
        communicators_[i].done.resize(all.communicators[i].size());
    }
    for (u32 rank = 0; rank < all.ranks.size(); ++rank) {
        u32 place = 0;
        for (const Operation& operation : all.ranks[rank].operations) {
            ++place;
            if (operation.kind == Kind::send) {
                channels_[operation.channel].sent.push_back(place);
            } else if (operation.kind == Kind::receive) {
                channels_[operation.channel].received.push_back(place);
            } else if (operation.kind == Kind::collective) {
                const u32 own = member(operation.channel, rank);
                if (own != kNone) communicators_[operation.channel].places[own].push_back(place);
            }
        }
    }
}

bool QuiescentCuts::next() {
    if (done_[reference_] < all_.ranks[reference_].operations.size()) {
        require(reference_, done_[reference_] + 1);
        close();
        return true;
    }
    for (u32 rank = 0; rank < done_.size(); ++rank) {
        const auto all = static_cast<u32>(all_.ranks[rank].operations.size());
        if (done_[rank] < all) require(rank, all);
    }
    close();
    return false;
}

void QuiescentCuts::close() {
    while (!behind_.empty()) {
        const u32 rank = behind_.back();
        behind_.pop_back();
        const std::vector<Operation>& operations = all_.ranks[rank].operations;
        while (done_[rank] < wanted_[rank]) {
            const Operation& operation = operations[done_[rank]++];
            add(rank, operation);
        }
    }
}

void QuiescentCuts::add(u32 rank, const Operation& operation) {
    if (operation.kind == Kind::send) {
        Ends& channel = channels_[operation.channel];
        if (!channel.are_paired()) return;
        require(all_.channels[operation.channel].receiver, channel.received, channel.sent_done++);
    } else if (operation.kind == Kind::receive) {
        Ends& channel = channels_[operation.channel];
        if (!channel.are_paired()) return;
        require(all_.channels[operation.channel].sender, channel.sent, channel.received_done++);
    } else if (operation.kind == Kind::collective) {
        add_collective(rank, operation.channel);
    }
}

void QuiescentCuts::add_collective(u32 rank, u32 communicator) {
    const u32 own = member(communicator, rank);
    if (own == kNone) return;
    Members& members = communicators_[communicator];
    if (++members.done[own] <= members.most) return;
    members.most = members.done[own];
    for (std::size_t i = 0; i < members.places.size(); ++i) {
        require(all_.communicators[communicator][i], members.places[i], members.most - 1);
    }
}

/// Nobody waits for what the trace does not have.
void QuiescentCuts::require(u32 rank, const std::vector<u32>& places, u32 number) {
    if (number < places.size()) require(rank, places[number]);
}

void QuiescentCuts::require(u32 rank, u32 place) {
    if (place <= wanted_[rank]) return;
    const std::vector<Operation>& operations = all_.ranks[rank].operations;
    while (place < operations.size() && !operations[place - 1].at_rest) ++place;
    if (wanted_[rank] == done_[rank]) behind_.push_back(rank);
    wanted_[rank] = place;
}

u32 QuiescentCuts::member(u32 communicator, u32 rank) const {
    const std::vector<u32>& members = all_.communicators[communicator];
    const auto found = std::lower_bound(members.begin(), members.end(), rank);
    return found == members.end() || *found != rank ? kNone
                                                    : static_cast<u32>(found - members.begin());
}

}  // namespace tracefold::inline steps
