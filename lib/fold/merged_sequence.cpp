// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/merged_sequence.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

/// Of the tables of all common subsequences together.
constexpr u64 kMostSteps = u64{1} << 25U;

/// Which way a longest common subsequence of two sequences goes from each pair of places. The
/// length of what is common behind a pair differs by 0 or 1 from that of the next one, so that a
/// row of pairs is worked out 64 at a time from the row below it: places at which the length does
/// not grow are added to those with the item, and what is carried says where it is longer than
/// below (Hyyrö, Bit-parallel LCS-length computation revisited, 2004).
class CommonWays {
  public:
    void fill(std::span<const MergedItem> a, std::span<const u64> b) {
        width_ = b.size();
        words_ = (width_ + kBits - 1) / kBits;
        find_places(a, b);
        even_.assign(words_, ~u64{0});
        below_.resize(a.size() * words_);
        for (std::size_t i = a.size(); i-- > 0;) fill_row(i, a[i].item);
    }

    /// Whether as much is common behind the next place of `a` and this one of `b` as behind this
    /// one of `a` and the next one of `b`, or more. Precondition: the items here differ.
    [[nodiscard]] bool lies_below(std::size_t i, std::size_t k) const {
        const std::size_t bit = width_ - 1 - k;
        return (below_[i * words_ + bit / kBits] >> bit % kBits & 1U) != 0;
    }

  private:
    static constexpr std::size_t kBits = 64;

    /// Where in `b` the items of `a` are, the last place first.
    void find_places(std::span<const MergedItem> a, std::span<const u64> b) {
        numbers_.clear();
        for (const MergedItem& item : a) numbers_.try_emplace(item.item, numbers_.size());
        places_.assign(numbers_.size() * words_, 0);
        for (std::size_t k = 0; k < width_; ++k) {
            const auto found = numbers_.find(b[k]);
            if (found == numbers_.end()) continue;
            const std::size_t bit = width_ - 1 - k;
            places_[found->second * words_ + bit / kBits] |= u64{1} << bit % kBits;
        }
    }

    void fill_row(std::size_t row, u64 item) {
        const u64* const places = &places_[numbers_.at(item) * words_];
        u64 carry = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            const u64 even = even_[word];
            const u64 same = even & places[word];
            const u64 sum = even + same + carry;
            const u64 longer = same | (even & (sum ^ even ^ same));
            even_[word] = sum | (even & ~places[word]);
            below_[row * words_ + word] = ~(even_[word] & longer);
            carry = longer >> (kBits - 1);
        }
    }

    std::size_t width_ = 0;
    std::size_t words_ = 0;                         ///< of a row
    std::unordered_map<u64, std::size_t> numbers_;  ///< of the items of `a`
    std::vector<u64> places_;                       ///< a row for each of them
    std::vector<u64> even_;   ///< the last row: where the length does not grow
    std::vector<u64> below_;  ///< a row for each place of `a`
};

class Merger {
  public:
    explicit Merger(std::size_t most) : most_(most) {}

    /// False if it would take long, or make the result too long.
    bool add(std::size_t number, std::span<const u64> sequence) {
        std::size_t begin = 0;
        const std::size_t least = std::min(items_.size(), sequence.size());
        while (begin < least && items_[begin].item == sequence[begin]) {
            items_[begin++].present[number] = true;
        }
        std::size_t alike = 0;
        while (alike < least - begin &&
               items_[items_.size() - 1 - alike].item == sequence[sequence.size() - 1 - alike]) {
            items_[items_.size() - 1 - alike++].present[number] = true;
        }
        return add_between(number, begin, items_.size() - alike,
                           sequence.subspan(begin, sequence.size() - alike - begin));
    }

    [[nodiscard]] std::vector<MergedItem> take() { return std::move(items_); }

  private:
    bool add_between(std::size_t number, std::size_t begin, std::size_t end,
                     std::span<const u64> sequence) {
        if (sequence.empty()) return true;
        const std::span<const MergedItem> items(items_.data() + begin, end - begin);
        const u64 steps = u64{items.size() + 1} * (sequence.size() + 1);
        if (steps > steps_left_) return false;
        steps_left_ -= steps;
        ways_.fill(items, sequence);
        std::vector<MergedItem> merged;
        merged.reserve(items_.size() + sequence.size());
        const auto take = [&](std::size_t from, std::size_t to) {
            while (from < to) merged.push_back(std::move(items_[from++]));
        };
        take(0, begin);
        std::size_t i = 0;
        std::size_t k = 0;
        while (i < items.size() || k < sequence.size()) {
            const bool both = i < items.size() && k < sequence.size();
            const bool same = both && items[i].item == sequence[k];
            const bool own = i < items.size() && (same || !both || ways_.lies_below(i, k));
            if (own) {
                take(begin + i, begin + i + 1);
                ++i;
            } else {
                merged.push_back({sequence[k], {}});
            }
            if (own && !same) continue;
            merged.back().present[number] = true;
            ++k;
        }
        take(end, items_.size());
        items_ = std::move(merged);
        return items_.size() <= most_;
    }

    std::size_t most_;  ///< items
    u64 steps_left_ = kMostSteps;
    CommonWays ways_;
    std::vector<MergedItem> items_;
};

}  // namespace

std::optional<std::vector<MergedItem>> merge_sequences(std::span<const std::vector<u64>> sequences,
                                                       std::size_t most) {
    std::vector<std::size_t> order(sequences.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return sequences[a].size() > sequences[b].size();
    });
    Merger merger(most);
    for (const std::size_t number : order) {
        if (!merger.add(number, sequences[number])) return std::nullopt;
    }
    return merger.take();
}

}  // namespace tracefold
