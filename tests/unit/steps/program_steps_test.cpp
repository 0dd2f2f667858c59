// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/program_steps.hpp"

#include "query/world_peers.hpp"
#include "support/sample_file.hpp"
#include "trace/call_reader.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Step = std::optional<u64>;

/// By sender, receiver and communicator: the steps of the messages in order.
using Ends = std::map<std::tuple<u32, u32, u64>, std::vector<Step>>;

struct Messages {
    Ends sent;
    Ends received;
};

Messages read_messages(TraceFile& file, const ProgramSteps& steps) {
    Messages messages;
    for (u32 location = 0; location < file.location_count(); ++location) {
        const auto rank = file.definitions().world_rank(file.definitions().locations()[location]);
        if (!rank || file.index().script(Stream::events, location) == kNone) continue;
        CallReader calls(file, location, Times::skip);
        StepCounter counter(steps.of(location));
        while (calls.next()) {
            counter.next();
            for (const RecordBatch::Head& head : calls.records().heads()) {
                const auto type = static_cast<EventType>(head.type);
                const bool sends = type == EventType::MpiSend || type == EventType::MpiIsend;
                if (!sends && type != EventType::MpiRecv && type != EventType::MpiIrecv) continue;
                const auto v = calls.records().values(head);
                const u64 comm = calls.tables().global(FieldKind::comm, v[1]);
                const u32 peer = world_peer(file.definitions(), comm, *rank, v[0]);
                if (sends) {
                    messages.sent[{*rank, peer, comm}].push_back(counter.step());
                } else {
                    messages.received[{peer, *rank, comm}].push_back(counter.step());
                }
            }
        }
    }
    return messages;
}

struct Known {
    const char* archive;
    u64 steps;
};

class ProgramStepsTest : public ::testing::TestWithParam<Known> {};

/// The number is that of the command line, and what is sent in a step is received in it.
TEST_P(ProgramStepsTest, MessagesStayInTheirStep) {
    SampleFile file(GetParam().archive);
    const auto steps = find_program_steps(*file);
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->count, GetParam().steps);
    const Messages messages = read_messages(*file, *steps);
    EXPECT_EQ(messages.sent, messages.received);
    EXPECT_FALSE(messages.sent.empty());
}

INSTANTIATE_TEST_SUITE_P(Samples, ProgramStepsTest,
                         ::testing::Values(Known{"micro-stencil2d9p-isend-4", 50},
                                           Known{"npb-lu.S-4", 50}),
                         [](const auto& tested) {
                             std::string name = tested.param.archive;
                             std::replace(name.begin(), name.end(), '-', '_');
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

TEST(ProgramStepsTest, ThereAreNoneInBenchmarksOfManyPhases) {
    for (const char* name : {"micro-rma-4"}) {
        SampleFile file(name);
        EXPECT_FALSE(find_program_steps(*file)) << name;
    }
}

}  // namespace
}  // namespace tracefold
