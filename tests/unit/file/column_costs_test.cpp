// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/file_overview.hpp"
#include "support/sample_file.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(ColumnCostsTest, AddUpToTheSections) {
    SampleFile file("micro-stencil2d9p-isend-4");
    const std::vector<ColumnCost> costs = column_costs(*file);
    for (const SectionKind kind : {SectionKind::definitions, SectionKind::structure}) {
        double stored = 0;
        u64 content = 0;
        for (const ColumnCost& cost : costs) {
            if (cost.section != kind) continue;
            stored += cost.stored_bytes;
            content += cost.content_bytes;
        }
        const Section& section = file->container().section(kind);
        EXPECT_NEAR(stored, static_cast<double>(section.stored_size), 1e-6);
        EXPECT_EQ(content, section.content_size);
    }
}

TEST(ColumnCostsTest, NameArgumentsAsRecordsDo) {
    SampleFile file("micro-stencil2d9p-isend-4");
    std::set<std::string> names;
    for (const ColumnCost& cost : column_costs(*file)) {
        if (cost.section == SectionKind::structure) names.insert(cost.where);
    }
    for (const char* name : {"scripts", "symbols", "MpiIsend receiver", "MpiIsend msg_length",
                             "MpiIrecvRequest sender", "MpiIrecvRequest request_id",
                             "completions distance", "ProgramEnd exit_status"}) {
        EXPECT_TRUE(names.contains(name)) << name;
    }
}

TEST(ColumnCostsTest, TheLargestComeFirst) {
    SampleFile file("micro-stencil2d9p-isend-4");
    const std::vector<ColumnCost> costs = column_costs(*file);
    EXPECT_TRUE(std::is_sorted(costs.begin(), costs.end(), [](const auto& a, const auto& b) {
        return a.stored_bytes > b.stored_bytes;
    }));
}

}  // namespace
}  // namespace tracefold
