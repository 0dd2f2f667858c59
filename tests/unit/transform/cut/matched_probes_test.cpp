// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/record_counts.hpp"
#include "fold/structure_index.hpp"
#include "support/made_traces.hpp"
#include "support/test_directory.hpp"
#include "transform/cut_trace.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

class CutMatchedProbesTest : public ::testing::Test {
  protected:
    void SetUp() override {
        MadeTrace trace({});
        make_matched_probes(trace);
        trace.fold(path("trace"));
        file_ = std::make_unique<TraceFile>(path("trace"));
        drain(*file_->events(1), [this](const RecordBatch& batch) {
            for (const auto& head : batch.heads()) {
                const bool receives = head.type == static_cast<u8>(EventType::MpiMrecv);
                if (receives && first_receive_ == 0) first_receive_ = head.time;
            }
        });
        ASSERT_NE(first_receive_, 0U);
    }

    /// Records of the part by type.
    std::vector<u64> cut() {
        report_ = cut_trace(*file_, request_, {path("part"), 1, true, {}});
        TraceFile part(path("part"));
        ExecutionCounts executions(part.index());
        return record_counts(part.structure(), executions);
    }

    static u64 of(const std::vector<u64>& counts, EventType type) {
        return counts[static_cast<u8>(type)];
    }
    [[nodiscard]] double seconds(u64 ticks) const {
        return static_cast<double>(ticks) /
               static_cast<double>(file_->definitions().tick_rate().ticks_per_second());
    }

    u64 first_receive_ = 0;  ///< ticks; all messages but one were probed before
    CutRequest request_;
    CutReport report_;

  private:
    [[nodiscard]] std::string path(const char* name) const { return (directory_ / name).string(); }

    TestDirectory directory_;
    std::unique_ptr<TraceFile> file_;
};

TEST_F(CutMatchedProbesTest, ReceivesGoWithTheirProbes) {
    request_.from = seconds(first_receive_ - 1);
    const std::vector<u64> counts = cut();
    EXPECT_EQ(of(counts, EventType::MpiMrecv), 0U);
    EXPECT_EQ(of(counts, EventType::MpiImrecvRequest), 0U);
    EXPECT_EQ(of(counts, EventType::MpiImrecv), 0U);
    // The other messages are behind.
    EXPECT_EQ(of(counts, EventType::MpiSend), 3U);
    EXPECT_EQ(of(counts, EventType::MpiProbe), 3U);
}

TEST_F(CutMatchedProbesTest, ProbesAndSendsGoWithTheirReceives) {
    request_.to = seconds(first_receive_ - 1);
    const std::vector<u64> counts = cut();
    EXPECT_EQ(of(counts, EventType::MpiProbe), 0U);
    EXPECT_EQ(of(counts, EventType::MpiSend), 0U);
    EXPECT_EQ(report_.partners.cut_messages, 3U);
}

TEST_F(CutMatchedProbesTest, WhatIsWholeStays) {
    request_.from = seconds(1);
    const std::vector<u64> counts = cut();
    EXPECT_EQ(of(counts, EventType::MpiProbe), 6U);
    EXPECT_EQ(of(counts, EventType::MpiMrecv), 2U);
    EXPECT_EQ(of(counts, EventType::MpiImrecv), 1U);
    EXPECT_EQ(of(counts, EventType::MpiSend), 6U);
}

}  // namespace
}  // namespace tracefold
