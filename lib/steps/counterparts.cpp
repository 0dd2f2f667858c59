// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/counterparts.hpp"

#include "core/parallel.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using Kind = Operation::Kind;

}  // namespace

void Counterparts::Ends::make_room(const std::vector<u32>& counts) {
    first.assign(1, 0);
    for (const u32 count : counts) first.push_back(first.back() + count);
    places.resize(first.back());
}

Counterparts::Counterparts(const Operations& all, u32 threads) : ranks_(all.ranks.size()) {
    for (const std::vector<u32>& members : all.communicators) {
        std::vector<Member>& own = communicators_.emplace_back();
        for (const u32 rank : members) own.push_back({rank, {}});
    }
    note_ends(all, threads);
    run_each(threads, ranks_.size(), [&](std::size_t rank) { find(all, static_cast<u32>(rank)); });
}

void Counterparts::note_ends(const Operations& all, u32 threads) {
    std::vector<u32> sent(all.channels.size());
    std::vector<u32> received(all.channels.size());
    run_each(threads, all.ranks.size(), [&](std::size_t rank) {
        EndCounts counts;
        for (const Operation& one : all.ranks[rank].operations) {
            if (one.kind == Kind::send) ++counts.sent[one.channel];
            if (one.kind == Kind::receive) ++counts.received[one.channel];
        }
        counts.sent.for_each([&](u32 channel, u32 count) { sent[channel] = count; });
        counts.received.for_each([&](u32 channel, u32 count) { received[channel] = count; });
    });
    sent_.make_room(sent);
    received_.make_room(received);
    run_each(threads, all.ranks.size(), [&](std::size_t rank) {
        EndCounts counts;
        u32 place = 0;
        for (const Operation& one : all.ranks[rank].operations) {
            const u32 channel = one.channel;
            ++place;
            if (one.kind == Kind::send) sent_.set(channel, counts.sent[channel]++, place);
            if (one.kind == Kind::receive)
                received_.set(channel, counts.received[channel]++, place);
        }
    });
    for (u32 channel = 0; channel < all.channels.size(); ++channel) {
        paired_.push_back(are_paired(channel) ? 1 : 0);
    }
}

bool Counterparts::are_paired(u32 channel) const {
    const auto [fewer, more] = std::minmax({sent(channel).size(), received(channel).size()});
    return more - fewer < 2 || 8 * (more - fewer) <= more;
}

void Counterparts::find(const Operations& all, u32 rank) {
    std::vector<Counterpart>& own = ranks_[rank];
    own.reserve(all.ranks[rank].operations.size());
    EndCounts counts;
    const auto message = [&](u32 channel, EndCounts::Numbers& numbers, const Ends& ends,
                             u32 other) {
        if (paired_[channel] == 0) return Counterpart{};
        const u32 place = ends.place(channel, numbers[channel]++);
        return place == 0 ? Counterpart{} : Counterpart{other, place};
    };
    for (const Operation& one : all.ranks[rank].operations) {
        Counterpart found;
        if (one.kind == Kind::send) {
            found =
                message(one.channel, counts.sent, received_, all.channels[one.channel].receiver);
        } else if (one.kind == Kind::receive) {
            found = message(one.channel, counts.received, sent_, all.channels[one.channel].sender);
        } else if (one.kind == Kind::collective) {
            found = collective(rank, one.channel, static_cast<u32>(own.size() + 1));
        }
        own.push_back(found);
    }
}

Counterparts::Counterpart Counterparts::collective(u32 rank, u32 communicator, u32 place) {
    std::vector<Member>& members = communicators_[communicator];
    const auto own = std::ranges::lower_bound(members, rank, {}, &Member::rank);
    if (own == members.end() || own->rank != rank) return {};
    own->places.push_back(place);
    return {kCollective | communicator, static_cast<u32>(own->places.size())};
}

}  // namespace tracefold
