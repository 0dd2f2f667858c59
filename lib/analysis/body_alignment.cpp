// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/body_alignment.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kMostCells = 16'000'000;

/// The longest common subsequence of two stretches.
class Middle {
  public:
    Middle(u32 first_a, u32 size_a, u32 first_b, u32 size_b,
           const std::function<bool(u32, u32)>& same)
        : first_a_(first_a), first_b_(first_b), size_a_(size_a), size_b_(size_b), same_(same) {}

    void append(Alignment& out) {
        if (u64{size_a_} * size_b_ > kMostCells) return give_up(out);
        fill();
        u32 a = 0;
        u32 b = 0;
        while (a < size_a_ && b < size_b_) {
            if (is_same(a, b) && cell(a, b) == cell(a + 1, b + 1) + 1) {
                out.emplace_back(first_a_ + a++, first_b_ + b++);
            } else if (cell(a + 1, b) >= cell(a, b + 1)) {
                out.emplace_back(first_a_ + a++, kNone);
            } else {
                out.emplace_back(kNone, first_b_ + b++);
            }
        }
        rest(a, b, out);
    }

  private:
    [[nodiscard]] bool is_same(u32 a, u32 b) const { return same_(first_a_ + a, first_b_ + b); }
    u32& cell(u32 a, u32 b) { return cells_[u64{a} * (size_b_ + 1) + b]; }

    void fill() {
        cells_.assign(u64{size_a_ + 1} * (size_b_ + 1), 0);
        for (u32 a = size_a_; a-- > 0;) {
            for (u32 b = size_b_; b-- > 0;) {
                cell(a, b) = is_same(a, b) ? cell(a + 1, b + 1) + 1
                                           : std::max(cell(a + 1, b), cell(a, b + 1));
            }
        }
    }

    void give_up(Alignment& out) const {
        u32 both = 0;
        while (both < size_a_ && both < size_b_ && is_same(both, both)) {
            out.emplace_back(first_a_ + both, first_b_ + both);
            ++both;
        }
        rest(both, both, out);
    }

    void rest(u32 a, u32 b, Alignment& out) const {
        for (; a < size_a_; ++a) out.emplace_back(first_a_ + a, kNone);
        for (; b < size_b_; ++b) out.emplace_back(kNone, first_b_ + b);
    }

    u32 first_a_;
    u32 first_b_;
    u32 size_a_;
    u32 size_b_;
    const std::function<bool(u32, u32)>& same_;
    std::vector<u32> cells_;
};

}  // namespace

Alignment align(u32 size_a, u32 size_b, const std::function<bool(u32, u32)>& same) {
    Alignment alignment;
    u32 begin = 0;
    while (begin < size_a && begin < size_b && same(begin, begin)) {
        alignment.emplace_back(begin, begin);
        ++begin;
    }
    u32 end = 0;
    while (begin + end < size_a && begin + end < size_b &&
           same(size_a - end - 1, size_b - end - 1)) {
        ++end;
    }
    Middle(begin, size_a - begin - end, begin, size_b - begin - end, same).append(alignment);
    for (; end > 0; --end) alignment.emplace_back(size_a - end, size_b - end);
    return alignment;
}

}  // namespace tracefold
