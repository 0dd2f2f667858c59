// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/record_kinds.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

RecordKind kind(EventType type) { return record_kind(static_cast<u8>(type)); }

TEST(RecordKindTest, EveryEventHasAKind) {
    EXPECT_EQ(kind(EventType::Enter), RecordKind::regions);
    EXPECT_EQ(kind(EventType::CallingContextLeave), RecordKind::regions);
    EXPECT_EQ(kind(EventType::CallingContextSample), RecordKind::samples);
    EXPECT_EQ(kind(EventType::MpiIrecv), RecordKind::messages);
    EXPECT_EQ(kind(EventType::MpiCollectiveEnd), RecordKind::collectives);
    EXPECT_EQ(kind(EventType::NonBlockingCollectiveRequest), RecordKind::collectives);
    EXPECT_EQ(kind(EventType::Metric), RecordKind::metrics);
    EXPECT_EQ(kind(EventType::MeasurementOnOff), RecordKind::measurement);
    EXPECT_EQ(kind(EventType::OmpFork), RecordKind::threads);
    EXPECT_EQ(kind(EventType::CommCreate), RecordKind::communicators);
}

TEST(RecordKindTest, NamesLeadBack) {
    for (std::size_t i = 0; i < kRecordKinds; ++i) {
        const auto kind = static_cast<RecordKind>(i);
        EXPECT_EQ(find_record_kind(name_of(kind)), kind);
    }
    EXPECT_EQ(find_record_kind("metric"), std::nullopt);
}

}  // namespace
}  // namespace tracefold
