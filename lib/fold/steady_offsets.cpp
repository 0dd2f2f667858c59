// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/steady_offsets.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace tracefold {

namespace {

constexpr u32 kNever = ~u32{0};

/// By the choices of two neighbouring offsets, twice that of the first and that of the second: the
/// least changes of the step so far, and the choices one before.
struct Choices {
    std::array<u32, 4> changes = {kNever, kNever, kNever, kNever};
    std::array<u8, 4> before{};
};

class SteadyOffsets {
  public:
    SteadyOffsets(const std::vector<i64>& offsets, u32 size)
        : offsets_(offsets), size_(size), choices_(offsets.size()) {}

    /// Precondition: three offsets at least.
    std::vector<i64> run() {
        for (u32 state = 0; state < 4; ++state) {
            if (allows(0, state / 2) && allows(1, state % 2)) choices_[1].changes[state] = 0;
        }
        for (std::size_t k = 2; k < choices_.size(); ++k) choose(k);
        const auto& changes = choices_.back().changes;
        const u32 least = *std::min_element(changes.begin(), changes.end());
        std::vector<i64> best;
        for (u32 state = 0; state < 4; ++state) {
            if (changes[state] != least) continue;
            std::vector<i64> found = follow(state);
            if (best.empty() || std::abs(found[0]) < std::abs(best[0])) best = std::move(found);
        }
        return best;
    }

  private:
    void choose(std::size_t k) {
        for (u32 state = 0; state < 4; ++state) {
            if (choices_[k - 1].changes[state] == kNever) continue;
            const i64 first = at(k - 2, state / 2);
            const i64 second = at(k - 1, state % 2);
            for (const u32 own : {0U, 1U}) {
                if (!allows(k, own)) continue;
                const bool same = at(k, own) - second == second - first;
                const u32 changes = choices_[k - 1].changes[state] + (same ? 0 : 1);
                const u32 next = state % 2 * 2 + own;
                if (changes >= choices_[k].changes[next]) continue;
                choices_[k].changes[next] = changes;
                choices_[k].before[next] = static_cast<u8>(state);
            }
        }
    }

    /// The offsets of which the last two were chosen so.
    [[nodiscard]] std::vector<i64> follow(u32 state) const {
        std::vector<i64> found(offsets_.size());
        for (std::size_t k = offsets_.size() - 1; k > 0; --k) {
            found[k] = at(k, state % 2);
            found[k - 1] = at(k - 1, state / 2);
            state = choices_[k].before[state];
        }
        return found;
    }

    /// An offset as it is, or the one below 0.
    [[nodiscard]] i64 at(std::size_t k, u32 choice) const {
        return choice == 0 ? offsets_[k] : offsets_[k] - i64{size_};
    }
    [[nodiscard]] bool allows(std::size_t k, u32 choice) const {
        return choice == 0 || offsets_[k] != 0;
    }

    const std::vector<i64>& offsets_;
    u32 size_;
    std::vector<Choices> choices_;
};

}  // namespace

void make_steady(std::vector<i64>& offsets, u32 size) {
    if (offsets.size() > 2) offsets = SteadyOffsets(offsets, size).run();
}

}  // namespace tracefold
