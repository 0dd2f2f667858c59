// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/quiescent_cuts.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <bit>
#include <span>

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

namespace {

constexpr u32 kBits = 64;

}  // namespace

RestPlaces::RestPlaces(const Operations& all, u32 threads) : ranks_(all.ranks.size()) {
    run_each(threads, ranks_.size(),
             [&](std::size_t rank) { ranks_[rank] = read(all.ranks[rank].operations); });
}

RestPlaces::Rank RestPlaces::read(const std::vector<Operation>& operations) {
    const std::size_t count = operations.size();
    Rank rank{static_cast<u32>(count), std::vector<u64>(count / kBits + 1)};
    rank.bits.front() = 1;
    for (std::size_t i = 0; i < count; ++i) {
        rank.bits[(i + 1) / kBits] |= u64{operations[i].at_rest} << ((i + 1) % kBits);
    }
    rank.bits.back() |= u64{1} << (count % kBits);
    return rank;
}

u64 RestPlaces::operations() const {
    u64 all = 0;
    for (const Rank& rank : ranks_) all += rank.operations;
    return all;
}

u32 RestPlaces::from(u32 rank, u32 place) const {
    const std::vector<u64>& bits = ranks_[rank].bits;
    u32 word = place / kBits;
    u64 left = bits[word] >> (place % kBits) << (place % kBits);
    while (left == 0) left = bits[++word];
    return word * kBits + static_cast<u32>(std::countr_zero(left));
}

u32 RestPlaces::up_to(u32 rank, u32 place) const {
    const std::vector<u64>& bits = ranks_[rank].bits;
    const u32 beyond = kBits - 1 - place % kBits;
    u32 word = place / kBits;
    u64 left = bits[word] << beyond >> beyond;
    while (left == 0) left = bits[--word];
    return word * kBits + static_cast<u32>(std::bit_width(left)) - 1;
}

QuiescentCuts::QuiescentCuts(const RestPlaces& rests, const Counterparts& counterparts,
                             u32 reference, Direction direction)
    : rests_(rests),
      counterparts_(counterparts),
      reference_(reference),
      forward_(direction == Direction::forward),
      reached_(counterparts.communicators().size(), forward_ ? 0 : kNone),
      done_(rests.ranks()),
      wanted_(rests.ranks()),
      moved_to_(rests.ranks()) {}

Cut QuiescentCuts::places() const {
    if (forward_) return done_;
    Cut cut;
    for (u32 rank = 0; rank < done_.size(); ++rank) cut.push_back(place(rank, done_[rank]));
    return cut;
}

bool QuiescentCuts::next() {
    if (reference_ != kNone && done_[reference_] < size(reference_)) {
        require(reference_, done_[reference_] + 1);
        close();
        return true;
    }
    bool has_more = false;
    for (u32 rank = 0; rank < done_.size(); ++rank) {
        if (done_[rank] == size(rank)) continue;
        require(rank, reference_ == kNone ? done_[rank] + 1 : size(rank));
        has_more = reference_ == kNone;
    }
    close();
    return has_more;
}

void QuiescentCuts::close() {
    moved_.clear();
    ++cut_;
    while (!behind_.empty()) {
        const u32 rank = behind_.back();
        behind_.pop_back();
        note_moved(rank);
        const std::span<const Counterparts::Counterpart> counterparts = counterparts_.of(rank);
        while (done_[rank] < wanted_[rank]) {
            const u32 step = done_[rank]++;
            add(counterparts[forward_ ? step : counterparts.size() - 1 - step]);
        }
    }
}

void QuiescentCuts::note_moved(u32 rank) {
    if (moved_to_[rank] == cut_) return;
    moved_to_[rank] = cut_;
    moved_.push_back(rank);
}

void QuiescentCuts::add(const Counterparts::Counterpart& one) {
    if (one.rank == kNone) return;
    if (Counterparts::is_collective(one)) {
        add_collective(Counterparts::communicator(one), one.place);
    } else {
        require_behind(one.rank, one.place);
    }
}

/// Members missing in the trace are not waited for.
void QuiescentCuts::add_collective(u32 communicator, u32 number) {
    u32& reached = reached_[communicator];
    if (forward_ ? number <= reached : number >= reached) return;
    reached = number;
    for (const Counterparts::Member& member : counterparts_.communicators()[communicator]) {
        if (number <= member.places.size()) require_behind(member.rank, member.places[number - 1]);
    }
}

/// The operation before a place must be done.
void QuiescentCuts::require_behind(u32 rank, u32 place) {
    require(rank, forward_ ? place : size(rank) - place + 1);
}

void QuiescentCuts::require(u32 rank, u32 steps) {
    if (steps <= wanted_[rank]) return;
    if (wanted_[rank] == done_[rank]) behind_.push_back(rank);
    const u32 least = place(rank, steps);
    wanted_[rank] = place(rank, forward_ ? rests_.from(rank, least) : rests_.up_to(rank, least));
}

CutSequence::CutSequence(const RestPlaces& rests, const Counterparts& counterparts, u32 reference,
                         Direction direction) {
    QuiescentCuts cuts(rests, counterparts, reference, direction);
    begin_ = cuts.places();
    places_.reserve(bounded_reserve(rests.operations(reference)));
    first_.reserve(bounded_reserve(rests.operations(reference) + u64{2}));
    moves_.reserve(bounded_reserve(rests.operations()));
    first_.push_back(0);
    while (cuts.next()) {
        places_.push_back(cuts.place());
        note_cut(cuts);
    }
    note_cut(cuts);
}

void CutSequence::note_cut(const QuiescentCuts& cuts) {
    for (const u32 rank : cuts.moved()) moves_.push_back({rank, cuts.place(rank)});
    first_.push_back(moves_.size());
}

void CutSequence::Walk::next() {
    if (passed_ + 1 >= all_.first_.size()) return;
    for (std::size_t i = all_.first_[passed_]; i < all_.first_[passed_ + 1]; ++i) {
        cut_[all_.moves_[i].rank] = all_.moves_[i].place;
    }
    ++passed_;
}

}  // namespace tracefold
