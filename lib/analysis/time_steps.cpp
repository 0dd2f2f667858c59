// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/time_steps.hpp"

#include "analysis/rank_groups.hpp"

#include <algorithm>
#include <set>

namespace tracefold {

namespace {

/// Finds the iterations in which a stencil's messages are sent.
class TimeSteps {
  public:
    TimeSteps(const std::vector<MainLoop>& loops, const std::map<u32, u64>& messages,
              const ParticipantNames& names)
        : loops_(loops), messages_(messages) {
        for (const MainLoop& loop : loops) most_.push_back(most_messages(loop, names));
    }

    std::optional<u64> run() const {
        std::optional<std::set<u64>> common;
        for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
            if (loops_[loop].sending == 0) continue;
            const std::set<u64> here = candidates(loop);
            if (!common) common = here;
            std::erase_if(*common, [&here](u64 steps) { return !here.contains(steps); });
        }
        if (!common || common->empty() || !reaches_all(*common->rbegin())) return std::nullopt;
        return *common->rbegin();
    }

  private:
    /// Of the locations of a loop: the rank that sends most to the partner to which it sends least.
    [[nodiscard]] u64 most_messages(const MainLoop& loop, const ParticipantNames& names) const {
        u64 most = 0;
        for (const u32 location : loop.participants.members()) {
            const auto found = messages_.find(rank_of(names, location));
            if (found != messages_.end()) most = std::max(most, found->second);
        }
        return most;
    }

    /// Iterations of the loops of a nest that all its locations have, with none within that might
    /// be the steps as well.
    [[nodiscard]] std::set<u64> candidates(std::size_t number) const {
        const MainLoop& loop = loops_[number];
        std::set<u64> found;
        for (std::size_t i = 0; i < loop.sending; ++i) {
            const bool innermost = loop.inner_iterations[i] > most_[number];
            if (loop.iterations[i].agree() && innermost) found.insert(loop.iterations[i].least);
        }
        return found;
    }

    [[nodiscard]] bool reaches_all(u64 steps) const {
        return std::all_of(messages_.begin(), messages_.end(),
                           [steps](const auto& rank) { return rank.second >= steps; });
    }

    const std::vector<MainLoop>& loops_;
    const std::map<u32, u64>& messages_;
    std::vector<u64> most_;  ///< by loop
};

}  // namespace

std::optional<u64> find_time_steps(const std::vector<MainLoop>& loops,
                                   const std::map<u32, u64>& fewest_messages,
                                   const ParticipantNames& names) {
    return TimeSteps(loops, fewest_messages, names).run();
}

std::optional<u64> common_exchanges(const std::vector<MainLoop>& loops) {
    std::optional<u64> steps;
    for (const MainLoop& loop : loops) {
        if (!loop.steps || (steps && *steps != *loop.steps)) return std::nullopt;
        steps = loop.steps;
    }
    return steps;
}

}  // namespace tracefold
