// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "model/participant_names.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "support/made_traces.hpp"
#include "support/test_directory.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

class RanksOfGroupsTest : public ::testing::Test {
  protected:
    TraceFile fold(MadeTrace& trace) {
        const std::string path = (directory_ / "trace.tfold").string();
        trace.fold(path);
        return TraceFile(path);
    }

  private:
    TestDirectory directory_;
};

TEST_F(RanksOfGroupsTest, CallMpiOnAnyOfTheirLocations) {
    MadeTrace trace(testing::kRanksOfGroups);
    make_calls_on_second_thread(trace);
    TraceFile file = fold(trace);
    EXPECT_EQ(mpi_locations(file, 0), std::vector<u32>{0});
    EXPECT_EQ(mpi_locations(file, 1), std::vector<u32>{3});
    EXPECT_FALSE(calls_mpi_from_threads(file));
    const CheckResult result = check_replay(file);
    EXPECT_EQ(result.ranks, 2U);
    EXPECT_EQ(result.locations, 2U);
    EXPECT_EQ(result.messages, 3U);
    EXPECT_TRUE(result.findings.empty());
}

TEST_F(RanksOfGroupsTest, HaveNamesAsOthersHave) {
    MadeTrace trace(testing::kRanksOfGroups);
    make_calls_on_second_thread(trace);
    TraceFile file = fold(trace);
    const ParticipantNames names(file.definitions());
    EXPECT_EQ(names.label(0), "0");
    EXPECT_EQ(names.label(1), "0.1");
    EXPECT_EQ(names.label(3), "1.1");
}

TEST_F(RanksOfGroupsTest, WithoutALocationAreNamed) {
    MadeTrace trace({.ranks = 2, .of_groups = true, .ranks_without_location = 1});
    trace.call(0, "MPI_Init");
    TraceFile file = fold(trace);
    EXPECT_FALSE(calls_mpi_from_threads(file));
    try {
        check_replay(file);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::corrupt);
        EXPECT_NE(std::string(error.what()).find("MPI rank 1 is location group 1001"),
                  std::string::npos);
    }
}

}  // namespace
}  // namespace tracefold
