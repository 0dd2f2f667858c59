// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/export_format.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(ExportFormatTest, EveryFormatIsDescribedAndFoundByItsName) {
    std::set<std::string_view> names;
    std::set<std::string_view> suffixes;
    for (const ExportFormat& format : export_formats()) {
        EXPECT_TRUE(names.insert(format.name).second) << format.name;
        EXPECT_TRUE(suffixes.insert(format.suffix).second) << format.suffix;
        EXPECT_EQ(format.suffix.front(), '.');
        EXPECT_FALSE(format.title.empty());
        EXPECT_FALSE(format.keeps.empty());
        EXPECT_FALSE(format.drops.empty());
        EXPECT_NE(format.write, nullptr);
        EXPECT_EQ(find_export_format(format.name), &format);
    }
    EXPECT_EQ(find_export_format("nonsense"), nullptr);
}

TEST(ExportFormatTest, TakesItsOwnSettingsOnly) {
    EXPECT_TRUE(find_export_format("ti")->takes("--collectives"));
    EXPECT_TRUE(find_export_format("ti")->takes("--platform-template"));
    EXPECT_TRUE(find_export_format("csv")->takes("--pipit"));
    EXPECT_FALSE(find_export_format("csv")->takes("--collectives"));
    EXPECT_FALSE(find_export_format("jsonl")->takes("--pipit"));
    EXPECT_FALSE(find_export_format("ti")->takes("--platform"));
}

TEST(ExportReportTest, CountsThingsByTheirFate) {
    ExportReport report;
    report.count(ExportOutcome::dropped, "MPI_Put");
    report.count(ExportOutcome::dropped, "MPI_Put", 2);
    report.count(ExportOutcome::dropped, "MPI_Get");
    report.count(ExportOutcome::written, "send", 5);
    report.count(ExportOutcome::merged, "nothing", 0);
    EXPECT_EQ(report.total(ExportOutcome::dropped), 4U);
    EXPECT_EQ(report.of(ExportOutcome::dropped).at("MPI_Put"), 3U);
    EXPECT_EQ(report.total(ExportOutcome::written), 5U);
    EXPECT_TRUE(report.of(ExportOutcome::merged).empty());
}

}  // namespace
}  // namespace tracefold
