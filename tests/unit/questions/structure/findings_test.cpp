// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/findings.hpp"

#include "questions/structure/structure_listing.hpp"
#include "support/sample_file.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(FindingsTest, NamesTheStencil) {
    SampleFile file("micro-stencil2d9p-isend-4");
    ListingSource source(*file);
    FoundSteps steps(*file);
    const Findings findings = summarise(*file, source, steps, nullptr);
    ASSERT_EQ(findings.loops.size(), 1U);
    ASSERT_EQ(findings.loops[0].iterations.size(), 2U);
    EXPECT_EQ(findings.loops[0].iterations[0], (Extremes{5, 5}));
    EXPECT_EQ(findings.loops[0].iterations[1], (Extremes{50, 50}));
    EXPECT_GT(findings.loops[0].share, 0.9);
    EXPECT_EQ(findings.steps, 50U);
    ASSERT_TRUE(findings.neighbourhood.stencil);
    EXPECT_EQ(findings.neighbourhood.stencil->grid, (std::vector<u32>{2, 2}));
    EXPECT_EQ(findings.neighbourhood.bytes_by_moves, (std::vector<u64>{512, 8}));
    EXPECT_EQ(findings.neighbourhood.partners, (Extremes{3, 3}));
    ASSERT_FALSE(findings.collectives.empty());
    EXPECT_EQ(findings.collectives[0].name, "MPI_Allreduce");
    EXPECT_EQ(findings.collectives[0].calls, (Extremes{5, 5}));
    EXPECT_TRUE(findings.collectives[0].in_loop);
    EXPECT_FALSE(findings.collectives[1].in_loop);
    ASSERT_EQ(findings.grids.size(), 1U);
    EXPECT_EQ(findings.grids[0].sizes, (std::vector<u64>{2, 2}));
    EXPECT_FALSE(findings.mpi_share);
}

TEST(FindingsTest, ClaimsNoStencilWhereThereIsNone) {
    for (const char* name : {"micro-anysrc-4", "micro-mpiio-4", "tau-colls-4"}) {
        SampleFile file(name);
        ListingSource source(*file);
        FoundSteps steps(*file);
        EXPECT_FALSE(summarise(*file, source, steps, nullptr).neighbourhood.stencil) << name;
    }
}

/// Histograms of durations and the times that they are made from tell the same.
TEST(FindingsTest, TimesAgreeBetweenLevels) {
    SampleFile exact("npb-lu.S-4", TimingLevel::exact);
    SampleFile merged("npb-lu.S-4", TimingLevel::histogram);
    const CallTimes unwound = call_times(*exact).value();
    const CallTimes kept = call_times(*merged).value();
    EXPECT_EQ(unwound.inside, kept.inside);
    EXPECT_EQ(unwound.before, kept.before);
    EXPECT_FALSE(call_times(*SampleFile("npb-lu.S-4")));
    ListingSource source(*merged);
    FoundSteps steps(*merged);
    const Findings findings = summarise(*merged, source, steps, &kept);
    ASSERT_TRUE(findings.mpi_share);
    EXPECT_GT(*findings.mpi_share, 0.0);
    EXPECT_LT(*findings.mpi_share, 1.0);
}

/// The lines of the outermost body and the computation before them are all there is.
TEST(LineTimesTest, LinesAddUp) {
    SampleFile file("micro-stencil2d9p-isend-4", TimingLevel::histogram);
    const CallTimes times = call_times(*file).value();
    ListingSource source(*file);
    const ListedScript script = list_script(source, 0, ParticipantList({0, 1, 2, 3}));
    const LineTimes lines = line_times(script, times, source.counts());
    EXPECT_DOUBLE_EQ(lines.total, static_cast<double>(times.total));
    double sum = 0;
    for (const u32 item : script.root) {
        sum += 4 * lines.per_visit[item];
        const ListedNode& node = script.nodes[item];
        if (!node.is_loop()) {
            sum += static_cast<double>(times.before[node.symbol]) * 4 /
                   static_cast<double>(node.visits);
        }
    }
    EXPECT_NEAR(sum, lines.total, 1e-6 * lines.total);
}

}  // namespace
}  // namespace tracefold
