// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "export/formats/paraver_timeline.hpp"
#include "support/made_traces.hpp"
#include "unit/export/formats/exported_text.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(ParaverTest, NeedsTimes) {
    SampleFile file("micro-user-4", TimingLevel::none);
    const TestDirectory directory;
    const std::string path = (directory / "out.prv").string();
    try {
        find_export_format("prv")->write(*file, path, {});
        FAIL() << "a file without times was converted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

/// Three processes, the second of which has no events, are three tasks with two threads each.
TEST(ParaverTest, ProcessesWithoutMpiAreTasks) {
    testing::MadeTrace trace(testing::kProcesses);
    testing::make_work(trace);
    const TestDirectory directory;
    const std::string folded = (directory / "in.tfold").string();
    trace.fold(folded);
    TraceFile file(folded);
    const std::string path = (directory / "out.prv").string();
    const ExportReport report = find_export_format("prv")->write(file, path, {});
    EXPECT_EQ(read_whole_file(path),
              "#Paraver (01/01/2000 at 00:00):100_ns:3(2,2,2):1:3(2:1,2:2,2:3),0\n"
              "1:1:1:1:1:0:100:1\n1:5:1:3:1:0:50:1\n"
              "2:1:1:1:1:0:60000019:1\n2:5:1:3:1:0:60000019:1\n"
              "1:2:1:1:2:20:60:1\n2:2:1:1:2:20:60000019:1\n"
              "2:5:1:3:1:50:60000019:0\n2:2:1:1:2:60:60000019:0\n"
              "2:1:1:1:1:100:60000019:0\n");
    const std::string rows = read_whole_file((directory / "out.row").string());
    EXPECT_NE(rows.find("LEVEL NODE SIZE 3\nprocess 0\nprocess 1\nprocess 2\n"), std::string::npos);
    EXPECT_EQ(read_whole_file((directory / "out.pcf").string()).find("MPI"), std::string::npos);
    EXPECT_EQ(report.total(ExportOutcome::dropped), 0U);
}

TEST(ParaverTest, HasAllMessages) {
    const ExportedText exported("npb-lu.S-4", "prv", TimingLevel::exact);
    u64 messages = 0;
    for (const std::string& line : exported.lines()) messages += line.starts_with("3:") ? 1 : 0;
    EXPECT_EQ(messages, 4520U);
    EXPECT_EQ(exported.report.contents().at("messages"), messages);
    EXPECT_EQ(exported.report.calls, 9581U);
}

/// Two locations, which are tasks 1 and 2.
std::string text_of(const ParaverTimeline& timeline, const TestDirectory& directory,
                    u64 records = 1000) {
    const std::string path = (directory / "timeline").string();
    TextFile out(path, true);
    const std::vector<ParaverPlace> places = {{1, 1, 1}, {2, 2, 1}};
    const ParaverTimeline::Parts parts = timeline.parts(2, records);
    for (std::size_t part = 0; part < parts.count(); ++part) {
        timeline.write(parts, part, places, out);
    }
    out.commit();
    return read_whole_file(path);
}

TEST(ParaverTimelineTest, WritesInTheOrderOfTime) {
    const TestDirectory directory;
    ParaverTimeline timeline(directory / ".");
    timeline.event(1, 20, 5, 6);
    timeline.event(1, 20, 7, 8, true);
    timeline.state(1, 20, 30, ParaverState::wait);
    timeline.state(1, 30, 30, ParaverState::running);
    timeline.event(0, 10, 5, 1);
    timeline.join_messages();
    EXPECT_EQ(text_of(timeline, directory),
              "2:1:1:1:1:10:5:1\n1:2:1:2:1:20:30:8\n2:2:1:2:1:20:5:6:7:8\n");
    EXPECT_EQ(timeline.end(), 30U);
}

TEST(ParaverTimelineTest, PartsMakeUpTheWhole) {
    const TestDirectory directory;
    ParaverTimeline timeline(directory / ".");
    for (u64 i = 0; i < 1000; ++i) {
        timeline.event(i % 2, i / 10, 5, i);
        timeline.event(i % 2, i / 10, 6, i, true);
        timeline.event(i % 2, i / 10, 7, i, true);
    }
    timeline.join_messages();
    EXPECT_EQ(timeline.parts(1, 10'000).count(), 1U);
    EXPECT_GT(timeline.parts(1, 100).count(), 20U);
    const std::string whole = text_of(timeline, directory, 10'000);
    EXPECT_EQ(std::ranges::count(whole, '\n'), 1000);
    EXPECT_EQ(text_of(timeline, directory, 100), whole);
}

TEST(ParaverTimelineTest, JoinsTheEndsOfMessages) {
    const TestDirectory directory;
    ParaverTimeline timeline(directory / ".");
    ParaverMessageEnd end{.sender = 0, .receiver = 1, .comm = 3, .tag = 9, .bytes = 64};
    const auto add = [&](u64 number, bool receives, u64 begin, u64 last) {
        end.number = number;
        end.receives = end.location = receives ? 1 : 0;
        end.begin = begin;
        end.end = last;
        timeline.message(end);
    };
    add(1, true, 5, 6);    // received before it is sent
    add(2, true, 30, 40);  // that nobody sends
    add(0, false, 3, 4);
    add(0, true, 2, 5);
    add(1, false, 7, 8);
    add(3, false, 50, 60);  // that nobody receives
    const ParaverTimeline::Messages messages = timeline.join_messages();
    EXPECT_EQ(messages.whole, 2U);
    EXPECT_EQ(messages.backwards, 1U);
    EXPECT_EQ(messages.never_sent, 1U);
    EXPECT_EQ(messages.never_received, 1U);
    EXPECT_EQ(text_of(timeline, directory),
              "3:1:1:1:1:3:3:2:1:2:1:2:5:64:9\n3:1:1:1:1:7:7:2:1:2:1:5:6:64:9\n");
}

}  // namespace
}  // namespace tracefold
