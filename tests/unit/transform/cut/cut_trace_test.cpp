// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/cut_trace.hpp"

#include "base/error.hpp"
#include "questions/calls/tick_window.hpp"
#include "support/sample_file.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A part of a sample.
class CutTraceTest : public ::testing::Test {
  protected:
    CutReport cut(TraceFile& file) {
        const std::string path = (directory_ / ("part" + std::to_string(parts_++))).string();
        const CutReport report = cut_trace(file, request_, {path, 1, false, {}});
        part_ = std::make_unique<TraceFile>(path);
        return report;
    }

    std::string refusal(TraceFile& file) {
        try {
            cut(file);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            return error.what();
        }
        return "";
    }

    [[nodiscard]] u64 events_of(u32 location) { return part_->index().events(location); }

    CutRequest request_;
    std::unique_ptr<TraceFile> part_;

  private:
    TestDirectory directory_;
    int parts_ = 0;
};

TEST_F(CutTraceTest, RanksKeepTheirNumbers) {
    SampleFile file("micro-omphyb-4", TimingLevel::exact);
    request_.text = "--ranks 1";
    request_.locations.assign(file->location_count(), false);
    const DefinitionIndex& definitions = file->definitions();
    u64 expected = 0;
    for (u32 i = 0; i < file->location_count(); ++i) {
        request_.locations[i] = definitions.world_rank(definitions.locations()[i]) == 1U;
        if (request_.locations[i]) expected += file->index().facts(i).events;
    }
    const CutReport report = cut(*file);
    EXPECT_EQ(report.added, 0U);
    EXPECT_EQ(report.kept, expected);
    EXPECT_EQ(part_->definitions().world_size(), 4U);
    for (u32 i = 0; i < part_->location_count(); ++i) {
        const u64 before = file->index().facts(i).events;
        EXPECT_EQ(events_of(i), request_.locations[i] ? before : 0U);
        EXPECT_EQ(part_->definitions().locations()[i].event_count, events_of(i));
    }
    EXPECT_GT(report.partners.partial_collectives, 0U);
    const auto& properties = part_->archive().properties;
    EXPECT_EQ(properties.back().first, "TRACEFOLD::CUT");
    EXPECT_EQ(properties.back().second, "--ranks 1");
    EXPECT_NE(part_->archive().trace_id, file->archive().trace_id);
    for (const auto& [name, value] : properties) {
        EXPECT_TRUE(value == "false" || !name.ends_with("_COMPLETE")) << name;
    }
}

TEST_F(CutTraceTest, TheSamePartHasTheSameIdentity) {
    SampleFile file("micro-user-4", TimingLevel::exact);
    request_.drop.set(static_cast<std::size_t>(RecordKind::parameters));
    request_.drop.set(static_cast<std::size_t>(RecordKind::io));
    const CutReport report = cut(*file);
    const u64 id = part_->archive().trace_id;
    EXPECT_NE(id, file->archive().trace_id);
    EXPECT_EQ(report.idle, std::vector<RecordKind>{RecordKind::io});
    EXPECT_GT(report.dropped_records.at("ParameterInt"), 0U);
    cut(*file);
    EXPECT_EQ(part_->archive().trace_id, id);
}

TEST_F(CutTraceTest, TheClockBeginsWithTheWindow) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    request_.from = 0.1;
    request_.to = 0.15;
    cut(*file);
    const double resolution =
        static_cast<double>(file->definitions().tick_rate().ticks_per_second());
    const u64 later = part_->definitions().clock_offset() - common_clock(*file).start();
    EXPECT_NEAR(static_cast<double>(later) / resolution, 0.1, 1e-6);
}

TEST_F(CutTraceTest, IterationsAreThoseOfTheMainLoop) {
    SampleFile file("micro-stencil2d9p-isend-4", TimingLevel::none);
    request_.iterations = [](u64 iteration) { return iteration == 3 || iteration == 4; };
    const CutReport two = cut(*file);
    request_.iterations = [](u64 iteration) { return iteration == 3; };
    const CutReport one = cut(*file);
    EXPECT_GT(one.kept, 0U);
    EXPECT_EQ(two.kept, 2 * one.kept);
    EXPECT_EQ(one.partners.cut_messages, 0U);
    EXPECT_FALSE(one.has_losses());
}

TEST_F(CutTraceTest, TornOperationsAreNamed) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    // From within a collective operation of rank 0 on.
    u64 within = 0;
    drain(*file->events(0), [&within](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type == static_cast<u8>(EventType::MpiCollectiveBegin)) within = head.time + 1;
        }
    });
    request_.from = static_cast<double>(within - common_clock(*file).start()) /
                    static_cast<double>(file->definitions().tick_rate().ticks_per_second());
    const CutReport report = cut(*file);
    EXPECT_GT(report.partners.torn, 0U);
    EXPECT_TRUE(report.has_losses());
    EXPECT_EQ(report.dropped_records.at("MpiCollectiveBegin"),
              report.dropped_records.at("MpiCollectiveEnd"));
}

TEST_F(CutTraceTest, WhatCannotBeIsRefused) {
    SampleFile file("micro-user-4", TimingLevel::exact);
    request_.from = 1000;
    EXPECT_NE(refusal(*file).find("this part is empty"), std::string::npos);
    request_ = {};
    request_.regions = [](std::string_view) { return false; };
    EXPECT_NE(refusal(*file).find("--regions"), std::string::npos);
    request_ = {};
    request_.calls = [](std::string_view) { return false; };
    EXPECT_NE(refusal(*file).find("--calls"), std::string::npos);
    request_ = {};
    request_.iterations = [](u64 iteration) { return iteration > 1'000'000; };
    EXPECT_NE(refusal(*file).find("no rank has any of these iterations"), std::string::npos);
    SampleFile untimed("micro-user-4", TimingLevel::none);
    request_ = {};
    request_.to = 1;
    EXPECT_NE(refusal(*untimed).find("--time needs"), std::string::npos);
}

TEST_F(CutTraceTest, TimesOfHistogramsStayAsTheyAreMade) {
    SampleFile file("micro-user-4", TimingLevel::histogram);
    request_.locations = {true, false, false, false};
    cut(*file);
    EXPECT_EQ(part_->summary().timing, TimingLevel::exact);
    RecordBatch before;
    RecordBatch after;
    file->events(0)->next(before);
    part_->events(0)->next(after);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].time, after[i].time);
    const auto& properties = part_->archive().properties;
    const auto times = std::ranges::find(properties, "TRACEFOLD::TIMES",
                                         &std::pair<std::string, std::string>::first);
    ASSERT_NE(times, properties.end());
    EXPECT_EQ(times->second, "histogram");
}

}  // namespace
}  // namespace tracefold
