// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "support/written_program.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

Network network_with(i64 latency, double per_byte = 0) {
    Network network;
    network.name = "test";
    for (NetworkLevel& level : network.levels) {
        level.link.latency = latency;
        level.link.per_byte = per_byte;
    }
    return network;
}

Prediction predict_program(WrittenProgram& program, PredictionRequest request) {
    SerialCommunicator alone;
    request.placement = place_ranks(*program, 0);
    return predict(alone, *program, request);
}

/// 100 us of computation hide a message of 8 B.
void hide_a_message(EventRecorder& recorder, u64 rank) {
    const u64 receive = recorder.irecv();
    const u64 send = recorder.isend(1 - rank, 1, 8);
    recorder.compute(100000);
    recorder.enter("MPI_Waitall");
    recorder.received(1 - rank, 1, 8, receive);
    recorder.sent(send);
    recorder.leave();
}

TEST(PredictionTest, ToleranceIsWhereTheRunTakesSoMuchLonger) {
    WrittenProgram program(2, hide_a_message);
    PredictionRequest request;
    request.networks = {network_with(1'000'000)};
    request.slowdowns = {0.01, 0.5, 4};
    const Prediction prediction = predict_program(program, request);
    const NetworkPrediction& it = prediction.networks.front();
    ASSERT_EQ(it.tolerances.size(), 3U);
    for (const auto& tolerance : it.tolerances) {
        ASSERT_TRUE(tolerance.latency);
        PredictionRequest there;
        there.networks = {network_with(std::llround(*tolerance.latency * kPicosecondsPerSecond))};
        const double run_time = predict_program(program, there).networks.front().run_time;
        EXPECT_NEAR(run_time, it.run_time * (1 + tolerance.slowdown), 1e-11);
    }
    // Up to 100.1 us the message is hidden, and there are two barriers: by hand.
    const double first = it.run_time * 0.01 / 2 + 1e-6;
    EXPECT_NEAR(*it.tolerances[0].latency, first, 1e-11);
}

TEST(PredictionTest, AGainIsWhatASecondWalkSays) {
    WrittenProgram program(
        2, [](EventRecorder& recorder, u64 rank) { recorder.compute(rank == 0 ? 60000 : 50000); });
    PredictionRequest request;
    request.networks = {network_with(0)};
    request.faster = [](const std::string& path) { return path == "program" ? 2.0 : 1.0; };
    const Prediction prediction = predict_program(program, request);
    const NetworkPrediction& it = prediction.networks.front();
    ASSERT_FALSE(it.gains.empty());
    EXPECT_DOUBLE_EQ(it.gains.front().gain, it.run_time - *it.faster_run_time);
    EXPECT_NEAR(it.gains.front().gain, it.gains.front().on_path / 2, 1e-12);
}

TEST(PredictionTest, DelaysCauseWhatOthersWait) {
    // Rank 0 computes 10 us longer than rank 1, which passes the delay on to rank 2.
    WrittenProgram program(3, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(rank == 0 ? 60000 : 50000);
        if (rank > 0) recorder.receive(rank - 1, 1, 8);
        if (rank < 2) recorder.send(rank + 1, 1, 8);
    });
    PredictionRequest request;
    request.networks = {network_with(0)};
    request.delays = true;
    const NetworkPrediction it = predict_program(program, request).networks.front();
    double all = 0;
    double direct = 0;
    double propagated = 0;
    for (const DelayCost& cost : it.delays) {
        all += cost.direct + cost.propagated;
        if (cost.rank != 0 || cost.kind != CostKind::computation) continue;
        direct += cost.direct;
        propagated += cost.propagated;
    }
    EXPECT_NEAR(all * 1e-12, it.waited, 1e-15);
    EXPECT_NEAR(direct * 1e-12, 10e-6, 0.3e-6);
    EXPECT_NEAR(propagated * 1e-12, 10e-6, 0.3e-6);
    request.delays = false;
    EXPECT_TRUE(predict_program(program, request).networks.front().delays.empty());
}

TEST(PredictionTest, OnAnIdealNetworkOnlyComputationIsLeft) {
    WrittenProgram program(2, hide_a_message);
    PredictionRequest request;
    request.networks = {network_with(50'000'000, 7)};
    const Prediction prediction = predict_program(program, request);
    EXPECT_DOUBLE_EQ(*prediction.networks.front().ideal_run_time,
                     (500 + 100 + 100 + 100 + 100000 + 100 + 100) * 1e-9);
}

TEST(PredictionTest, MatricesThatTheRunDisprovesExchangeNoMessages) {
    // In turns a rank is late, and the others do not wait for it.
    const auto body = [](u64 waited) {
        return [waited](EventRecorder& recorder, u64 rank) {
            for (u64 turn = 0; turn < 3; ++turn) {
                recorder.compute(rank == turn ? 50000 : 0);
                recorder.collective("MPI_Alltoallv", static_cast<u64>(CollectiveKind::alltoallv), 8,
                                    8, rank == turn ? 0 : waited);
            }
        };
    };
    PredictionRequest request;
    request.networks = {network_with(1000)};
    WrittenProgram sparse(3, body(0));
    const Prediction independent = predict_program(sparse, request);
    EXPECT_EQ(independent.empty_matrices.calls, 9U);
    ASSERT_TRUE(independent.networks.front().ideal_run_time.has_value());
    EXPECT_LE(*independent.networks.front().ideal_run_time, independent.recorded_run_time);
    WrittenProgram full(3, body(50000));
    const Prediction synchronised = predict_program(full, request);
    EXPECT_EQ(synchronised.empty_matrices.calls, 0U);
    EXPECT_GT(synchronised.networks.front().run_time, 150000e-9);
}

TEST(PredictionTest, CallsThatNeverHaveARecordAreRefused) {
    WrittenProgram program(2, [](EventRecorder& recorder, u64) {
        recorder.enter("MPI_Start");
        recorder.leave();
    });
    PredictionRequest request;
    request.networks = {network_with(1000)};
    EXPECT_THROW(predict_program(program, request), Error);
}

/// A ring in which one rank is late: messages that come in another order shorten the run.
TEST(PredictionTest, LatenciesThatChangeTheOrderOfEventsAreListed) {
    WrittenProgram program(4, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(rank == 2 ? 5000 : 0);
        for (u64 turn = 0; turn < 20; ++turn) {
            const u64 receive = recorder.irecv();
            const u64 send = recorder.isend((rank + 1) % 4, 1, 8);
            recorder.enter("MPI_Waitall");
            recorder.received((rank + 3) % 4, 1, 8, receive);
            recorder.sent(send);
            recorder.leave();
        }
    });
    PredictionRequest request;
    request.networks = {network_with(2'000'000)};
    for (NetworkLevel& level : request.networks.front().levels) level.link.overhead = 1'000'000;
    const NetworkPrediction it = predict_program(program, request).networks.front();
    for (const NetworkPrediction::Reordering& at : it.reorderings) {
        PredictionRequest there = request;
        for (NetworkLevel& level : there.networks.front().levels) {
            level.link.latency = std::llround(at.latency * kPicosecondsPerSecond);
        }
        EXPECT_DOUBLE_EQ(predict_program(program, there).networks.front().run_time, at.reordered);
        EXPECT_GT(std::abs(at.reordered - at.held), 0.005 * at.held);
    }
    EXPECT_FALSE(it.reorderings.empty());
}

TEST(PredictionTest, CurvesRiseWithTheirDerivatives) {
    WrittenProgram program(2, hide_a_message);
    PredictionRequest request;
    request.networks = {network_with(30'000'000)};
    const Prediction prediction = predict_program(program, request);
    const auto& curve = prediction.networks.front().over_latency;
    ASSERT_GE(curve.size(), 4U);
    for (std::size_t i = 1; i < curve.size(); ++i) {
        EXPECT_GE(curve[i].gradient, curve[i - 1].gradient);
        const double slope =
            (curve[i].run_time - curve[i - 1].run_time) / (curve[i].value - curve[i - 1].value);
        EXPECT_GE(slope, static_cast<double>(curve[i - 1].gradient) - 1e-6);
        EXPECT_LE(slope, static_cast<double>(curve[i].gradient) + 1e-6);
    }
}

/// Rank 0 receives from the others in an order that no program computes.
void receive_from_any(EventRecorder& recorder, u64 rank, const std::vector<u64>& sources) {
    for (const u64 source : sources) {
        if (rank == 0) recorder.receive(source, 5, 8);
        if (rank == source) recorder.send(0, 5, 8);
    }
}

TEST(PredictionTest, ReceivesOfAnySourceAreListedWithTheirTime) {
    const std::vector<u64> irregular = {1, 3, 3, 2, 1, 1, 2, 3, 1, 2, 2, 2, 3, 1, 3, 2, 1, 3, 3, 1};
    const std::vector<u64> regular = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2};
    for (const auto& sources : {irregular, regular}) {
        WrittenProgram program(4, [&sources](EventRecorder& recorder, u64 rank) {
            receive_from_any(recorder, rank, sources);
        });
        PredictionRequest request;
        request.networks = {network_with(1'000'000)};
        const UnmodelledByKind held = predict_program(program, request).held_order;
        ASSERT_EQ(held.size(), sources == irregular ? 1U : 0U);
        if (held.empty()) continue;
        EXPECT_EQ(held.begin()->first, "receives of any source");
        EXPECT_EQ(held.begin()->second.calls, irregular.size());
        // Ranks write a record every 100 ns: Enter, MpiRecv, Leave.
        EXPECT_NEAR(held.begin()->second.seconds, 20 * 200e-9, 1e-12);
    }
}

TEST(PredictionTest, WithoutTimesNothingIsPredicted) {
    WrittenProgram program(2, hide_a_message, TimingLevel::none);
    PredictionRequest request;
    request.networks = {network_with(0)};
    EXPECT_THROW(predict_program(program, request), Error);
}

}  // namespace
}  // namespace tracefold
