// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "mpi/check.hpp"
#include "unit/export/formats/exported_text.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

u64 lines_with(const ExportedText& exported, std::string_view part) {
    const std::vector<std::string> lines = exported.lines();
    return static_cast<u64>(std::ranges::count_if(
        lines, [part](const std::string& line) { return line.find(part) != std::string::npos; }));
}

TEST(JsonlTest, WritesALinePerCall) {
    const ExportedText exported("npb-lu.S-4", "jsonl");
    SampleFile file("npb-lu.S-4");
    const DryRun run = dry_run(*file);
    EXPECT_EQ(exported.report.calls, run.calls);
    EXPECT_EQ(exported.lines().size(), run.calls);
    EXPECT_EQ(exported.report.bytes, exported.text.size());
    for (const DryRun::Function& function : run.functions) {
        EXPECT_EQ(lines_with(exported, "\"name\":\"" + function.name + "\""), function.calls)
            << function.name;
    }
    EXPECT_EQ(exported.text.find("begin_ns"), std::string::npos);
}

TEST(JsonlTest, HasTimesWhereTheFileHas) {
    const ExportedText exported("micro-stencil2d9p-isend-4", "jsonl", TimingLevel::exact);
    EXPECT_EQ(lines_with(exported, "\"begin_ns\":"), exported.report.calls);
}

TEST(JsonlTest, KeepsTheRecordsOfOneSidedCommunication) {
    const ExportedText exported("micro-rma-4", "jsonl");
    EXPECT_GT(lines_with(exported, "\"record\":\"RmaPut\",\"win\":"), 0U);
    EXPECT_TRUE(exported.report.of(ExportOutcome::dropped).find("RmaPut records") ==
                exported.report.of(ExportOutcome::dropped).end());
}

TEST(JsonlTest, CountsWhatItLeavesOut) {
    const ExportedText exported("micro-user-4", "jsonl");
    EXPECT_GT(exported.report.of(ExportOutcome::dropped).at("ParameterString records"), 0U);
    EXPECT_EQ(exported.report.of(ExportOutcome::dropped).at("Enter records"),
              exported.report.of(ExportOutcome::dropped).at("Leave records"));
}

}  // namespace
}  // namespace tracefold
