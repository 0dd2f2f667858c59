// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/timeline/view_messages.hpp"

#include "base/communicator.hpp"
#include "base/thread_team.hpp"
#include "unit/questions/timeline/unwound_lane.hpp"

#include <map>

namespace tracefold {
namespace {

constexpr u64 kMost = 1'000'000;
const std::vector<u32> kRows = {0, 1, 2, 3};

/// Bytes by row and call of every send, and how many receives were completed.
struct Traffic {
    std::map<std::pair<u32, u64>, u64> sends;
    u64 receives = 0;
};

Traffic traffic_of(TraceFile& file) {
    Traffic traffic;
    for (const u32 location : kRows) {
        CallReader calls(file, location, Times::skip);
        for (u64 call = 0; calls.next(); ++call) {
            const RecordSpan records = calls.records();
            for (std::size_t i = 0; i < records.size(); ++i) {
                const auto type = static_cast<EventType>(records[i].type);
                if (type == EventType::MpiSend || type == EventType::MpiIsend) {
                    traffic.sends[{location, call}] = records.values(records[i])[3];
                }
                if (type == EventType::MpiRecv || type == EventType::MpiIrecv) ++traffic.receives;
            }
        }
    }
    return traffic;
}

class ViewMessagesTest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Samples, ViewMessagesTest,
                         ::testing::Values("npb-lu.S-4", "micro-stencil2d9p-isend-4",
                                           "micro-anysrc-4"),
                         sample_test_name<const char*>);

TEST_P(ViewMessagesTest, EverySendHasItsReceive) {
    SampleFile file(GetParam(), TimingLevel::exact);
    const Traffic traffic = traffic_of(*file);
    ASSERT_EQ(traffic.sends.size(), traffic.receives);
    TraceView view(std::make_unique<TraceFile>(file.path(), GetParam()), kViewRoom);
    const TickWindow whole{0, view.program_window(kRows).end + 1};
    const ViewMessages found = view_messages(view, kRows, whole, kMost, kMost);
    EXPECT_FALSE(found.too_many);
    EXPECT_EQ(found.messages.size(), traffic.sends.size());
    for (const ViewMessage& message : found.messages) {
        const auto send = traffic.sends.find({message.sent.row, message.sent.call});
        ASSERT_NE(send, traffic.sends.end());
        EXPECT_EQ(message.bytes, send->second);
        ASSERT_NE(message.received.row, kNone);
        EXPECT_NE(message.received.row, message.sent.row);
        EXPECT_EQ(message.sent.ticks, view.lane(message.sent.row)->item(message.sent.call).begin);
        EXPECT_EQ(message.received.ticks,
                  view.lane(message.received.row)->item(message.received.call).end());
    }
}

TEST_P(ViewMessagesTest, AWindowHasItsPartOfThem) {
    SampleFile file(GetParam(), TimingLevel::exact);
    TraceView view(std::make_unique<TraceFile>(file.path(), GetParam()), kViewRoom);
    const TickWindow run = view.program_window(kRows);
    const ViewMessages all = view_messages(view, kRows, {0, run.end + 1}, kMost, kMost);
    std::map<std::pair<u32, u64>, const ViewMessage*> by_send;
    for (const ViewMessage& message : all.messages) {
        by_send[{message.sent.row, message.sent.call}] = &message;
    }
    std::mt19937_64 random(4);
    u64 seen = 0;
    for (int i = 0; i < 20; ++i) {
        const TickWindow window = random_window(random, run.begin, run.end);
        const ViewMessages found = view_messages(view, kRows, window, kMost, kMost);
        u64 sent = 0;
        for (const ViewMessage& message : all.messages) {
            sent += message.sent.ticks >= window.begin && message.sent.ticks <= window.end ? 1 : 0;
        }
        for (const ViewMessage& message : found.messages) {
            if (message.sent.row == kNone) continue;
            const bool inside =
                message.sent.ticks >= window.begin && message.sent.ticks <= window.end;
            sent -= inside ? 1 : 0;
            if (message.received.row == kNone) continue;
            const ViewMessage* wanted = by_send[{message.sent.row, message.sent.call}];
            ASSERT_NE(wanted, nullptr);
            EXPECT_EQ(message.received.row, wanted->received.row);
            EXPECT_EQ(message.received.call, wanted->received.call);
            ++seen;
        }
        EXPECT_EQ(sent, 0U) << i;
    }
    EXPECT_GT(seen, 20U);
}

/// One of them is not about all rows.
TEST_P(ViewMessagesTest, SeveralWindowsHaveWhatEachHasAlone) {
    SampleFile file(GetParam(), TimingLevel::exact);
    TraceView view(std::make_unique<TraceFile>(file.path(), GetParam()), kViewRoom);
    const TickWindow run = view.program_window(kRows);
    const u64 middle = run.begin + run.length() / 2;
    const std::vector<RowsWindow> parts = {{{0, middle}, kRows},
                                           {{middle, run.end}, {kRows[2], kRows[0]}},
                                           {{run.end, run.end + 1}, {}}};
    for (const u32 threads : {1U, 3U}) {
        SerialCommunicator comm;
        const std::vector<ViewMessages> found =
            view_messages(comm, view, parts, kMost, kMost, threads);
        ASSERT_EQ(found.size(), parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const ViewMessages alone =
                view_messages(view, parts[i].rows, parts[i].window, kMost, kMost);
            EXPECT_EQ(found[i].calls, alone.calls);
            ASSERT_EQ(found[i].messages.size(), alone.messages.size());
            for (std::size_t k = 0; k < alone.messages.size(); ++k) {
                EXPECT_EQ(found[i].messages[k].sent.call, alone.messages[k].sent.call);
                EXPECT_EQ(found[i].messages[k].received.call, alone.messages[k].received.call);
                EXPECT_EQ(found[i].messages[k].bytes, alone.messages[k].bytes);
            }
        }
    }
}

TEST_P(ViewMessagesTest, ProcessesShareTheRows) {
    SampleFile file(GetParam(), TimingLevel::exact);
    TraceView view(std::make_unique<TraceFile>(file.path(), GetParam()), kViewRoom);
    const TickWindow run = view.program_window(kRows);
    std::mt19937_64 random(5);
    for (int i = 0; i < 8; ++i) {
        const TickWindow window = random_window(random, run.begin, run.end);
        for (const u64 most_calls : {kMost, u64{300}}) {
            const ViewMessages alone = view_messages(view, kRows, window, kMost, most_calls);
            for (const u32 processes : {2U, 3U, 6U}) {
                ViewMessages found;
                run_as_team(processes, [&](Communicator& team) {
                    std::vector<ViewMessages> own =
                        view_messages(team, view, {{window, kRows}}, kMost, most_calls, 1);
                    if (team.rank() == 0) found = std::move(own.front());
                });
                EXPECT_EQ(found, alone) << i << ' ' << processes;
            }
        }
    }
}

TEST(ViewMessagesOfSamplesTest, TooManyAreSaidToBe) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    TraceView view(std::make_unique<TraceFile>(file.path(), "lu"), kViewRoom);
    const TickWindow whole{0, view.program_window(kRows).end + 1};
    const ViewMessages few = view_messages(view, kRows, whole, 10, kMost);
    EXPECT_TRUE(few.too_many);
    EXPECT_TRUE(few.messages.empty());
    EXPECT_TRUE(view_messages(view, kRows, whole, kMost, 100).too_many);
}

}  // namespace
}  // namespace tracefold
