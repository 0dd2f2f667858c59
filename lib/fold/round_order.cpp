// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/round_order.hpp"

#include <algorithm>

namespace tracefold {

namespace {

class RoundOrder {
  public:
    RoundOrder(std::span<const Round> rounds, std::size_t neighbours)
        : rounds_(rounds),
          size_(neighbours),
          met_(neighbours, false),
          before_(neighbours * neighbours, false),
          falls_(neighbours * neighbours, false) {}

    std::vector<RoundStretch> run() {
        for (const Round& round : rounds_) compare(round);
        reach_ = before_;
        close();
        std::vector<RoundStretch> stretches;
        std::vector<bool> placed(size_, false);
        for (u64 first = next(placed); first < size_; first = next(placed)) {
            stretches.push_back(stretch_of(first));
            for (const u64 neighbour : stretches.back().neighbours) placed[neighbour] = true;
        }
        return stretches;
    }

  private:
    void compare(const Round& round) {
        for (std::size_t i = 0; i < round.size(); ++i) {
            met_[round[i].neighbour] = true;
            for (std::size_t k = i + 1; k < round.size(); ++k) {
                const std::size_t pair = round[i].neighbour * size_ + round[k].neighbour;
                before_[pair] = true;
                if (round[i].number > round[k].number) falls_[pair] = true;
            }
        }
    }

    /// What comes before something that comes before another comes before that.
    void close() {
        for (std::size_t via = 0; via < size_; ++via) {
            for (std::size_t from = 0; from < size_; ++from) {
                if (!reach_[from * size_ + via]) continue;
                for (std::size_t to = 0; to < size_; ++to) {
                    if (reach_[via * size_ + to]) reach_[from * size_ + to] = true;
                }
            }
        }
    }

    /// The first neighbour that is not placed and that only such come before as come behind it,
    /// too.
    [[nodiscard]] u64 next(const std::vector<bool>& placed) const {
        for (u64 own = 0; own < size_; ++own) {
            if (placed[own] || !met_[own]) continue;
            bool is_first = true;
            for (u64 other = 0; other < size_ && is_first; ++other) {
                is_first =
                    placed[other] || !reach_[other * size_ + own] || reach_[own * size_ + other];
            }
            if (is_first) return own;
        }
        return size_;
    }

    [[nodiscard]] RoundStretch stretch_of(u64 first) const {
        RoundStretch stretch{{first}, true};
        for (u64 other = 0; other < size_; ++other) {
            const bool same =
                other != first && reach_[first * size_ + other] && reach_[other * size_ + first];
            if (same) stretch.neighbours.push_back(other);
        }
        std::sort(stretch.neighbours.begin(), stretch.neighbours.end());
        for (const u64 a : stretch.neighbours) {
            for (const u64 b : stretch.neighbours) {
                if (falls_[a * size_ + b]) stretch.is_rising = false;
            }
        }
        return stretch;
    }

    std::span<const Round> rounds_;
    std::size_t size_;
    std::vector<bool> met_;
    // By pair of neighbours.
    std::vector<bool> before_;
    std::vector<bool> falls_;  ///< the one before has had a greater number
    std::vector<bool> reach_;
};

}  // namespace

std::vector<RoundStretch> find_round_order(std::span<const Round> rounds, std::size_t neighbours) {
    return RoundOrder(rounds, neighbours).run();
}

}  // namespace tracefold
