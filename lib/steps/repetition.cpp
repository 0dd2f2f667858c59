// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/repetition.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace tracefold {

namespace {

/// By place in `text`: how many numbers from there on equal those of `pattern` from its start.
std::vector<std::size_t> matches(std::span<const u64> pattern, std::span<const u64> text) {
    std::vector<u64> both(pattern.begin(), pattern.end());
    both.insert(both.end(), text.begin(), text.end());
    std::vector<std::size_t> z(both.size());
    std::size_t left = 0;
    std::size_t right = 0;
    for (std::size_t i = 1; i < both.size(); ++i) {
        if (i < right) z[i] = std::min(right - i, z[i - left]);
        while (i + z[i] < both.size() && both[z[i]] == both[i + z[i]]) ++z[i];
        if (i + z[i] > right) {
            left = i;
            right = i + z[i];
        }
    }
    z.erase(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(pattern.size()));
    for (std::size_t& length : z) length = std::min(length, pattern.size());
    return z;
}

class RepetitionFinder {
  public:
    RepetitionFinder(const std::vector<u64>& numbers, const std::vector<u64>& weights, u64 lightest)
        : size_(numbers.size()), lightest_(lightest), sums_(size_ + 1) {
        std::partial_sum(weights.begin(), weights.end(), sums_.begin() + 1);
        middle_ = static_cast<std::size_t>(
            std::upper_bound(sums_.begin(), sums_.end(), sums_.back() / 2) - sums_.begin() - 1);
        if (sums_.back() == 0) return;
        const std::span<const u64> all(numbers);
        ahead_ = matches(all.subspan(middle_), all);
        std::vector<u64> reversed(numbers.rbegin(), numbers.rend());
        behind_ = matches(std::span<const u64>(reversed).subspan(size_ - middle_), reversed);
    }

    [[nodiscard]] std::optional<Repetition> run() const {
        std::optional<Repetition> best;
        if (sums_.back() == 0) return best;
        for (std::size_t period = 1; period <= size_ / 2; ++period) {
            for (const Repetition& one : {above(period), below(period)}) {
                if (is_enough(one) && (!best || is_much_more(one, *best))) best = one;
            }
        }
        return best;
    }

  private:
    /// How many numbers before `place` equal those before the middle.
    [[nodiscard]] std::size_t before(std::size_t place) const {
        return place == 0 ? 0 : behind_[size_ - place];
    }

    /// The stretch in which the middle equals what comes a period later.
    [[nodiscard]] Repetition above(std::size_t period) const {
        const std::size_t later = middle_ + period;
        if (later >= size_) return {0, 0, period};
        return {middle_ - std::min(before(later), middle_), later + ahead_[later], period};
    }

    /// The stretch in which the middle equals what was a period earlier.
    [[nodiscard]] Repetition below(std::size_t period) const {
        if (period > middle_) return {0, 0, period};
        const std::size_t earlier = middle_ - period;
        return {earlier - std::min(before(earlier), earlier), middle_ + ahead_[earlier], period};
    }

    [[nodiscard]] bool is_enough(const Repetition& one) const {
        return weight(one) * 2 >= sums_.back() && weight_of_period(one) >= lightest_ &&
               (one.count() > 2 || (one.count() == 2 && is_nearly_all(weight(one), sums_.back())));
    }

    /// If a longer period holds nearly everything, of which a shorter one has far less.
    [[nodiscard]] bool is_much_more(const Repetition& longer, const Repetition& shorter) const {
        return weight(shorter) * 4 < sums_.back() * 3 &&
               is_nearly_all(weight(longer), sums_.back());
    }

    [[nodiscard]] u64 weight(const Repetition& one) const {
        return sums_[one.end] - sums_[one.begin];
    }

    [[nodiscard]] u64 weight_of_period(const Repetition& one) const {
        return sums_[std::min(one.begin + one.period, size_)] - sums_[one.begin];
    }

    std::size_t size_;
    u64 lightest_;
    std::vector<u64> sums_;  ///< of the weights before each place
    std::size_t middle_ = 0;
    std::vector<std::size_t> ahead_;
    std::vector<std::size_t> behind_;  ///< of the reversed sequence
};

}  // namespace

std::optional<Repetition> find_repetition(const std::vector<u64>& numbers,
                                          const std::vector<u64>& weights, u64 lightest) {
    if (numbers.empty()) return std::nullopt;
    return RepetitionFinder(numbers, weights, lightest).run();
}

std::vector<Repetition> repetitions_of(const std::vector<u64>& numbers, std::size_t period,
                                       std::size_t least) {
    std::vector<Repetition> found;
    std::size_t begin = 0;
    for (std::size_t i = period; i <= numbers.size(); ++i) {
        if (i < numbers.size() && numbers[i] == numbers[i - period]) continue;
        const Repetition one{begin, i, period};
        if (one.count() >= least) {
            found.push_back(one);
            begin = i;
            i += period - 1;
        } else {
            begin = i - period + 1;
        }
    }
    return found;
}

}  // namespace tracefold
