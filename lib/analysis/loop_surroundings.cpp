// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/loop_surroundings.hpp"

#include "analysis/repeating_stretch.hpp"

#include <algorithm>

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
        const u64 all = (inside + before(period) + behind(period)) / period;
        return all - std::min(all, part_.iterations);
    }

  private:
    [[nodiscard]] u64 before(u64 period) const {
        std::vector<u32> calls;
        for (std::size_t i = part_.begin; i-- > 0 && goes_on(i, calls, period);) add(i, calls);
        std::reverse(calls.begin(), calls.end());
        const std::size_t begin = calls.size();
        for (std::size_t i = part_.begin; i < part_.end && calls.size() < begin + period; ++i) {
            if (!is_whole(i, part_.begin)) break;
            add(i, calls);
        }
        return reaches_back(calls, begin, period);
    }

    /// As before(), with time running backwards.
    [[nodiscard]] u64 behind(u64 period) const {
        std::vector<u32> calls;
        const std::size_t end = outline_.runs.size();
        for (std::size_t i = part_.end; i < end && goes_on(i, calls, period); ++i) {
            add(i, calls);
        }
        std::reverse(calls.begin(), calls.end());
        const std::size_t begin = calls.size();
        for (std::size_t i = part_.end; i-- > part_.begin && calls.size() < begin + period;) {
            if (!is_whole(i, part_.end - 1)) break;
            add(i, calls);
        }
        return reaches_back(calls, begin, period);
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
