// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/timing_walk.hpp"

#include "base/error.hpp"
#include "forecast/network.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"
#include "support/written_program.hpp"

#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

// Ticks of these programs are nanoseconds, and every record comes 100 of them after the one before:
// 500 pass before the first barrier (two calls that reach nobody among them), 100 between any two
// calls, and 100 before MPI_Finalize.

constexpr i64 kNanosecond = 1000;  ///< picoseconds
constexpr i64 kMicrosecond = 1000 * kNanosecond;

LinkParameters link_with(i64 latency, i64 overhead = 0, i64 gap = 0, double per_byte = 0) {
    return {latency, overhead, gap, per_byte, 0};
}

/// Walks programs that are written down call by call.
class Walks {
  public:
    Walks(u64 ranks, const WrittenProgram::Rank& body) : program_(ranks, body), survey_(*program_) {
        request_.placement_of(place_ranks(*program_, 0));
    }

    WalkResult run(const std::vector<LinkParameters>& links, u64 rendezvous = Network::kNever) {
        request_.rendezvous = rendezvous;
        request_.scenarios.clear();
        for (const LinkParameters& link : links) request_.scenarios.push_back({{link, link}});
        CallTree tree;
        return walk_timing(*program_, survey_, request_, tree);
    }

    i64 time(const LinkParameters& link, u64 rendezvous = Network::kNever) {
        return run({link}, rendezvous).ends[0].clock.time;
    }

    /// The path by step in place of call path.
    std::vector<PathCost> path_by_step(const LinkParameters& link, const ProgramSteps& steps) {
        request_.scenarios = {{{link, link}}};
        request_.steps = &steps;
        CallTree tree;
        return walk_timing(*program_, survey_, request_, tree).path;
    }

  private:
    struct Request : WalkRequest {
        void placement_of(const Placement& placement) {
            levels = RankLevels({}, placement);
            counted = levels.outermost();
        }
    };

    WrittenProgram program_;
    CommunicationSurvey survey_;
    Request request_;
};

void ping_pong(EventRecorder& recorder, u64 rank, int rounds, u64 bytes) {
    for (int i = 0; i < rounds; ++i) {
        if (rank == 0) {
            recorder.send(1, 7, bytes);
            recorder.receive(1, 7, bytes);
        } else {
            recorder.receive(0, 7, bytes);
            recorder.send(0, 7, bytes);
        }
    }
}

constexpr i64 kRounds = 5;
constexpr i64 kBytes = 1001;

Walks ping_pongs() {
    return {2, [](EventRecorder& recorder, u64 rank) {
                return ping_pong(recorder, rank, kRounds, kBytes);
            }};
}

TEST(TimingWalkTest, APingPongTakesTwoLatenciesARound) {
    Walks walks = ping_pongs();
    // Each of the two barriers is a message in both directions at once.
    const WalkResult result = walks.run({link_with(10 * kMicrosecond)});
    // Before each send 100 ns pass on its rank; what passes before a receive is hidden by waiting.
    const i64 computation = (500 + 2 * 100 * kRounds + 100 + 100) * kNanosecond;
    EXPECT_EQ(result.ends[0].clock.time, computation + (2 * kRounds + 2) * 10 * kMicrosecond);
    EXPECT_EQ(result.ends[0].clock.latencies, u64{2 * kRounds + 2});
    EXPECT_EQ(result.traffic[1].messages, u64{2 * kRounds + 4});
}

TEST(TimingWalkTest, OverheadAndBytesAreChargedAtBothEnds) {
    Walks walks = ping_pongs();
    const i64 with_latency = walks.time(link_with(10 * kMicrosecond));
    const i64 overhead = 500 * kNanosecond;
    // Four in each round, two in the first barrier and three in the last one: what rank 1 sends
    // there comes when rank 0 is about to send, and is taken first.
    EXPECT_EQ(walks.time(link_with(10 * kMicrosecond, overhead)),
              with_latency + (4 * kRounds + 5) * overhead);
    // Bytes after the first one, when the message comes.
    EXPECT_EQ(walks.time(link_with(10 * kMicrosecond, 0, 0, 3.0)),
              with_latency + 2 * kRounds * 3 * (kBytes - 1));
}

TEST(TimingWalkTest, ADerivativeIsADifferenceQuotient) {
    Walks walks = ping_pongs();
    const LinkParameters link = link_with(10 * kMicrosecond, 500 * kNanosecond, 0, 3.0);
    const WalkResult at = walks.run({link});
    LinkParameters more = link;
    more.latency += 100;
    more.overhead += 10;
    more.per_byte += 1;
    const Clock& clock = at.ends[0].clock;
    EXPECT_EQ(walks.time(more), clock.time + static_cast<i64>(100 * clock.latencies +
                                                              10 * clock.overheads + clock.bytes));
}

TEST(TimingWalkTest, ScenariosOfOneWalkAreWalksOfTheirOwn) {
    Walks walks = ping_pongs();
    const std::vector<LinkParameters> links = {link_with(kMicrosecond), link_with(0),
                                               link_with(7 * kMicrosecond, 20, 30, 0.5)};
    const WalkResult together = walks.run(links);
    for (std::size_t i = 0; i < links.size(); ++i) {
        EXPECT_EQ(together.ends[i].clock.time, walks.time(links[i])) << i;
    }
}

TEST(TimingWalkTest, ATokenGoesRoundARing) {
    constexpr u64 kRanks = 4;
    Walks walks(kRanks, [](EventRecorder& recorder, u64 rank) {
        if (rank != 0) recorder.receive(rank - 1, 1, 8);
        recorder.send((rank + 1) % kRanks, 1, 8);
        if (rank == 0) recorder.receive(kRanks - 1, 1, 8);
    });
    const WalkResult result = walks.run({link_with(kMicrosecond)});
    // Four hops, and the two rounds of each barrier; rank 0 comes to the last one as the last.
    EXPECT_EQ(result.ends[0].clock.latencies, kRanks + 2 + 2);
    EXPECT_EQ(result.ends[0].clock.time,
              (500 + 100 * static_cast<i64>(kRanks) + 100 + 100) * kNanosecond +
                  static_cast<i64>(kRanks + 4) * kMicrosecond);
}

TEST(TimingWalkTest, APipelineShowsItsLatencyOnce) {
    constexpr int kBlocks = 10;
    Walks walks(2, [](EventRecorder& recorder, u64 rank) {
        for (int i = 0; i < kBlocks; ++i) {
            if (rank == 1) recorder.receive(0, 1, 8);
            recorder.compute(5000);
            if (rank == 0) recorder.send(1, 1, 8);
        }
    });
    const WalkResult result = walks.run({link_with(2 * kMicrosecond)});
    // A latency in each barrier and that of the pipeline.
    EXPECT_EQ(result.ends[0].clock.latencies, 3U);
}

TEST(TimingWalkTest, TheSlowestRankIsTheCriticalPath) {
    Walks walks(4, [](EventRecorder& recorder, u64 rank) { recorder.compute(10000 * rank); });
    const WalkResult result = walks.run({link_with(0)});
    EXPECT_EQ(result.ends[0].clock.time, (500 + 30000 + 100 + 100) * kNanosecond);
    i64 on_last = 0;
    for (const PathCost& cost : result.path) {
        EXPECT_EQ(cost.kind, CostKind::computation);
        if (cost.rank == 3) on_last += cost.time;
    }
    EXPECT_GE(on_last, 30000 * kNanosecond);
}

TEST(TimingWalkTest, ALargeMessageWaitsForItsReceive) {
    Walks walks(2, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(rank == 0 ? 0 : 50000);
        if (rank == 0) {
            recorder.send(1, 1, 1 << 20);
            recorder.compute(40000);
        } else {
            recorder.receive(0, 1, 1 << 20);
        }
    });
    // Rank 0 is done before rank 1, unless its send waits for 50 us.
    const i64 eager = walks.time(link_with(0));
    EXPECT_EQ(eager, (500 + 50100 + 100 + 100) * kNanosecond);
    EXPECT_EQ(walks.time(link_with(0), 4096), eager + 40000 * kNanosecond);
    EXPECT_EQ(walks.time(link_with(0), 1 << 20), eager);
}

/// Rank 0 sends to rank 3 once rank 1 takes its large message, 200 us after the beginning. What
/// comes from rank 2 later than that must not keep its processor busy before.
i64 time_with_a_message_sent_at(u64 nanoseconds) {
    constexpr u64 kLarge = 1 << 20;
    Walks walks(4, [nanoseconds](EventRecorder& recorder, u64 rank) {
        if (rank == 0) {
            recorder.send(1, 1, kLarge);
            recorder.send(3, 1, 8);
            recorder.receive(3, 1, 8);
            recorder.receive(2, 1, 8);
        } else if (rank == 1) {
            recorder.compute(200'000);
            recorder.receive(0, 1, kLarge);
        } else if (rank == 2) {
            recorder.compute(nanoseconds);
            recorder.send(0, 1, 8);
        } else {
            recorder.compute(130'000);
            recorder.send(0, 1, 8);
            recorder.receive(0, 1, 8);
            recorder.compute(1'000'000);
        }
    });
    return walks.time(link_with(50 * kMicrosecond, 10 * kMicrosecond), 4096);
}

TEST(TimingWalkTest, ASenderThatIsReleasedGoesOnBeforeLaterMessagesCome) {
    const i64 undisturbed = time_with_a_message_sent_at(400'000);
    EXPECT_EQ(time_with_a_message_sent_at(180'000), undisturbed);
    // What comes before does keep it busy.
    EXPECT_GT(time_with_a_message_sent_at(135'000), undisturbed);
}

TEST(TimingWalkTest, SendsThatWaitForEachOtherAreRefused) {
    Walks walks(2, [](EventRecorder& recorder, u64 rank) {
        recorder.send(1 - rank, 1, 1 << 20);
        recorder.receive(1 - rank, 1, 1 << 20);
    });
    EXPECT_NO_THROW(walks.time(link_with(0)));
    EXPECT_THROW(walks.time(link_with(0), 4096), Error);
}

void exchange_behind_computation(EventRecorder& recorder, u64 rank) {
    const u64 receive = recorder.irecv();
    const u64 send = recorder.isend(1 - rank, 1, 8);
    recorder.compute(20000);
    recorder.enter("MPI_Waitall");
    recorder.received(1 - rank, 1, 8, receive);
    recorder.sent(send);
    recorder.leave();
}

TEST(TimingWalkTest, ComputationHidesWhatIsNotWaitedFor) {
    Walks walks(2, exchange_behind_computation);
    const WalkResult hidden = walks.run({link_with(20 * kMicrosecond)});
    EXPECT_EQ(hidden.ends[0].clock.latencies, 2U);  // of the barriers
    // From the send to the wait 20.1 us pass.
    const WalkResult shown = walks.run({link_with(20200 * kNanosecond)});
    EXPECT_EQ(shown.ends[0].clock.latencies, 3U);
    EXPECT_EQ(shown.ends[0].clock.time - hidden.ends[0].clock.time,
              100 * kNanosecond + 2 * 200 * kNanosecond);
}

TEST(TimingWalkTest, AnAdapterSendsOneMessageAfterTheOther) {
    constexpr int kMessages = 4;
    Walks walks(2, [](EventRecorder& recorder, u64 rank) {
        for (int i = 0; i < kMessages; ++i) {
            if (rank == 0) {
                recorder.send(1, 1, 8);
            } else {
                recorder.receive(0, 1, 8);
            }
        }
    });
    // The last message begins three gaps after the first one; 300 ns of them pass anyway.
    const i64 gap = 50 * kMicrosecond;
    const WalkResult result = walks.run({link_with(0), link_with(0, 0, gap)});
    EXPECT_GE(result.ends[1].clock.time - result.ends[0].clock.time,
              (kMessages - 1) * gap - 300 * kNanosecond);
}

/// One call of rank 0 sends messages of these sizes to ranks 1, 2 and so on.
i64 time_of_scatter(std::span<const u64> sizes, const LinkParameters& link) {
    const auto ranks = static_cast<u32>(sizes.size() + 1);
    testing::MadeTrace trace({.ranks = ranks});
    for (const EventType type : {EventType::MpiIsend, EventType::MpiIsendComplete}) {
        const bool sends = type == EventType::MpiIsend;
        trace.record(0, 0, EventType::Enter,
                     {trace.region(sends ? "MPI_Startall" : "MPI_Waitall")});
        for (u64 to = 1; to < ranks; ++to) {
            if (sends) {
                trace.record(0, 0, type, {to, 0, 7, sizes[to - 1], to});
            } else {
                trace.record(0, 0, type, {to});
            }
        }
        trace.record(0, 0, EventType::Leave,
                     {trace.region(sends ? "MPI_Startall" : "MPI_Waitall")});
    }
    for (u32 rank = 1; rank < ranks; ++rank) {
        trace.call(rank, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 7, sizes[rank - 1]}}});
    }
    const TestDirectory directory;
    const std::string path = (directory / "scatter.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    const CommunicationSurvey survey(file);
    WalkRequest request;
    request.scenarios = {{{link, link}}};
    request.levels = RankLevels({}, place_ranks(file, 0));
    CallTree tree;
    return walk_timing(file, survey, request, tree).ends[0].clock.time;
}

/// The last message is the one that goes last, whatever sizes the others have.
TEST(TimingWalkTest, SendsThatWaitForTheAdapterGoInTheirOrder) {
    LinkParameters link = link_with(kMicrosecond, 0, 50 * kMicrosecond);
    link.overhead_per_byte = 1000;
    std::vector<u64> sizes;
    for (u64 messages = 1; messages <= 12; ++messages) {
        sizes.push_back(1 + 1000 * (messages * 7 % 13));
        // The rank computes before the first one.
        const i64 alone = time_of_scatter({&sizes.back(), 1}, link);
        EXPECT_EQ(time_of_scatter(sizes, link) - alone,
                  static_cast<i64>(messages - 1) * 50 * kMicrosecond)
            << messages;
    }
}

TEST(TimingWalkTest, ThePartsOfThePathAreTheRunTime) {
    Walks walks(4, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(777 * (rank + 1));
        ping_pong(recorder, rank % 2, rank < 2 ? 3 : 0, 5000);
        recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 64, 64);
    });
    const WalkResult result = walks.run({link_with(1234567, 76543, 99999, 0.731)});
    const i64 sum = std::accumulate(result.path.begin(), result.path.end(), i64{0},
                                    [](i64 all, const PathCost& cost) { return all + cost.time; });
    EXPECT_EQ(sum, result.ends[0].clock.time);
}

TEST(TimingWalkTest, TangentsMeetWhereAScanFindsABreak) {
    Walks walks(2, exchange_behind_computation);
    const auto at = [&walks](i64 latency) { return walks.run({link_with(latency)}).ends[0].clock; };
    const i64 near = kMicrosecond;
    const Clock low = at(near);
    const i64 far = 40 * kMicrosecond;
    const Clock high = at(far);
    ASSERT_EQ(low.latencies, 2U);
    ASSERT_EQ(high.latencies, 3U);
    const i64 meet = (low.time - high.time + 3 * far - 2 * near) / (3 - 2);
    // From the send to the wait 20.1 us pass.
    EXPECT_EQ(meet, 20100 * kNanosecond);
    std::vector<LinkParameters> scan;
    for (i64 latency = meet - 50; latency <= meet + 50; ++latency) {
        scan.push_back(link_with(latency));
    }
    const WalkResult result = walks.run(scan);
    for (std::size_t i = 0; i < scan.size(); ++i) {
        const Clock& clock = result.ends[i].clock;
        const i64 latency = scan[i].latency;
        // Where they meet both ways are as long, and a longer latency costs three.
        EXPECT_EQ(clock.latencies, latency < meet ? 2U : 3U) << latency;
        EXPECT_EQ(clock.time,
                  std::max(low.time + 2 * (latency - near), high.time - 3 * (far - latency)));
    }
}

/// What waits for a non-blocking operation goes on when that ends, even if nothing else happens.
TEST(TimingWalkTest, TheLastMessageEndsAnOperationThatIsWaitedFor) {
    constexpr u64 kBarrier = 0;
    constexpr u64 kNoRoot = 0xFFFFFFFF;
    testing::MadeTrace trace({});
    for (u32 rank = 0; rank < 2; ++rank) {
        trace.call(rank, "MPI_Ibarrier", {{EventType::NonBlockingCollectiveRequest, {1}}});
    }
    for (u32 rank = 0; rank < 2; ++rank) {
        trace.call(rank, "MPI_Wait",
                   {{EventType::NonBlockingCollectiveComplete, {kBarrier, 0, kNoRoot, 0, 0, 1}}});
    }
    const TestDirectory directory;
    const std::string path = (directory / "barrier.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    const CommunicationSurvey survey(file);
    WalkRequest request;
    // Longer than the program, so that all wait when the messages come.
    const LinkParameters link = link_with(i64{3600} * 1'000'000 * kMicrosecond);
    request.scenarios = {{{link, link}}};
    request.levels = RankLevels({}, place_ranks(file, 0));
    request.counted = 1;
    CallTree tree;
    const WalkResult result = walk_timing(file, survey, request, tree);
    EXPECT_EQ(result.ends[0].clock.latencies, 1U);
    EXPECT_EQ(result.calls, 4U);
}

/// A socket has 2 cores, a switch 2 nodes.
Network network_of_levels(const std::vector<LinkParameters>& links) {
    Network network;
    network.levels = {{"socket", links[0], 2, 0},
                      {"node", links[1], 0, 0},
                      {"switch", links[2], 0, 2},
                      {"system", links[3], 0, 0}};
    network.node_level = 1;
    return network;
}

struct OneMessage {
    u32 from = 0;
    u32 to = 0;
};

/// All messages, of 1001 B, are sent and awaited at once. Nodes have 4 ranks.
WalkResult walk_messages(const std::vector<OneMessage>& messages, const Network& network) {
    testing::MadeTrace trace({.ranks = 16});
    for (const auto& [from, to] : messages) {
        trace.timed_call(from, 100, 110, "MPI_Send", {{EventType::MpiSend, {to, 0, 7, 1001}}});
        trace.timed_call(to, 100, 110, "MPI_Recv", {{EventType::MpiRecv, {from, 0, 7, 1001}}});
    }
    const TestDirectory directory;
    const std::string path = (directory / "messages.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    const CommunicationSurvey survey(file);
    WalkRequest request;
    request.levels = RankLevels(network, place_ranks(file, 4));
    request.counted = request.levels.outermost();
    request.scenarios.resize(1);
    for (const NetworkLevel& level : network.levels)
        request.scenarios[0].links.push_back(level.link);
    CallTree tree;
    return walk_timing(file, survey, request, tree);
}

TEST(TimingWalkTest, AMessageTakesTheLinksOfItsLevel) {
    const Network free = network_of_levels(std::vector<LinkParameters>(4));
    const Network network =
        network_of_levels({link_with(kMicrosecond), link_with(10 * kMicrosecond),
                           link_with(100 * kMicrosecond), link_with(1000 * kMicrosecond)});
    const std::vector<std::pair<u32, i64>> latencies = {{1, 1},   {2, 10},  {3, 10},
                                                        {4, 100}, {7, 100}, {8, 1000}};
    for (const auto& [peer, latency] : latencies) {
        const WalkResult result = walk_messages({{0, peer}}, network);
        EXPECT_EQ(result.ends[0].clock.time - walk_messages({{0, peer}}, free).ends[0].clock.time,
                  latency * kMicrosecond)
            << peer;
        for (std::size_t level = 0; level < 4; ++level) {
            const bool is_its = network.levels[level].link.latency == latency * kMicrosecond;
            EXPECT_EQ(result.traffic[level].messages, is_its ? 1U : 0U);
            EXPECT_EQ(result.traffic[level].bytes, is_its ? 1001U : 0U);
        }
    }
}

/// 1 us of adapter time per byte: a message takes 1 ms.
TEST(TimingWalkTest, RanksOfANodeShareItsAdapters) {
    constexpr i64 kMessage = 1000 * kMicrosecond;
    const LinkParameters link = link_with(10 * kMicrosecond, 0, 0, kMicrosecond);
    Network network = network_of_levels({link, link, link, link});
    const auto time = [&](u32 adapters, const std::vector<OneMessage>& messages) {
        network.adapters_per_node = adapters;
        const WalkResult result = walk_messages(messages, network);
        const i64 path =
            std::accumulate(result.path.begin(), result.path.end(), i64{0},
                            [](i64 all, const PathCost& cost) { return all + cost.time; });
        EXPECT_EQ(path, result.ends[0].clock.time);
        return result.ends[0].clock.time;
    };
    const i64 alone = time(1, {{0, 4}});
    // Between nodes, one after the other, by as many adapters as there are.
    const std::vector<OneMessage> four = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
    EXPECT_EQ(time(0, four), alone);
    EXPECT_EQ(time(1, four), alone + 3 * kMessage);
    EXPECT_EQ(time(2, four), alone + kMessage);
    EXPECT_EQ(time(4, four), alone);
    // From several nodes to one: its adapter receives them one after the other.
    EXPECT_EQ(time(1, {{4, 0}, {8, 1}, {12, 2}}), alone + 2 * kMessage);
    // Both directions at once.
    EXPECT_EQ(time(1, {{0, 4}, {5, 1}}), alone);
    // Within a node no adapter is shared, nor does a message wait for the node's one.
    EXPECT_EQ(time(1, {{0, 1}, {2, 3}}), alone);
    EXPECT_EQ(time(1, {{0, 4}, {2, 3}}), alone);
}

TEST(TimingWalkTest, ThePathIsToldByStep) {
    constexpr u64 kSteps = 6;
    Walks walks(2, [](EventRecorder& recorder, u64 rank) {
        for (u64 step = 0; step < kSteps; ++step) {
            recorder.compute(rank == step % 2 ? 50000 : 10000);
            exchange_behind_computation(recorder, rank);
        }
    });
    // Each of them: Irecv, Isend, Waitall.
    ProgramSteps steps;
    steps.count = kSteps;
    const u64 first = 3;  // after MPI_Init, two calls that reach nobody
    for (u32 location = 0; location < 2; ++location) {
        LocationSteps& of_location = steps.locations.emplace_back();
        for (u64 step = 0; step < kSteps; ++step) of_location.begin(first + 3 * step);
        of_location.end(first + 3 * kSteps);
    }
    const LinkParameters link = link_with(kMicrosecond);
    const std::vector<PathCost> path = walks.path_by_step(link, steps);
    i64 all = 0;
    std::map<u32, i64> by_step;
    for (const PathCost& cost : path) {
        all += cost.time;
        by_step[cost.node] += cost.time;
    }
    EXPECT_EQ(all, walks.time(link));
    EXPECT_EQ(by_step.size(), kSteps + 1);
    for (u32 step = 0; step < kSteps; ++step) EXPECT_GE(by_step[step], 50000 * kNanosecond) << step;
}

TEST(TimingWalkTest, RunTimeIsConvexInTheLatency) {
    Walks walks(2, exchange_behind_computation);
    std::vector<LinkParameters> links;
    for (i64 i = 0; i < 40; ++i) links.push_back(link_with(i * kMicrosecond));
    const WalkResult result = walks.run(links);
    for (std::size_t i = 2; i < links.size(); ++i) {
        EXPECT_GE(result.ends[i].clock.time + result.ends[i - 2].clock.time,
                  2 * result.ends[i - 1].clock.time);
    }
}

}  // namespace
}  // namespace tracefold
