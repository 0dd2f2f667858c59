// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/trace_file.hpp"
#include "support/made_traces.hpp"
#include "support/test_directory.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(RepeatedTimesTest, LocationsWithTheSameTimesStoreThemOnce) {
    TestDirectory directory;
    const std::string path = (directory / "sampled.tfold").string();
    testing::MadeTrace trace(testing::kSampledRanks);
    testing::make_shared_times(trace);
    trace.fold(path);  // compares what the file gives back
    const TraceFile file(path);
    const std::vector<Section>& sections = file.container().sections();
    const auto ticks = [](const Section& section) { return section.kind == SectionKind::ticks; };
    const auto repeated = [](const Section& section) { return section.repeated; };
    EXPECT_EQ(std::count_if(sections.begin(), sections.end(), ticks), 5);
    EXPECT_EQ(std::count_if(sections.begin(), sections.end(), repeated), 3);
}

}  // namespace
}  // namespace tracefold
