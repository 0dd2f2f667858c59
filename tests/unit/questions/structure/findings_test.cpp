// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/findings.hpp"

#include "questions/structure/structure_listing.hpp"
#include "support/made_trace.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <algorithm>
#include <functional>

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

/// The findings of a program of `ranks`, which makes the messages of a step ten times.
Findings findings_of(u32 ranks, const std::function<void(testing::MadeTrace&, u64 step)>& step) {
    testing::MadeTrace trace({.ranks = ranks});
    for (u64 i = 0; i < 10; ++i) step(trace, i);
    const TestDirectory directory;
    const std::string path = (directory / "made.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    ListingSource source(file);
    FoundSteps steps(file);
    return summarise(file, source, steps, nullptr);
}

void exchange(testing::MadeTrace& trace, u64 rank, u64 partner, u64 bytes) {
    trace.call(static_cast<u32>(rank), "MPI_Sendrecv",
               {{EventType::MpiSend, {partner, 0, 0, bytes}},
                {EventType::MpiRecv, {partner, 0, 0, bytes}}});
}

void send(testing::MadeTrace& trace, u64 from, u64 to, u64 bytes) {
    trace.call(static_cast<u32>(from), "MPI_Send", {{EventType::MpiSend, {to, 0, 0, bytes}}});
}

void receive(testing::MadeTrace& trace, u64 from, u64 to, u64 bytes) {
    trace.call(static_cast<u32>(to), "MPI_Recv", {{EventType::MpiRecv, {from, 0, 0, bytes}}});
}

TEST(FindingsTest, RecursiveDoublingIsNoStencil) {
    const Findings found = findings_of(8, [](testing::MadeTrace& trace, u64 /*step*/) {
        for (u64 round = 1; round < 8; round *= 2) {
            for (u64 rank = 0; rank < 8; ++rank) exchange(trace, rank, rank ^ round, 80 * round);
        }
    });
    EXPECT_EQ(found.neighbourhood.doubling, (std::vector<u32>{1, 2, 4}));
    EXPECT_TRUE(found.neighbourhood.sizes_double);
    EXPECT_FALSE(found.neighbourhood.stencil);
}

/// Four ranks that exchange equal messages may be a grid of 2 x 2 as well.
TEST(FindingsTest, FourRanksMayBeAGridOrAHypercube) {
    const Findings found = findings_of(4, [](testing::MadeTrace& trace, u64 /*step*/) {
        for (u64 round = 2; round > 0; round /= 2) {
            for (u64 rank = 0; rank < 4; ++rank) exchange(trace, rank, rank ^ round, 80);
        }
    });
    EXPECT_EQ(found.neighbourhood.doubling, (std::vector<u32>{2, 1}));
    EXPECT_FALSE(found.neighbourhood.sizes_double);
    ASSERT_TRUE(found.neighbourhood.stencil);
    EXPECT_EQ(found.neighbourhood.stencil->most_neighbours, 2U);
    EXPECT_EQ(found.neighbourhood.stencil->periodic,
              (std::vector<std::optional<bool>>{std::nullopt, std::nullopt}));
}

/// On 2 x 4 ranks, with both directions of the first dimension or with one of them.
TEST(FindingsTest, MessagesToANeighbourShowThatTwoRanksArePeriodic) {
    for (const u64 directions : {1, 2}) {
        const Findings found = findings_of(8, [&](testing::MadeTrace& trace, u64 /*step*/) {
            const auto each = [&](const auto& one) {
                for (u64 rank = 0; rank < 8; ++rank) {
                    const u64 row = rank / 4 * 4;
                    one(rank, row + (rank + 1) % 4);
                    one(rank, row + (rank + 3) % 4);
                    for (u64 i = 0; i < directions; ++i) one(rank, (rank + 4) % 8);
                }
            };
            each([&](u64 rank, u64 other) { send(trace, rank, other, 80); });
            each([&](u64 rank, u64 other) { receive(trace, other, rank, 80); });
        });
        ASSERT_TRUE(found.neighbourhood.stencil);
        EXPECT_EQ(found.neighbourhood.stencil->grid, (std::vector<u32>{2, 4}));
        EXPECT_EQ(found.neighbourhood.stencil->most_neighbours, 3U);
        EXPECT_EQ(found.neighbourhood.stencil->periodic,
                  (std::vector<std::optional<bool>>{directions == 2, true}));
    }
}

TEST(FindingsTest, PingPongAndGrowingMessagesAreNoStencil) {
    const Findings ping_pong = findings_of(2, [](testing::MadeTrace& trace, u64 /*step*/) {
        send(trace, 0, 1, 80);
        receive(trace, 0, 1, 80);
        send(trace, 1, 0, 80);
        receive(trace, 1, 0, 80);
    });
    EXPECT_EQ(ping_pong.steps, 10U);
    EXPECT_FALSE(ping_pong.neighbourhood.stencil);
    for (const u64 growth : {0, 8}) {
        const Findings ring = findings_of(5, [growth](testing::MadeTrace& trace, u64 step) {
            const u64 bytes = 8 + growth * step;
            for (u64 rank = 0; rank < 5; ++rank) {
                send(trace, rank, (rank + 1) % 5, bytes);
                send(trace, rank, (rank + 4) % 5, bytes);
            }
            for (u64 rank = 0; rank < 5; ++rank) {
                receive(trace, (rank + 1) % 5, rank, bytes);
                receive(trace, (rank + 4) % 5, rank, bytes);
            }
        });
        EXPECT_EQ(ring.steps, 10U);
        EXPECT_EQ(ring.neighbourhood.stencil.has_value(), growth == 0);
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
