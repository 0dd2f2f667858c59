// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/loop_surroundings.hpp"

#include "analysis/repeating_stretch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tracefold {

namespace {

/// Longer iterations are not looked for.
constexpr u64 kMostCalls = u64{1} << 20U;

/// The calls around a loop that go on as its iterations do.
class Surroundings {
  public:
    Surroundings(const ScriptOutline& outline, const ScriptOutline::Part& part,
                 const std::vector<u64>& counted, const std::vector<bool>& borders)
        : outline_(outline), part_(part), counted_(counted), borders_(borders) {}

    [[nodiscard]] u64 iterations() const {
        const u64 period = weigh(outline_.executions(part_.middle(), part_.last()), counted_);
        if (period == 0 || period > kMostCalls) return 0;
        const u64 inside = weigh(outline_.executions(part_.begin, part_.end), counted_);
        if (inside > period * part_.iterations) return 0;  // the first or last one is none
        const u64 all =
            (inside + going_on(Side::before, period) + going_on(Side::behind, period)) / period;
        return all - std::min(all, part_.iterations);
    }

  private:
    enum class Side : std::int8_t { before = -1, behind = 1 };

    /// How many calls on one side go on as the iterations do, outwards from the loop.
    [[nodiscard]] u64 going_on(Side side, u64 period) const {
        const auto outwards = static_cast<std::ptrdiff_t>(side);
        const auto begin = static_cast<std::ptrdiff_t>(part_.begin);
        const auto end = static_cast<std::ptrdiff_t>(part_.end);
        const auto runs = static_cast<std::ptrdiff_t>(outline_.runs.size());
        const std::ptrdiff_t border = side == Side::before ? begin : end - 1;
        std::vector<u32> calls;
        for (std::ptrdiff_t i = border + outwards; i >= 0 && i < runs; i += outwards) {
            if (!goes_on(static_cast<std::size_t>(i), calls, period)) break;
            add(static_cast<std::size_t>(i), calls);
        }
        std::reverse(calls.begin(), calls.end());
        const std::size_t outside = calls.size();
        for (std::ptrdiff_t i = border; i >= begin && i < end; i -= outwards) {
            const auto run = static_cast<std::size_t>(i);
            if (calls.size() >= outside + period) break;
            if (!is_whole(run, static_cast<std::size_t>(border))) break;
            add(run, calls);
        }
        return reaches_back(calls, outside, period);
    }

    [[nodiscard]] bool goes_on(std::size_t run, const std::vector<u32>& calls, u64 enough) const {
        return calls.size() < enough && outline_.runs[run].times == 1 &&
               !borders_[outline_.runs[run].leaf];
    }

    /// Where all runs stand for as many there is no loop within that was not walked through.
    [[nodiscard]] bool is_whole(std::size_t run, std::size_t first) const {
        return outline_.runs[run].times == outline_.runs[first].times;
    }

    void add(std::size_t place, std::vector<u32>& calls) const {
        const ScriptOutline::Run& run = outline_.runs[place];
        if (counted_[run.leaf] == 0) return;
        calls.insert(calls.end(), std::min(run.count, kMostCalls), run.leaf);
    }

    const ScriptOutline& outline_;
    const ScriptOutline::Part& part_;
    const std::vector<u64>& counted_;
    const std::vector<bool>& borders_;
};

}  // namespace

u64 iterations_beside(const ScriptOutline& outline, const ScriptOutline::Part& part,
                      const std::vector<u64>& counted, const std::vector<bool>& borders) {
    return Surroundings(outline, part, counted, borders).iterations();
}

}  // namespace tracefold
