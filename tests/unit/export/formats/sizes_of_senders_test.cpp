// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "base/file.hpp"
#include "export/export_format.hpp"
#include "file/trace_file.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

constexpr u64 kNonsense = 140'000'000'000'000'000;
constexpr u64 kAround64Bits = 18'000'000'000'000'000'000U;

/// Rank 1 receives in all ways, from a recorder that knows no sizes of what it receives: blocking,
/// with a request, posted before it is sent, and in a loop.
void make_bad_receives(MadeTrace& trace) {
    const auto send = [&trace](u64 tag, u64 bytes) {
        trace.call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, tag, bytes}}});
    };
    for (const u32 rank : {0U, 1U}) trace.call(rank, "MPI_Init");
    send(1, 265);
    trace.call(1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 1, kNonsense}}});
    trace.call(1, "MPI_Irecv", {{EventType::MpiIrecvRequest, {7}}});
    send(2, 266);
    trace.call(1, "MPI_Wait", {{EventType::MpiIrecv, {0, 0, 2, kAround64Bits, 7}}});
    send(3, 267);
    trace.call(1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 3, 267}}});
    for (u64 i = 0; i < 20; ++i) {
        send(4, 1000);
        trace.call(1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 4, kNonsense}}});
    }
    for (const u32 rank : {0U, 1U}) trace.call(rank, "MPI_Finalize");
}

class SizesOfSendersTest : public ::testing::TestWithParam<const char*> {
  protected:
    SizesOfSendersTest() {
        MadeTrace trace({.ranks = 2});
        make_bad_receives(trace);
        trace.fold(folder_ / "made.tfold");
    }

    ExportReport write(const std::string& output, SizeSource sizes) {
        TraceFile file(folder_ / "made.tfold");
        ExportOptions options;
        options.sizes = sizes;
        return find_export_format(GetParam())->write(file, output, options);
    }

    TestDirectory folder_;
};

TEST_P(SizesOfSendersTest, AreRefusedUnlessTheyAreAskedFor) {
    EXPECT_THROW(write(folder_ / "out", SizeSource::recorded), Error);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_P(SizesOfSendersTest, AreCounted) {
    const ExportReport report = write(folder_ / "out", SizeSource::sender);
    const auto& approximated = report.of(ExportOutcome::approximated);
    const auto found = approximated.find(kSizesOfSenders);
    ASSERT_NE(found, approximated.end());
    EXPECT_EQ(found->second, 22U);
}

TEST_P(SizesOfSendersTest, BelongToTheFormatsThatNeedPartners) {
    for (const ExportFormat& format : export_formats()) {
        EXPECT_EQ(format.takes("--sizes"), format.needs_partners) << format.name;
    }
}

INSTANTIATE_TEST_SUITE_P(All, SizesOfSendersTest,
                         ::testing::Values("ti", "goal", "c", "dim", "dumpi", "chakra"));

using SizesInTextTest = SizesOfSendersTest;

TEST_P(SizesInTextTest, StandWhereTheyAreReceived) {
    write(folder_ / "out", SizeSource::sender);
    const std::string text = read_whole_file(folder_ / "out");
    for (const char* line : {"recv 265b from 0 tag 0", "recv 266b from 0 tag 1",
                             "recv 267b from 0 tag 2", "recv 1000b from 0 tag 3"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << '\n' << text;
    }
    for (const u64 bytes : {kNonsense, kAround64Bits}) {
        EXPECT_EQ(text.find(std::to_string(bytes)), std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(Goal, SizesInTextTest, ::testing::Values("goal"));

}  // namespace
}  // namespace tracefold
