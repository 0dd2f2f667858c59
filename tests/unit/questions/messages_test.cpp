// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/messages/messages.hpp"

#include "base/error.hpp"
#include "questions/profile/detail/efficiency.hpp"
#include "questions/timeline/view_messages.hpp"
#include "support/expect_error.hpp"
#include "support/sample_file.hpp"
#include "support/written_program.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

MessageRequest all_messages(TraceFile& file) {
    MessageRequest request;
    request.part.locations.assign(file.location_count(), true);
    return request;
}

Messages messages_of(TraceFile& file, const MessageRequest& request, u32 threads = 1) {
    FoundSteps steps(file);
    return find_messages(file, request, steps, threads);
}

Messages messages_of(TraceFile& file) { return messages_of(file, all_messages(file)); }

TEST(MessagesTest, KnowsBothCallsAndTheWait) {
    WrittenProgram program(2, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(rank == 0 ? 10000 : 1000);
        if (rank == 0) {
            recorder.send(1, 7, 64);
        } else {
            recorder.receive(0, 7, 64, 9100);
        }
    });
    const Messages found = messages_of(*program);
    ASSERT_EQ(found.list.size(), 1U);
    EXPECT_TRUE(found.has_times);
    EXPECT_EQ(found.unreceived, 0U);
    const Message& message = found.list.front();
    EXPECT_EQ(message.sent.location, 0U);
    EXPECT_EQ(message.sent.name, "MPI_Send");
    EXPECT_EQ(message.received.location, 1U);
    EXPECT_EQ(message.received.name, "MPI_Recv");
    EXPECT_EQ(message.bytes, 64U);
    EXPECT_EQ(message.tag, 7U);
    EXPECT_EQ(message.late, 9000U);
    EXPECT_EQ(message.sent.time.begin - message.received.time.begin, 9000U);
    EXPECT_EQ(message.received.time.length(), 9300U);
}

TEST(MessagesTest, KeepsMessagesThatNobodyReceives) {
    WrittenProgram program(2, [](EventRecorder& recorder, u64 rank) {
        if (rank == 0) recorder.send(1, 7, 64);
    });
    const Messages found = messages_of(*program);
    ASSERT_EQ(found.list.size(), 1U);
    EXPECT_EQ(found.unreceived, 1U);
    EXPECT_EQ(found.list.front().received.location, kNone);
    EXPECT_EQ(found.list.front().late, 0U);
}

TEST(MessagesTest, WithoutTimesThereAreNoWaits) {
    SampleFile file("npb-lu.S-4");
    const Messages found = messages_of(*file);
    EXPECT_FALSE(found.has_times);
    EXPECT_FALSE(found.list.empty());
    for (const Message& message : found.list) EXPECT_EQ(message.late, 0U);
    MessageRequest request = all_messages(*file);
    request.part.window = {0, 1};
    expect_error(ErrorKind::usage, "every time", [&] { messages_of(*file, request); });
}

TEST(MessagesTest, RefusesMoreThanTheLimit) {
    SampleFile file("npb-lu.S-4");
    MessageRequest request = all_messages(*file);
    request.most = 50;
    expect_error(ErrorKind::usage, "more than 50 messages;", [&] { messages_of(*file, request); });
}

TEST(MessagesTest, SelectsRanksStepsNamesAndTheLongestWaits) {
    SampleFile file("micro-stencil2d9p-isend-4", TimingLevel::exact);
    const Messages all = messages_of(*file);
    MessageRequest request = all_messages(*file);
    request.part.locations.assign(file->location_count(), false);
    request.part.locations[2] = true;
    request.part.has_step = [](u64 step) { return step == 4; };
    request.part.has_name = [](std::string_view name) { return name == "MPI_Isend"; };
    const auto wanted = std::ranges::count_if(all.list, [](const Message& it) {
        const bool is_of_rank = it.sent.location == 2 || it.received.location == 2;
        return is_of_rank && it.step == 4U && it.sent.name == "MPI_Isend";
    });
    EXPECT_GT(wanted, 0);
    EXPECT_EQ(messages_of(*file, request).list.size(), static_cast<std::size_t>(wanted));
    request = all_messages(*file);
    request.top = 3;
    const Messages top = messages_of(*file, request);
    ASSERT_EQ(top.list.size(), 3U);
    EXPECT_EQ(top.list.front().late, std::ranges::max_element(all.list, {}, &Message::late)->late);
    EXPECT_GE(top.list[0].late, top.list[1].late);
}

class SampleMessagesTest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Samples, SampleMessagesTest,
                         ::testing::Values("npb-lu.S-4", "micro-stencil2d9p-isend-4",
                                           "micro-anysrc-4", "micro-user-4", "micro-omphyb-4"),
                         sample_test_name<const char*>);

/// The longest wait of each receiving call is what efficiency books.
TEST_P(SampleMessagesTest, WaitsAreThoseOfEfficiency) {
    SampleFile file(GetParam(), TimingLevel::exact);
    std::map<std::pair<u32, u64>, u64> of_calls;
    for (const Message& message : messages_of(*file).list) {
        u64& late = of_calls[{message.received.location, message.received.call}];
        late = std::max(late, message.late);
    }
    u64 waited = 0;
    for (const auto& [call, late] : of_calls) waited += late;
    u64 booked = 0;
    for (const Efficiency::Wait& wait : trace_efficiency(*file).waits) {
        if (wait.kind == WaitKind::late_sender) booked += wait.ticks;
    }
    EXPECT_EQ(waited, booked);
}

/// The arrows of the timeline are the same messages.
TEST_P(SampleMessagesTest, EndsAreThoseOfTheTimeline) {
    using Ends = std::tuple<u32, u64, u32, u64, u64>;
    SampleFile file(GetParam(), TimingLevel::exact);
    std::multiset<Ends> found;
    for (const Message& it : messages_of(*file).list) {
        found.emplace(it.sent.location, it.sent.call, it.received.location, it.received.call,
                      it.bytes);
    }
    TraceView view(std::make_unique<TraceFile>(file.path(), GetParam()), std::size_t{1} << 24U);
    std::vector<u32> rows(view.rows().rows.size());
    std::iota(rows.begin(), rows.end(), 0U);
    const TickWindow whole{0, view.program_window(rows).end + 1};
    std::multiset<Ends> drawn;
    for (const ViewMessage& it : view_messages(view, rows, whole, ~u32{0}, ~u32{0}).messages) {
        drawn.emplace(view.rows().rows[it.sent.row].location, it.sent.call,
                      view.rows().rows[it.received.row].location, it.received.call, it.bytes);
    }
    EXPECT_EQ(found, drawn);
}

TEST_P(SampleMessagesTest, AnyNumberOfThreadsFindsTheSame) {
    SampleFile file(GetParam(), TimingLevel::exact);
    const auto table = [&](u32 threads) {
        std::ostringstream out;
        CsvTable csv(out);
        put_messages(*file, messages_of(*file, all_messages(*file), threads), csv);
        return out.str();
    };
    EXPECT_EQ(table(1), table(3));
}

}  // namespace
}  // namespace tracefold
