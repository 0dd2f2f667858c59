// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/merged_sequence.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold::inline fold {

namespace {

/// Of the tables of all common subsequences together.
constexpr u64 kMostSteps = u64{1} << 25U;

/// Lengths of the longest common subsequences of what is behind each pair of places.
class CommonLengths {
  public:
    void fill(std::span<const MergedItem> a, std::span<const u64> b) {
        width_ = b.size() + 1;
        const std::size_t size = (a.size() + 1) * width_;
        if (lengths_.size() < size) lengths_.resize(size);
        std::fill_n(lengths_.data() + a.size() * width_, width_, 0U);
        for (std::size_t i = a.size(); i-- > 0;) {
            u32* const row = lengths_.data() + i * width_;
            const u32* const below = row + width_;
            row[b.size()] = 0;
            const u64 item = a[i].item;
            for (std::size_t k = b.size(); k-- > 0;) {
                row[k] = item == b[k] ? below[k + 1] + 1 : std::max(below[k], row[k + 1]);
            }
        }
    }

    [[nodiscard]] u32 at(std::size_t i, std::size_t k) const { return lengths_[i * width_ + k]; }

  private:
    std::size_t width_ = 0;
    std::vector<u32> lengths_;  ///< what is behind those in use is left over
};

class Merger {
  public:
    explicit Merger(std::size_t sequences) : sequences_(sequences) {}

    /// False if it would take long.
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
        lengths_.fill(items, sequence);
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
            const bool own = i < items.size() &&
                             (same || !both || lengths_.at(i + 1, k) >= lengths_.at(i, k + 1));
            if (own) {
                take(begin + i, begin + i + 1);
                ++i;
            } else {
                merged.push_back({sequence[k], std::vector<bool>(sequences_, false)});
            }
            if (own && !same) continue;
            merged.back().present[number] = true;
            ++k;
        }
        take(end, items_.size());
        items_ = std::move(merged);
        return true;
    }

    std::size_t sequences_;
    u64 steps_left_ = kMostSteps;
    CommonLengths lengths_;
    std::vector<MergedItem> items_;
};

}  // namespace

std::optional<std::vector<MergedItem>> merge_sequences(
    std::span<const std::vector<u64>> sequences) {
    std::vector<std::size_t> order(sequences.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return sequences[a].size() > sequences[b].size();
    });
    Merger merger(sequences.size());
    for (const std::size_t number : order) {
        if (!merger.add(number, sequences[number])) return std::nullopt;
    }
    return merger.take();
}

}  // namespace tracefold::inline fold
