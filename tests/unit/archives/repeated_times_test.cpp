// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/made_trace.hpp"
#include "trace/trace_file.hpp"
#include "unit/io/test_directory.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kRanks = 5;

/// What a thread samples for all ranks at once: the same times, which are chance, and other values.
/// The last rank has others.
void sample(testing::MadeTrace& trace) {
    u64 chance = 1;
    u64 now = 0;
    for (u64 number = 0; number < 200; ++number) {
        chance = chance * 6364136223846793005U + 1442695040888963407U;
        now += 1000 + chance % 1024;
        for (u32 rank = 0; rank < kRanks; ++rank) {
            trace.at(now + (rank + 1 == kRanks ? rank * number : 0));
            const u64 region = trace.region(number % 3 == 0 ? "one" : "other");
            trace.record(rank, 0, EventType::Enter, {region});
            trace.at(now + 500 + (chance >> 60U));
            trace.record(rank, 0, EventType::Leave, {region});
        }
    }
}

TEST(RepeatedTimesTest, LocationsWithTheSameTimesStoreThemOnce) {
    TestDirectory directory;
    const std::string path = (directory / "sampled.tfold").string();
    testing::MadeTrace trace({.ranks = kRanks});
    sample(trace);
    trace.fold(path);  // compares what the file gives back
    const TraceFile file(path);
    const std::vector<Section>& sections = file.container().sections();
    const auto ticks = [](const Section& section) { return section.kind == SectionKind::ticks; };
    const auto repeated = [](const Section& section) { return section.repeated; };
    EXPECT_EQ(std::count_if(sections.begin(), sections.end(), ticks), kRanks);
    EXPECT_EQ(std::count_if(sections.begin(), sections.end(), repeated), kRanks - 2);
}

}  // namespace
}  // namespace tracefold
