// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/step_alignment.hpp"

#include "core/parallel.hpp"
#include "steps/usual_number.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

namespace tracefold {

namespace {

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

/// In which step the operations of a rank are, by rising places behind them.
class StepOfPlace {
  public:
    StepOfPlace(const std::vector<Cut>& cuts, u32 rank) : cuts_(cuts), rank_(rank) {}

    std::size_t operator()(u32 place) {
        while (step_ < cuts_.size() && place > cuts_[step_][rank_]) ++step_;
        return step_;
    }

  private:
    const std::vector<Cut>& cuts_;
    u32 rank_;
    std::size_t step_ = 0;
};

bool are_in_same_steps(const std::vector<Cut>& cuts, u32 rank, std::span<const u32> places,
                       u32 other, std::span<const u32> others) {
    StepOfPlace step(cuts, rank);
    StepOfPlace step_of_other(cuts, other);
    for (std::size_t i = 0; i < std::min(places.size(), others.size()); ++i) {
        if (step(places[i]) != step_of_other(others[i])) return false;
    }
    return true;
}

/// If both ends of all messages, and all parts of collectives, are in the same step.
bool are_consistent(const Operations& all, const Counterparts& counterparts,
                    const std::vector<Cut>& cuts, u32 threads) {
    std::atomic<bool> consistent = true;
    run_each(threads, all.channels.size(), [&](std::size_t i) {
        if (!consistent) return;
        const auto channel = static_cast<u32>(i);
        const auto& [sender, receiver] = all.channels[channel];
        if (!are_in_same_steps(cuts, sender, counterparts.sent(channel), receiver,
                               counterparts.received(channel))) {
            consistent = false;
        }
    });
    for (const std::vector<Counterparts::Member>& members : counterparts.communicators()) {
        if (members.empty()) continue;
        const auto most = std::ranges::max_element(
            members, {}, [](const Counterparts::Member& one) { return one.places.size(); });
        run_each(threads, members.size(), [&](std::size_t i) {
            if (!consistent) return;
            if (!are_in_same_steps(cuts, members[i].rank, members[i].places, most->rank,
                                   most->places)) {
                consistent = false;
            }
        });
    }
    return consistent;
}

}  // namespace

std::vector<Cut> align_steps(const Operations& all, const Counterparts& counterparts,
                             const std::vector<Cut>& least, const std::vector<Cut>& greatest,
                             u32 threads) {
    std::vector<Cut> cuts(least.size(), Cut(all.ranks.size()));
    run_each(threads, all.ranks.size(), [&](std::size_t i) {
        const auto rank = static_cast<u32>(i);
        const std::vector<u32> places =
            RankAlignment(all.ranks[rank].operations, rank, least, greatest).run();
        for (std::size_t step = 0; step < places.size(); ++step) cuts[step][rank] = places[step];
    });
    return are_consistent(all, counterparts, cuts, threads) ? cuts : least;
}

}  // namespace tracefold
