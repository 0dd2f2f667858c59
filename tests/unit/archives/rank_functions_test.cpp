// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/trace_file.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// What the ranks of a square do in NPB BT and SP: in each stage of a sweep they send the face of a
/// cell to the next rank, and the tag says which cell.
class MultiPartition {
  public:
    explicit MultiPartition(u32 side) : side_(side), trace_({.ranks = side * side}) {
        for (int step = 0; step < 6; ++step) {
            for (u32 stage = 0; stage + 1 < side; ++stage) sweep(stage);
        }
    }

    testing::MadeTrace& trace() { return trace_; }

  private:
    void sweep(u32 stage) {
        for (u32 rank = 0; rank < side_ * side_; ++rank) {
            const u32 x = rank % side_;
            const u32 y = rank / side_;
            const u32 east = (x + 1) % side_ + side_ * y;
            const u32 cell = (x + y + stage) % side_ + side_ * ((2 * side_ - x - stage) % side_);
            trace_.call(rank, "MPI_Send", {{EventType::MpiSend, {east, 0, 3000 + cell, 64}}});
            const u32 diagonal = (x + 1) % side_ + side_ * ((y + side_ - 1) % side_);
            trace_.call(rank, "MPI_Bsend", {{EventType::MpiSend, {diagonal, 0, 2000 + cell, 8}}});
        }
    }

    u32 side_;
    testing::MadeTrace trace_;
};

TEST(RankFunctionsTest, FilesDoNotGrowWithTheRanks) {
    TestDirectory directory;
    std::vector<u64> sizes;
    for (const u32 side : {6, 8, 12}) {
        MultiPartition program(side);
        const std::string path = (directory / (std::to_string(side) + ".tfold")).string();
        program.trace().fold(path, TimingLevel::none);  // and verify
        sizes.push_back(std::filesystem::file_size(path));
        TraceFile file(path);
        const auto& slots = file.structure().slots;
        const auto has_table = [](const std::vector<Assignment>& symbol) {
            return std::any_of(symbol.begin(), symbol.end(), [](const Assignment& assignment) {
                return static_cast<bool>(assignment.functions);
            });
        };
        EXPECT_EQ(std::count_if(slots.begin(), slots.end(), has_table), 2) << side;
    }
    EXPECT_LE(sizes[1], sizes[0] * 11 / 10);
    EXPECT_LE(sizes[2], sizes[1] * 11 / 10);
}

}  // namespace
}  // namespace tracefold
