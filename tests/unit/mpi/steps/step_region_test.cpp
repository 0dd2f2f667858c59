// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/program_steps.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

/// Two ranks that send each other something in each of eight steps. Regions are left out where
/// their names are empty.
class Steps {
  public:
    Steps(const std::string& around, const std::string& each, const std::string& inner = "")
        : trace_({.ranks = 2}) {
        all(EventType::Enter, "main");
        for (const u32 rank : {0U, 1U}) trace_.call(rank, "MPI_Init");
        all(EventType::Enter, around);
        for (int step = 0; step < 8; ++step) {
            all(EventType::Enter, each);
            all(EventType::Enter, "prepare");
            all(EventType::Leave, "prepare");
            exchange(inner, 1);
            exchange(inner, 2);
            all(EventType::Leave, each);
        }
        all(EventType::Leave, around);
        for (const u32 rank : {0U, 1U}) trace_.call(rank, "MPI_Finalize");
        all(EventType::Leave, "main");
    }

    std::optional<StepRegion> region() {
        const TestDirectory directory;
        const std::string path = (directory / "steps.tfold").string();
        trace_.fold(path);
        TraceFile file(path);
        const auto steps = find_program_steps(file);
        EXPECT_TRUE(steps);
        EXPECT_EQ(steps ? steps->count : 0, 8U);
        return steps ? find_step_region(file, *steps) : std::nullopt;
    }

  private:
    void all(EventType type, const std::string& region) {
        if (region.empty()) return;
        for (const u32 rank : {0U, 1U}) trace_.record(rank, 0, type, {trace_.region(region)});
    }

    void exchange(const std::string& around, u64 tag) {
        all(EventType::Enter, around);
        for (const u32 rank : {0U, 1U}) {
            trace_.call(rank, "MPI_Send", {{EventType::MpiSend, {1 - rank, 0, tag, 8 * tag}}});
        }
        for (const u32 rank : {0U, 1U}) {
            trace_.call(rank, "MPI_Recv", {{EventType::MpiRecv, {1 - rank, 0, tag, 8 * tag}}});
        }
        all(EventType::Leave, around);
    }

    MadeTrace trace_;
};

TEST(StepRegionTest, ARegionThatIsEnteredOnceInEachStepNamesIt) {
    EXPECT_EQ(Steps("solve", "advance", "exchange").region(), (StepRegion{"advance", true}));
}

/// One that is entered twice, or that calls no MPI, is no step.
TEST(StepRegionTest, ARegionAroundAllStepsNamesThemElse) {
    EXPECT_EQ(Steps("solve", "", "exchange").region(), (StepRegion{"solve", false}));
    EXPECT_EQ(Steps("solve", "").region(), (StepRegion{"solve", false}));
}

TEST(StepRegionTest, TheOutermostRegionTellsNothing) {
    EXPECT_EQ(Steps("", "", "exchange").region(), std::nullopt);
}

}  // namespace
}  // namespace tracefold
