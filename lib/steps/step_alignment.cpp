// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/step_alignment.hpp"

#include "steps/usual_number.hpp"

#include <algorithm>
#include <utility>

namespace tracefold::inline steps {

namespace {

using Kind = Operation::Kind;

/// So many operations of two steps are compared.
constexpr std::size_t kMostCompared = 32;
/// So many places for a step are tried.
constexpr u32 kMostPlaces = 256;

bool is_same(const Operation& a, const Operation& b) {
    return a.kind == b.kind && a.channel == b.channel && a.tag == b.tag &&
           a.operation == b.operation;
}

/// The places of one rank.
class RankAlignment {
  public:
    RankAlignment(const std::vector<Operation>& operations, u32 rank, const std::vector<Cut>& least,
                  const std::vector<Cut>& greatest)
        : operations_(operations), rank_(rank), least_(least), greatest_(greatest) {
        std::vector<u64> lengths;
        for (std::size_t i = 2; i < least.size(); ++i) {
            lengths.push_back(least[i][rank] - least[i - 1][rank]);
        }
        usual_ = static_cast<u32>(UsualNumber(std::move(lengths)).median());
    }

    std::vector<u32> run() const {
        std::vector<u32> places = {least_.front()[rank_]};
        for (std::size_t step = 1; step < least_.size(); ++step) {
            const bool last = step + 1 == least_.size();
            places.push_back(place(step, places.front(), places.back(), last));
        }
        return places;
    }

  private:
    [[nodiscard]] u32 place(std::size_t step, u32 first, u32 previous, bool last) const {
        const u32 begin = std::max(least_[step][rank_], previous);
        const u32 end = std::min(greatest_[step][rank_], begin + kMostPlaces);
        const u32 expected = previous + usual_;
        u32 best = begin;
        std::pair<std::size_t, u64> most = {0, ~u64{0}};
        for (u32 at = begin; at <= end; ++at) {
            if (at > 0 && !operations_[at - 1].at_rest) continue;
            const u64 away = at > expected ? at - expected : expected - at;
            const std::size_t alike = last ? 1 : matching(first, at);
            if (alike > most.first || (alike == most.first && away < most.second)) {
                best = at;
                most = {alike, away};
            }
        }
        return best;
    }

    [[nodiscard]] std::size_t matching(u32 a, u32 b) const {
        std::size_t count = 0;
        while (count < kMostCompared && b + count < operations_.size() &&
               a + count < operations_.size() &&
               is_same(operations_[a + count], operations_[b + count])) {
            ++count;
        }
        return count;
    }

    const std::vector<Operation>& operations_;
    u32 rank_;
    const std::vector<Cut>& least_;
    const std::vector<Cut>& greatest_;
    u32 usual_ = 0;
};

/// If both ends of all messages, and all parts of collectives, are in the same step.
bool are_consistent(const Operations& all, const std::vector<Cut>& cuts) {
    std::vector<std::vector<u32>> sent(all.channels.size());
    std::vector<std::vector<u32>> received(all.channels.size());
    std::vector<std::vector<u32>> called(all.communicators.size());
    for (u32 rank = 0; rank < all.ranks.size(); ++rank) {
        std::vector<u32> calls(all.communicators.size());
        u32 step = 0;
        const std::vector<Operation>& operations = all.ranks[rank].operations;
        for (u32 place = 0; place < operations.size(); ++place) {
            while (step < cuts.size() && place >= cuts[step][rank]) ++step;
            const Operation& one = operations[place];
            if (one.kind == Kind::send) sent[one.channel].push_back(step);
            if (one.kind == Kind::receive) received[one.channel].push_back(step);
            if (one.kind != Kind::collective) continue;
            std::vector<u32>& known = called[one.channel];
            const u32 number = calls[one.channel]++;
            if (number == known.size()) known.push_back(step);
            if (known[number] != step) return false;
        }
    }
    for (std::size_t channel = 0; channel < sent.size(); ++channel) {
        const std::size_t both = std::min(sent[channel].size(), received[channel].size());
        if (!std::equal(sent[channel].begin(),
                        sent[channel].begin() + static_cast<std::ptrdiff_t>(both),
                        received[channel].begin())) {
            return false;
        }
    }
    return true;
}

}  // namespace

Operations reversed(const Operations& all) {
    Operations out = all;
    for (Operations::Rank& rank : out.ranks) {
        bool at_rest = true;  // before the first operation
        for (Operation& one : rank.operations) std::swap(one.at_rest, at_rest);
        std::reverse(rank.operations.begin(), rank.operations.end());
    }
    return out;
}

Cut reversed(const Cut& cut, const Operations& all) {
    Cut out;
    for (std::size_t rank = 0; rank < cut.size(); ++rank) {
        out.push_back(static_cast<u32>(all.ranks[rank].operations.size()) - cut[rank]);
    }
    return out;
}

std::vector<Cut> align_steps(const Operations& all, const std::vector<Cut>& least,
                             const std::vector<Cut>& greatest) {
    std::vector<Cut> cuts(least.size(), Cut(all.ranks.size()));
    for (u32 rank = 0; rank < all.ranks.size(); ++rank) {
        const std::vector<u32> places =
            RankAlignment(all.ranks[rank].operations, rank, least, greatest).run();
        for (std::size_t i = 0; i < places.size(); ++i) cuts[i][rank] = places[i];
    }
    return are_consistent(all, cuts) ? cuts : least;
}

}  // namespace tracefold::inline steps
