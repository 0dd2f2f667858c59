// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/fit.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// What NPB BT and SP know of a rank: the cells of their own `make_set`, step by step.
struct Partition {
    int side;
    int problem_size;
    int x;
    int y;

    [[nodiscard]] int size(int place) const {
        return problem_size / side + (place < problem_size % side);
    }
    [[nodiscard]] int cell_y(int stage) const { return (x + y - stage + side) % side; }
    [[nodiscard]] int cell_z(int stage) const { return (stage - x + side) % side; }
    [[nodiscard]] int inner(int place) const {
        return size(place) - (place == 0) - (place == side - 1);
    }
    /// All faces to the next cell in x.
    [[nodiscard]] int east() const {
        int sum = 0;
        for (int stage = 0; stage + 1 < side; ++stage) {
            sum += size(cell_y(stage)) * size(cell_z(stage));
        }
        return sum;
    }
};

using CellNumber = std::function<int(const Partition&, int stage)>;

/// Numbers of every rank of some squares, with a loop over all but the last stage or without.
class RecordedCells {
  public:
    RecordedCells(const std::vector<u32>& sides, int problem_size, bool in_loop,
                  const CellNumber& number) {
        for (const u32 side : sides) grids_.emplace_back(std::vector<u32>{side, side});
        for (const RankGrid& grid : grids_) {
            for (u32 rank = 0; rank < grid.participants(); ++rank) {
                const u32 side = grid.sizes()[0];
                const Partition partition{static_cast<int>(side), problem_size,
                                          static_cast<int>(rank % side),
                                          static_cast<int>(rank / side)};
                for (u32 stage = 0; stage < (in_loop ? side - 1 : 1); ++stage) {
                    Point point{&grid, rank, {}};
                    if (in_loop) point.loops[0] = {stage, side - 1};
                    observations_.push_back(
                        {point, static_cast<u64>(number(partition, static_cast<int>(stage)))});
                }
            }
        }
    }
    RecordedCells(const RecordedCells&) = delete;
    RecordedCells& operator=(const RecordedCells&) = delete;

    [[nodiscard]] const std::vector<FitSample>& observations() const { return observations_; }

  private:
    std::vector<RankGrid> grids_;
    std::vector<FitSample> observations_;
};

/// Points of all ranks of a square, in the first stages.
std::vector<Point> points_of(const RankGrid& grid) {
    std::vector<Point> points;
    for (u32 rank = 0; rank < grid.participants(); ++rank) {
        points.push_back({&grid, rank, {}});
        points.back().loops[0] = {0, grid.sizes()[0] - 1};
    }
    return points;
}

/// Found on squares of 2 to 6, asked for on one of 7, where it must be right.
void expect_told(int problem_size, bool in_loop, const CellNumber& number) {
    const RecordedCells recorded({2, 3, 4, 5, 6}, problem_size, in_loop, number);
    const RecordedCells truth({7}, problem_size, in_loop, number);
    const std::vector<Point> targets = points_of(*truth.observations().front().point.grid);
    const Fit fit = fit_cells(recorded.observations(), targets, std::nullopt);
    ASSERT_TRUE(fit.is_certain()) << (fit.rival
                                          ? to_text(*fit.formula) + " or " + to_text(*fit.rival)
                                          : "nothing");
    for (const FitSample& observation : truth.observations()) {
        ASSERT_EQ(evaluate(*fit.formula, observation.point), observation.value)
            << to_text(*fit.formula);
    }
}

TEST(CellSearchTest, TellsTagsThatNameCells) {
    expect_told(64, true, [](const Partition& p, int stage) {
        return 3000 + p.cell_y(stage) + p.side * p.cell_z(stage);
    });
    expect_told(64, false, [](const Partition& p, int) { return 7 + 5 * ((p.x + p.y) % p.side); });
}

TEST(CellSearchTest, TellsTheFacesOfCellsInASweep) {
    expect_told(64, true, [](const Partition& p, int stage) {
        return 176 * p.inner(p.cell_y(stage)) * p.inner(p.cell_z(stage));
    });
    expect_told(36, true, [](const Partition& p, int stage) {
        return 80 * p.inner(p.cell_y(p.side - 1 - stage)) * p.inner(p.cell_z(p.side - 1 - stage));
    });
}

TEST(CellSearchTest, TellsAllFacesOfARank) {
    expect_told(64, false, [](const Partition& p, int) { return 40 * p.east(); });
}

TEST(CellSearchTest, TellsNothingOfOtherGridsOrNumbers) {
    const auto random = [](const Partition& p, int) {
        return static_cast<int>(u64{2654435761} * static_cast<u64>(p.x * 97 + p.y * 31 + p.side) %
                                9973);
    };
    const RecordedCells recorded({2, 3, 4, 5}, 64, false, random);
    EXPECT_FALSE(fit_cells(recorded.observations(), {}, std::nullopt).formula);
    const RankGrid flat({2, 8});
    const std::vector<FitSample> one = {{{&flat, 0, {}}, 3}, {{&flat, 1, {}}, 4}};
    EXPECT_FALSE(fit_cells(one, {}, std::nullopt).formula);
}

/// Two runs in which everything divides evenly tell nothing of a run in which it does not.
TEST(CellSearchTest, RivalsThatDoNotAgreeAreNoAnswer) {
    const RecordedCells recorded({2, 4, 8}, 64, false, [](const Partition& p, int) {
        return 8 * p.size(p.x) * p.size(p.y);
    });
    const RankGrid target({5, 5});
    const std::vector<Point> targets = points_of(target);
    EXPECT_FALSE(fit_cells(recorded.observations(), targets, std::nullopt).is_certain());
}

}  // namespace
}  // namespace tracefold
