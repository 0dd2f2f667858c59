// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/file_overview.hpp"

#include "file/call_names.hpp"
#include "model/event_table.hpp"
#include "support/sample_file.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// The same numbers as an overview's, found by unwinding every event.
struct Unwound {
    std::vector<u64> records = std::vector<u64>(kEventTypes, 0);
    std::map<std::string, u64> calls;
    std::map<std::string, u64> locations;

    explicit Unwound(TraceFile& file) {
        for (u32 location = 0; location < file.location_count(); ++location) {
            std::map<std::string, u64> here;
            const MappingTables tables = file.mapping_tables(location);
            drain(*file.events(location), [&](const RecordBatch& batch) {
                for (const RecordBatch::Head& head : batch.heads()) {
                    ++records[head.type];
                    if (!is_enter(head.type)) continue;
                    const u64 region = tables.global(FieldKind::region, batch.values(head)[0]);
                    ++here[file.definitions().region_name(region)];
                }
            });
            for (const auto& [name, number] : here) {
                calls[name] += number;
                ++locations[name];
            }
        }
    }
};

class FileOverviewTest : public ::testing::TestWithParam<const char*> {};

TEST_P(FileOverviewTest, CountsWhatUnwindingFinds) {
    SampleFile file(GetParam());
    const FileOverview overview = file_overview(*file);
    const Unwound unwound(*file);
    for (u8 type = 0; type < kEventTypes; ++type) {
        EXPECT_EQ(overview.records[type], unwound.records[type]) << event_info(type).name;
    }
    EXPECT_EQ(overview.regions.size(), unwound.calls.size());
    for (const FileOverview::Region& region : overview.regions) {
        EXPECT_EQ(region.calls, unwound.calls.at(region.name)) << region.name;
        EXPECT_EQ(region.locations, unwound.locations.at(region.name)) << region.name;
    }
    EXPECT_TRUE(std::is_sorted(overview.regions.begin(), overview.regions.end(),
                               [](const auto& a, const auto& b) { return a.calls > b.calls; }));
}

INSTANTIATE_TEST_SUITE_P(Samples, FileOverviewTest,
                         ::testing::Values("micro-anysrc-4", "micro-mpiio-4", "micro-omphyb-4",
                                           "micro-rma-4", "micro-stencil2d9p-isend-4",
                                           "micro-user-4", "npb-lu.S-4", "tau-colls-4"),
                         sample_test_name<const char*>);

TEST(FileOverviewShapeTest, FactsAboutTheFile) {
    SampleFile file("micro-omphyb-4", TimingLevel::exact);
    const FileOverview overview = file_overview(*file);
    EXPECT_EQ(overview.ranks, 4U);
    EXPECT_EQ(overview.location_types, (std::map<u64, u64>{{1, 12}}));
    EXPECT_EQ(overview.location_group_types, (std::map<u64, u64>{{1, 4}}));
    EXPECT_GT(overview.timer_resolution, 0U);
    EXPECT_GT(overview.shape.loops, 0U);
    EXPECT_GE(overview.shape.deepest_nest, 2U);
    u64 stored = 0;
    for (const FileOverview::Sections& sections : overview.sections) {
        stored += sections.stored_bytes;
        EXPECT_EQ(sections.count, sections.kind == SectionKind::ticks ? 12U : 1U);
    }
    EXPECT_LT(stored, overview.file_bytes);
}

TEST(FileOverviewShapeTest, LoopsInLoops) {
    SampleFile file("micro-stencil2d9p-isend-4");
    const FileOverview overview = file_overview(*file);
    EXPECT_EQ(overview.shape.scripts, 1U);
    EXPECT_EQ(overview.shape.deepest_nest, 2U);
    EXPECT_EQ(overview.shape.loops, 2U);
}

}  // namespace
}  // namespace tracefold
