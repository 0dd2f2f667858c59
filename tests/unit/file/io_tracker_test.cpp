// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/io_files.hpp"
#include "model/event_table.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u64 kRead = 0;
constexpr u64 kWrite = 1;
constexpr u64 kUndefined = ~u64{0};

/// Passes records to a tracker, a tick each.
class Recorder {
  public:
    std::optional<IoOperation> begin(u64 handle, u64 mode, u64 number, u32 mark = 0) {
        return record(EventType::IoOperationBegin, {handle, mode, 0, 100, number}, mark);
    }
    std::optional<IoOperation> complete(u64 handle, u64 bytes, u64 number) {
        return record(EventType::IoOperationComplete, {handle, bytes, number}, 0);
    }
    std::optional<IoOperation> cancel(u64 handle, u64 number) {
        return record(EventType::IoOperationCancelled, {handle, number}, 0);
    }

    IoTracker tracker;

  private:
    std::optional<IoOperation> record(EventType type, const std::vector<u64>& fields, u32 mark) {
        RecordBatch batch;
        std::ranges::copy(
            fields, batch.add(static_cast<u8>(type), time_++, static_cast<u32>(fields.size())));
        return tracker.follow(batch[0], batch.values(batch[0]), tables_, mark);
    }

    MappingTables tables_;
    u64 time_ = 0;
};

TEST(IoTrackerTest, ACompletionHasWhatItsBeginningSaid) {
    Recorder recorder;
    EXPECT_FALSE(recorder.begin(7, kWrite, 1, 42));
    const std::optional<IoOperation> done = recorder.complete(7, 64, 1);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->handle, 7U);
    EXPECT_EQ(done->mode, IoMode::write);
    EXPECT_EQ(done->requested, 100U);
    EXPECT_EQ(done->bytes, 64U);
    EXPECT_EQ(done->end - done->begin, 1U);
    EXPECT_EQ(done->mark, 42U);
    EXPECT_TRUE(recorder.tracker.outstanding().empty());
}

TEST(IoTrackerTest, OperationsMayCompleteInAnyOrder) {
    Recorder recorder;
    recorder.begin(7, kRead, 1);
    recorder.begin(7, kWrite, 2);
    recorder.begin(8, kWrite, 1);
    EXPECT_EQ(recorder.complete(8, 5, 1)->mode, IoMode::write);
    EXPECT_EQ(recorder.complete(7, 6, 1)->mode, IoMode::read);
    EXPECT_EQ(recorder.complete(7, 7, 2)->end, 5U);
}

TEST(IoTrackerTest, OfTheSameNumberTheLastOneIsMeant) {
    Recorder recorder;
    recorder.begin(7, kRead, 1);
    recorder.begin(7, kWrite, 1);
    EXPECT_EQ(recorder.complete(7, 5, 1)->mode, IoMode::write);
    EXPECT_EQ(recorder.complete(7, 5, 1)->mode, IoMode::read);
}

TEST(IoTrackerTest, WhatIsLeftOverIsCounted) {
    Recorder recorder;
    recorder.begin(7, kRead, 1);
    recorder.begin(7, kRead, 2);
    EXPECT_FALSE(recorder.cancel(7, 1));
    EXPECT_FALSE(recorder.complete(7, 5, 1));
    EXPECT_FALSE(recorder.complete(9, 5, 2));
    EXPECT_EQ(recorder.tracker.unmatched(), 2U);
    EXPECT_EQ(recorder.tracker.outstanding().size(), 1U);
}

TEST(IoTrackerTest, SizesThatAreNotRecordedAreToldApartFromNone) {
    Recorder recorder;
    recorder.begin(7, kRead, 1);
    const IoOperation unknown = *recorder.complete(7, kUndefined, 1);
    EXPECT_TRUE(unknown.lacks_size());
    EXPECT_EQ(unknown.known_bytes(), 0U);
    recorder.begin(7, kRead, 1);
    EXPECT_FALSE(recorder.complete(7, 0, 1)->lacks_size());
}

}  // namespace
}  // namespace tracefold
