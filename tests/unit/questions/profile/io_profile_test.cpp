// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/io_profile.hpp"

#include "questions/profile/trace_profile.hpp"
#include "support/made_io.hpp"
#include "support/test_directory.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeIo;

class IoProfileTest : public ::testing::Test {
  protected:
    std::string fold(MadeIo& io, TimingLevel timing = TimingLevel::exact) {
        const std::string path = folder_ / "io.tfold";
        std::filesystem::remove(path);
        io.trace.fold(path, timing);
        return path;
    }

    IoProfile profile(MadeIo& io, TimingLevel timing = TimingLevel::exact) {
        TraceFile file(fold(io, timing));
        return trace_io(file, std::vector<bool>(file.location_count(), true));
    }

    static IoProfile::Figures total(const IoProfile& profile) {
        IoProfile::Figures sum;
        for (const IoProfile::Row& row : profile.rows) sum.add(row.figures);
        return sum;
    }

    TestDirectory folder_;
};

TEST_F(IoProfileTest, OperationsThatAnotherLocationCompletesAreOfTheOneThatBeganThem) {
    for (const TimingLevel timing : {TimingLevel::exact, TimingLevel::none}) {
        MadeIo io({.ranks = 1, .threads = 2});
        make_block_io(io);
        const IoProfile found = profile(io, timing);
        const bool timed = timing == TimingLevel::exact;
        for (const IoMode mode : {IoMode::read, IoMode::write}) {
            const IoProfile::Figures all = total(found);
            EXPECT_EQ(all.of(mode).count, 5U);
            EXPECT_EQ(all.of(mode).bytes, 5U * 4096);
            EXPECT_EQ(all.of(mode).ticks, timed ? 5U * 50 : 0U);
        }
        EXPECT_EQ(found.unmatched, 0U);
        EXPECT_EQ(found.outstanding, 0U);
        ASSERT_EQ(found.rows.size(), 1U);
        EXPECT_EQ(found.rows[0].location, 0U);
        EXPECT_EQ(found.files[found.rows[0].file].name, "/dev/sda");
    }
}

TEST_F(IoProfileTest, OverlappingOperationsCountOnceInBusyTime) {
    MadeIo io({.ranks = 1, .threads = 2});
    io.begin(0, 0, MadeIo::kRead, 7, 10);  // 0
    io.begin(0, 1, MadeIo::kRead, 8, 20);  // 1
    io.complete(0, 0, 7, 10);              // 2
    io.complete(0, 1, 8, 20);              // 3
    io.begin(0, 0, MadeIo::kRead, 7, 10);  // 4
    io.complete(0, 0, 7, 10);              // 5
    const IoProfile::Figures all = total(profile(io));
    EXPECT_EQ(all.of(IoMode::read).ticks, 5U);
    EXPECT_EQ(all.of(IoMode::read).busy.ticks(), 4U);
}

TEST_F(IoProfileTest, EachLocationCompletesItsOwnOperationFirst) {
    MadeIo io({.ranks = 1, .threads = 2});
    io.begin(0, 0, MadeIo::kRead, 7, 10);   // 0
    io.begin(0, 1, MadeIo::kWrite, 7, 20);  // 1
    io.complete(0, 0, 7, 10);               // 2
    io.complete(0, 1, 7, 20);               // 3
    io.begin(0, 0, MadeIo::kRead, 8, 30);   // 4: makes the trace one that has to be looked at
    io.complete(0, 1, 8, 30);               // 5
    const IoProfile found = profile(io);
    const IoProfile::Figures all = total(found);
    EXPECT_EQ(all.of(IoMode::read).bytes, 40U);
    EXPECT_EQ(all.of(IoMode::write).bytes, 20U);
    EXPECT_EQ(all.of(IoMode::read).ticks, 3U);
    EXPECT_EQ(all.of(IoMode::write).ticks, 2U);
    EXPECT_EQ(found.unmatched + found.outstanding, 0U);
}

TEST_F(IoProfileTest, NumbersThatAreUsedAgainAreMatchedByTime) {
    MadeIo io({.ranks = 1, .threads = 2});
    io.begin(0, 0, MadeIo::kRead, 7, 10);
    io.complete(0, 1, 7, 10);
    io.begin(0, 1, MadeIo::kWrite, 7, 20);
    io.complete(0, 0, 7, 20);
    const IoProfile found = profile(io);
    ASSERT_EQ(found.rows.size(), 2U);
    EXPECT_EQ(found.rows[0].figures.of(IoMode::read).bytes, 10U);
    EXPECT_EQ(found.rows[0].figures.of(IoMode::read).ticks, 1U);
    EXPECT_EQ(found.rows[1].figures.of(IoMode::write).bytes, 20U);
    EXPECT_EQ(found.rows[1].figures.of(IoMode::write).ticks, 1U);
    EXPECT_EQ(found.unmatched + found.outstanding, 0U);
}

TEST_F(IoProfileTest, ACompletionMayHaveTheTimeOfAClockThatIsBehind) {
    MadeIo io({.ranks = 1, .threads = 2});
    io.trace.at(100);
    io.begin(0, 0, MadeIo::kRead, 7);
    io.trace.at(99);
    io.complete(0, 1, 7);
    const IoProfile found = profile(io);
    EXPECT_EQ(total(found).of(IoMode::read).count, 1U);
    EXPECT_EQ(total(found).of(IoMode::read).ticks, 0U);
    EXPECT_EQ(found.unmatched, 0U);
}

TEST_F(IoProfileTest, OtherRanksDoNotCompleteOperations) {
    MadeIo io({.ranks = 2});
    io.begin(0, 0, MadeIo::kRead, 7);
    io.complete(1, 0, 7);
    const IoProfile found = profile(io);
    EXPECT_EQ(total(found).of(IoMode::read).count, 0U);
    EXPECT_EQ(found.outstanding, 1U);
    EXPECT_EQ(found.unmatched, 1U);
}

TEST_F(IoProfileTest, CancelledOperationsMoveNothingWhereverTheyEnd) {
    MadeIo io({.ranks = 1, .threads = 2});
    io.begin(0, 0, MadeIo::kRead, 1);
    io.begin(0, 0, MadeIo::kRead, 2);
    io.begin(0, 0, MadeIo::kRead, 3);
    io.cancel(0, 1, 1);
    io.cancel(0, 0, 2);
    io.complete(0, 1, 3);
    const IoProfile found = profile(io);
    EXPECT_EQ(total(found).of(IoMode::read).count, 1U);
    EXPECT_EQ(found.cancelled, 2U);
    EXPECT_EQ(found.outstanding, 0U);
    EXPECT_EQ(found.unmatched, 0U);
}

TEST_F(IoProfileTest, SizesThatAreNotRecordedAreCounted) {
    MadeIo io({.ranks = 1, .threads = 2});
    for (const u64 bytes : {u64{100}, MadeIo::kUndefined}) {
        io.begin(0, 0, MadeIo::kRead, 1, MadeIo::kUndefined);
        io.complete(0, 0, 1, bytes);
        io.begin(0, 0, MadeIo::kWrite, 2);
        io.complete(0, 1, 2, bytes);
    }
    io.begin(0, 0, MadeIo::kFlush, 3);
    io.complete(0, 0, 3, MadeIo::kUndefined);
    const IoProfile::Figures all = total(profile(io));
    for (const IoMode mode : {IoMode::read, IoMode::write}) {
        EXPECT_EQ(all.of(mode).count, 2U);
        EXPECT_EQ(all.of(mode).bytes, 100U);
        EXPECT_EQ(all.of(mode).unknown, 1U);
    }
    EXPECT_EQ(all.of(IoMode::flush).unknown, 0U) << "a flush moves nothing";
}

/// Bytes are those of the call that began the operation.
TEST_F(IoProfileTest, ProfilesHaveTheBytesOfOperationsThatCrossLocations) {
    for (const TimingLevel timing : {TimingLevel::exact, TimingLevel::none}) {
        MadeIo io({.ranks = 1, .threads = 2});
        const u64 region = io.trace.region("submit");
        io.trace.record(0, 0, EventType::Enter, {region});
        io.begin(0, 0, MadeIo::kWrite, 1, 500);
        io.trace.record(0, 0, EventType::Leave, {region});
        io.complete(0, 1, 1, 400);
        TraceFile file(fold(io, timing));
        SerialCommunicator comm;
        ProfileRequest request;
        request.selected.assign(file.location_count(), true);
        const TraceProfile found = trace_profile(comm, file, request);
        ASSERT_EQ(found.names.size(), 1U);
        EXPECT_EQ(found.profile.moments(0, ProfileMetric::written, false).total(), 400U);
    }
}

}  // namespace
}  // namespace tracefold
