// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/time_steps.hpp"

#include "analysis/rank_groups.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace tracefold {

namespace {

/// Finds the iterations in which a stencil's messages are sent.
class StencilSteps {
  public:
    StencilSteps(const std::vector<MainLoop>& loops, const std::map<u32, SentMessages>& sent,
                 const ParticipantNames& names)
        : loops_(loops), sent_(sent) {
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
            const auto found = sent_.find(rank_of(names, location));
            if (found != sent_.end()) most = std::max(most, found->second.fewest);
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
        return std::all_of(sent_.begin(), sent_.end(),
                           [steps](const auto& rank) { return rank.second.fewest >= steps; });
    }

    const std::vector<MainLoop>& loops_;
    const std::map<u32, SentMessages>& sent_;
    std::vector<u64> most_;  ///< by loop
};

/// What is the same for all; nothing if it differs or one has none.
template <class One, class Number>
std::optional<u64> common(const std::vector<One>& all, Number number) {
    std::optional<u64> common;
    for (const One& one : all) {
        const std::optional<u64> own = number(one);
        if (!own || (common && *common != *own)) return std::nullopt;
        common = own;
    }
    return common;
}

u64 all_iterations(const MainPhase& phase) { return phase.iterations + phase.beside; }

/// If no loop within might be the steps as well.
std::optional<u64> steps_in_loop(const MainPhase& phase) {
    if (phase.doubtful || !phase.period || phase.iterations % *phase.period != 0) {
        return std::nullopt;
    }
    return phase.iterations / *phase.period;
}

bool every_iteration_is_one(const MainPhase& phase) { return phase.period == 1 && !phase.doubtful; }

/// If every location's iterations do the same several times over, nobody knows which are the steps.
bool repeat_themselves(const std::vector<MainPhase>& phases) {
    u64 repeats = 0;
    for (const MainPhase& phase : phases) repeats = std::gcd(repeats, phase.repeats);
    return repeats > 1;
}

}  // namespace

std::optional<u64> find_stencil_steps(const std::vector<MainLoop>& loops,
                                      const std::map<u32, SentMessages>& sent,
                                      const ParticipantNames& names) {
    return StencilSteps(loops, sent, names).run();
}

std::vector<MainPhase> find_main_phases(MainPhaseFinder& finder, u32 locations,
                                        const std::map<u32, SentMessages>& sent,
                                        const ParticipantNames& names) {
    std::vector<MainPhase> phases;
    for (u32 location = 0; location < locations; ++location) {
        if (!finder.has_transfers(location)) continue;
        const auto found = sent.find(rank_of(names, location));
        const std::optional<MainPhase> phase =
            finder.find(location, found == sent.end() ? 0 : found->second.partners);
        if (!phase) return {};
        phases.push_back(*phase);
    }
    return phases;
}

std::optional<TimeSteps> choose_steps(const std::optional<u64>& of_stencil,
                                      const std::vector<MainPhase>& phases) {
    const auto in_loop = common(phases, [](const MainPhase& phase) { return phase.iterations; });
    const std::optional<u64> all = common(phases, all_iterations);
    if (of_stencil && in_loop != of_stencil) return TimeSteps{*of_stencil, *of_stencil, true};
    if (repeat_themselves(phases)) return std::nullopt;
    if (of_stencil) return TimeSteps{all.value_or(*of_stencil), *of_stencil, true};
    if (all && std::all_of(phases.begin(), phases.end(), every_iteration_is_one)) {
        const auto least = std::min_element(
            phases.begin(), phases.end(),
            [](const MainPhase& a, const MainPhase& b) { return a.iterations < b.iterations; });
        return TimeSteps{*all, least->iterations, false};
    }
    const std::optional<u64> steps = common(phases, steps_in_loop);
    return steps ? std::optional(TimeSteps{*steps, *steps, false}) : std::nullopt;
}

std::optional<u64> common_exchanges(const std::vector<MainLoop>& loops) {
    return common(loops, [](const MainLoop& loop) { return loop.steps; });
}

}  // namespace tracefold
