// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "forecast/prediction.hpp"
#include "mpi/comm_world.hpp"
#include "support/sample_file.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

PredictionRequest request_for(TraceFile& file) {
    PredictionRequest request;
    request.placement = place_ranks(file, 0);
    for (const KnownNetwork& known : known_networks()) {
        request.networks.push_back(parse_network(known.json, std::string(known.name)));
    }
    return request;
}

void expect_same(const NetworkPrediction& found, const NetworkPrediction& wanted) {
    EXPECT_EQ(found.run_time, wanted.run_time);
    EXPECT_EQ(found.path.size(), wanted.path.size());
    ASSERT_EQ(found.tolerances.size(), wanted.tolerances.size());
    for (std::size_t i = 0; i < wanted.tolerances.size(); ++i) {
        EXPECT_EQ(found.tolerances[i].latency, wanted.tolerances[i].latency);
        EXPECT_EQ(found.tolerances[i].per_byte, wanted.tolerances[i].per_byte);
    }
    ASSERT_EQ(found.gains.size(), wanted.gains.size());
    for (std::size_t i = 0; i < wanted.gains.size(); ++i) {
        EXPECT_EQ(found.gains[i].gain, wanted.gains[i].gain);
    }
}

TEST(PredictMpiTest, EveryNumberOfProcessesSaysTheSame) {
    for (const char* name : {"npb-lu.S-4", "micro-anysrc-4"}) {
        SampleFile file(name, TimingLevel::exact);
        const PredictionRequest request = request_for(*file);
        SerialCommunicator serial;
        const Prediction alone = predict(serial, *file, request);
        const Prediction together = predict(test_world(), *file, request);
        ASSERT_EQ(together.networks.size(), alone.networks.size());
        for (std::size_t i = 0; i < alone.networks.size(); ++i) {
            expect_same(together.networks[i], alone.networks[i]);
        }
    }
}

}  // namespace
}  // namespace tracefold
