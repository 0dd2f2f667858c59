// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/detail/rank_classes.hpp"

#include "base/communicator.hpp"
#include "questions/stats/statistics.hpp"
#include "support/sample_file.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Column = RankClasses::Column;

RankClasses classes_of(TraceFile& file, SignatureKind kind, u32 columns = 0) {
    ClassRequest request;
    request.signature.kind = kind;
    request.columns = columns;
    SerialCommunicator alone;
    return collect_classes(alone, file, request);
}

u64 size(const RankClasses& classes) {
    u64 sum = 0;
    for (const ParticipantList& members : classes.classes) sum += members.size();
    return sum;
}

TEST(RankClassesTest, PutEveryLocationIntoOneClass) {
    for (const char* name : {"npb-lu.S-4", "micro-omphyb-4", "micro-anysrc-4"}) {
        SampleFile file(name);
        for (const auto kind : {SignatureKind::events, SignatureKind::calls, SignatureKind::script,
                                SignatureKind::arguments, SignatureKind::regions}) {
            const RankClasses classes = classes_of(*file, kind);
            EXPECT_EQ(size(classes), file->location_count()) << signature_name(kind);
            EXPECT_EQ(classes.locations, file->location_count());
            EXPECT_EQ(classes.classes.front().first(), 0U);
        }
    }
}

TEST(RankClassesTest, TellWhoIsTheMasterFromWhoWorks) {
    SampleFile file("micro-anysrc-4");
    const RankClasses classes = classes_of(*file, SignatureKind::script);
    EXPECT_GT(classes.classes.size(), 1U);
    EXPECT_EQ(classes.classes.front().members(), std::vector<u32>{0});
}

TEST(RankClassesTest, AreFinerTheMoreTheyLookAt) {
    SampleFile file("micro-stencil2d9p-isend-4");
    const std::size_t calls = classes_of(*file, SignatureKind::calls).classes.size();
    const std::size_t arguments = classes_of(*file, SignatureKind::arguments).classes.size();
    EXPECT_EQ(calls, 1U);
    EXPECT_EQ(classes_of(*file, SignatureKind::events).reduction(), 4);
    EXPECT_GE(arguments, calls);
}

TEST(RankClassesTest, CountRegionsOfTheGivenNames) {
    SampleFile file("npb-lu.S-4");
    ClassRequest request;
    request.signature.kind = SignatureKind::regions;
    request.signature.matches = [](const std::string& name) { return name == "MPI_Comm_size"; };
    SerialCommunicator alone;
    const RankClasses classes = collect_classes(alone, *file, request);
    // One rank asks twice.
    ASSERT_EQ(classes.classes.size(), 2U);
    EXPECT_EQ(std::max(classes.classes[0].size(), classes.classes[1].size()), 3U);
}

TEST(RankClassesTest, FollowTheIterationsOfTheMainLoop) {
    SampleFile file("npb-lu.S-4");
    const RankClasses all = classes_of(*file, SignatureKind::calls, 1000);
    ASSERT_EQ(all.columns.size(), all.iterations);
    for (const Column& column : all.columns) {
        EXPECT_EQ(column.locations, 4U);
        EXPECT_GE(column.classes, 1U);
        EXPECT_LE(column.largest, 4U);
        EXPECT_LE(column.moved, 4U);
    }
    EXPECT_EQ(all.columns.front().changed, 0U);
    EXPECT_EQ(all.columns.front().moved, 0U);
    const RankClasses joined = classes_of(*file, SignatureKind::calls, 10);
    EXPECT_EQ(joined.columns.size(), 10U);
    EXPECT_EQ(joined.per_column, (all.iterations + 9) / 10);
}

TEST(RankClassesTest, CompletionsAreEventsOfIterationsToo) {
    SampleFile file("micro-stencil2d9p-isend-4");
    const RankClasses classes = classes_of(*file, SignatureKind::events, 1000);
    ASSERT_FALSE(classes.columns.empty());
    for (const Column& column : classes.columns) EXPECT_EQ(column.classes, 1U);
}

TEST(RankClassesTest, KeepTheirStatisticsApart) {
    SampleFile file("micro-anysrc-4", TimingLevel::exact);
    const RankClasses classes = classes_of(*file, SignatureKind::script);
    SampleRequest request;
    request.rows.together = "all";
    SerialCommunicator alone;
    Figures whole = collect_statistics(alone, *file, request).rows.at(0).figures;
    keep_apart(classes, file->location_count(), request.rows);
    Figures sum;
    const Statistics apart = collect_statistics(alone, *file, request);
    EXPECT_EQ(apart.rows.size(), classes.classes.size());
    for (const Statistics::Row& row : apart.rows) sum.merge(row.figures);
    EXPECT_EQ(sum, whole);
}

TEST(SignatureTest, WritesSequencesByTheirRuns) {
    const std::vector<ContentHash> sequence = {{1, 2}, {1, 2}, {3, 4}, {1, 2}};
    const std::string key = sequence_key(sequence);
    EXPECT_EQ(key.size(), 3 * 17U);
    EXPECT_EQ(sequence_of(key), sequence);
    EXPECT_TRUE(sequence_of(sequence_key({})).empty());
}

}  // namespace
}  // namespace tracefold
