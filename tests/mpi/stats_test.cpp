// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "mpi/comm_world.hpp"
#include "questions/stats/detail/rank_classes.hpp"
#include "questions/stats/distribution.hpp"
#include "questions/stats/statistics.hpp"
#include "support/sample_file.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr int kFanouts[] = {2, 4, 8};

void expect_same(const Statistics& found, const Statistics& wanted) {
    EXPECT_EQ(found.locations, wanted.locations);
    EXPECT_EQ(found.iterations, wanted.iterations);
    ASSERT_EQ(found.rows.size(), wanted.rows.size());
    for (std::size_t row = 0; row < wanted.rows.size(); ++row) {
        EXPECT_EQ(found.rows[row].path, wanted.rows[row].path);
        EXPECT_EQ(found.rows[row].figures, wanted.rows[row].figures);
        EXPECT_EQ(found.rows[row].durations, wanted.rows[row].durations);
    }
}

class StatsMpiTest : public ::testing::TestWithParam<TimingLevel> {};

TEST_P(StatsMpiTest, StatisticsDoNotDependOnProcessesAndFanOut) {
    for (const char* name : {"npb-lu.S-4", "micro-user-4", "micro-omphyb-4"}) {
        SampleFile file(name, GetParam());
        for (const auto by : {RowRequest::By::call, RowRequest::By::path, RowRequest::By::loop}) {
            SampleRequest request;
            request.rows.by = by;
            request.iterations = GetParam() == TimingLevel::exact;
            SerialCommunicator serial;
            const Statistics alone = collect_statistics(serial, *file, request);
            ASSERT_FALSE(alone.rows.empty());
            for (const int fanout : kFanouts) {
                const Statistics together =
                    collect_statistics(test_world(), *file, request, fanout);
                if (test_world().rank() == 0) expect_same(together, alone);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, StatsMpiTest,
                         ::testing::Values(TimingLevel::none, TimingLevel::histogram,
                                           TimingLevel::exact));

TEST(HistogramMpiTest, HistogramsDoNotDependOnProcessesAndFanOut) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    for (const SampleScope over :
         {SampleScope::calls, SampleScope::ranks, SampleScope::iterations}) {
        DistributionRequest request;
        request.samples.rows.together = "receives";
        request.samples.rows.matches = [](const std::string& name) { return name == "MPI_Recv"; };
        request.over = over;
        request.columns = over == SampleScope::iterations ? 20 : 0;
        SerialCommunicator serial;
        const Distribution alone = collect_distribution(serial, *file, request);
        ASSERT_EQ(alone.rows.size(), 1U);
        for (const int fanout : kFanouts) {
            const Distribution together =
                collect_distribution(test_world(), *file, request, fanout);
            if (test_world().rank() != 0) continue;
            EXPECT_EQ(together.bins, alone.bins);
            EXPECT_EQ(together.per_column, alone.per_column);
            ASSERT_EQ(together.rows.size(), 1U);
            EXPECT_EQ(together.rows[0].moments, alone.rows[0].moments);
            EXPECT_EQ(together.rows[0].counts, alone.rows[0].counts);
        }
    }
}

TEST(ClassesMpiTest, ClassesDoNotDependOnProcessesAndFanOut) {
    for (const char* name : {"npb-lu.S-4", "micro-anysrc-4", "micro-omphyb-4"}) {
        SampleFile file(name);
        for (const auto kind : {SignatureKind::events, SignatureKind::calls, SignatureKind::script,
                                SignatureKind::arguments, SignatureKind::regions}) {
            ClassRequest request;
            request.signature.kind = kind;
            request.columns = 20;
            SerialCommunicator serial;
            const RankClasses alone = collect_classes(serial, *file, request);
            for (const int fanout : kFanouts) {
                const RankClasses together = collect_classes(test_world(), *file, request, fanout);
                EXPECT_EQ(together.classes, alone.classes);
                EXPECT_EQ(together.iterations, alone.iterations);
                if (test_world().rank() != 0) continue;
                EXPECT_EQ(together.columns, alone.columns);
            }
        }
    }
}

}  // namespace
}  // namespace tracefold
