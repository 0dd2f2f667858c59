// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/stencil.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>

namespace tracefold {

namespace {

using Grid = std::vector<u32>;
using Offset = Stencil::Offset;

/// All ways to write a number as an ordered product of factors of at least 2.
void for_each_grid(u32 ranks, Grid& grid, const std::function<void(const Grid&)>& sink) {
    if (ranks == 1) {
        sink(grid);
        return;
    }
    if (grid.size() == Stencil::kMostDimensions) return;
    for (u32 factor = 2; factor <= ranks; ++factor) {
        if (ranks % factor != 0) continue;
        grid.push_back(factor);
        for_each_grid(ranks / factor, grid, sink);
        grid.pop_back();
    }
}

/// Tries one grid.
class Fit {
  public:
    Fit(const Grid& grid, int reach) : reach_(reach) {
        stencil_.grid = grid;
        stencil_.periodic.assign(grid.size(), false);
    }

    std::optional<Stencil> run(const RankPairs& pairs) {
        for (const auto& [from, to] : pairs) {
            const std::optional<Offset> offset = within_reach(from, to);
            if (!offset) return std::nullopt;
            if (known_.insert(*offset).second) stencil_.offsets.push_back(*offset);
        }
        if (!moves_everywhere() || wanted_pairs() != pairs.size()) return std::nullopt;
        std::sort(stencil_.offsets.begin(), stencil_.offsets.end());
        return std::move(stencil_);
    }

  private:
    /// Notes dimensions in which a pair is close only the other way round.
    std::optional<Offset> within_reach(u32 from, u32 to) {
        Offset offset{};
        for (std::size_t i = stencil_.grid.size(); i-- > 0;) {
            const u32 size = stencil_.grid[i];
            int way = static_cast<int>(to % size) - static_cast<int>(from % size);
            if (std::abs(way) > reach_) {
                way += way < 0 ? static_cast<int>(size) : -static_cast<int>(size);
                if (std::abs(way) > reach_) return std::nullopt;
                stencil_.periodic[i] = true;
            }
            offset[i] = way;
            from /= size;
            to /= size;
        }
        return offset;
    }

    /// A dimension in which nobody has a neighbour is none.
    [[nodiscard]] bool moves_everywhere() const {
        for (std::size_t i = 0; i < stencil_.grid.size(); ++i) {
            const auto moves = [i](const Offset& offset) { return offset[i] != 0; };
            if (std::none_of(stencil_.offsets.begin(), stencil_.offsets.end(), moves)) return false;
        }
        return true;
    }

    /// All pairs of the ranks that an offset leads to; every pair seen is one of them.
    [[nodiscard]] u64 wanted_pairs() const {
        u64 sum = 0;
        for (const Offset& offset : stencil_.offsets) {
            u64 pairs = 1;
            for (std::size_t i = 0; i < stencil_.grid.size(); ++i) {
                const u64 size = stencil_.grid[i];
                pairs *= stencil_.periodic[i] ? size : size - static_cast<u64>(std::abs(offset[i]));
            }
            sum += pairs;
        }
        return sum;
    }

    int reach_;
    Stencil stencil_;
    std::set<Offset> known_;
};

}  // namespace

int Stencil::moves(const Offset& offset) {
    return static_cast<int>(
        std::count_if(offset.begin(), offset.end(), [](int way) { return way != 0; }));
}

Offset Stencil::offset(u32 from, u32 to) const {
    Offset offset{};
    for (std::size_t i = grid.size(); i-- > 0;) {
        const int size = static_cast<int>(grid[i]);
        int way = static_cast<int>(to % grid[i]) - static_cast<int>(from % grid[i]);
        if (periodic[i] && 2 * std::abs(way) > size) way += way < 0 ? size : -size;
        offset[i] = way;
        from /= grid[i];
        to /= grid[i];
    }
    return offset;
}

std::optional<Stencil> fit_stencil(const std::vector<u32>& grid, const RankPairs& pairs) {
    for (int reach = 1; reach <= 2; ++reach) {
        if (auto fit = Fit(grid, reach).run(pairs)) return fit;
    }
    return std::nullopt;
}

std::optional<Stencil> find_stencil(u32 ranks, const RankPairs& pairs) {
    std::optional<Stencil> best;
    if (ranks < 2 || pairs.empty()) return best;
    for (int reach = 1; reach <= 2 && !best; ++reach) {
        Grid grid;
        for_each_grid(ranks, grid, [&](const Grid& candidate) {
            std::optional<Stencil> fit = Fit(candidate, reach).run(pairs);
            if (fit && (!best || fit->offsets.size() < best->offsets.size())) best = std::move(fit);
        });
    }
    if (best) best->complete = pairs.size() == u64{ranks} * (ranks - 1);
    return best;
}

}  // namespace tracefold
