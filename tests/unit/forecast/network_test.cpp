// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/network.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(NetworkTest, KnownNetworksAreDescribedWithTheirSources) {
    ASSERT_EQ(known_networks().size(), 3U);
    for (const KnownNetwork& known : known_networks()) {
        const Network network = parse_network(known.json, std::string(known.name));
        EXPECT_EQ(network.name, known.name);
        EXPECT_FALSE(network.source.empty());
        const u32 node = network.node_level;
        EXPECT_GT(network.levels[node].link.latency, 0);
        EXPECT_GT(network.levels[node + 1].link.latency, network.levels[node].link.latency);
        EXPECT_EQ(network.adapters_per_node, 1U);
    }
}

TEST(NetworkTest, TimesAreSeconds) {
    const Network network = parse_network(
        R"({"name": "x", "rendezvous": 4096,
            "between_nodes": {"latency": 2e-6, "overhead": 1e-6, "gap": 3e-7, "per_byte": 1e-10,
                              "overhead_per_byte": 2e-11},
            "within_node": {"latency": 0, "overhead": 0, "per_byte": 0}})",
        "x.json");
    ASSERT_EQ(network.levels.size(), 2U);
    EXPECT_EQ(network.levels[1].link, (LinkParameters{2'000'000, 1'000'000, 300'000, 100, 20}));
    EXPECT_EQ(network.levels[0].link, LinkParameters{});
    EXPECT_EQ(network.adapters_per_node, 0U);
    EXPECT_EQ(network.rendezvous, 4096U);
}

TEST(NetworkTest, WhatDescribesNoNetworkIsRefused) {
    const std::string good = R"("latency": 1e-6, "overhead": 1e-6, "per_byte": 1e-10)";
    for (const std::string& text : std::vector<std::string>{
             "", "[]", "{", R"({"name": "x"})", R"({"name": 7, "between_nodes": {)" + good + "}}",
             R"({"name": "x", "between_nodes": {"latency": 1e-6}})",
             R"({"name": "x", "between_nodes": {)" + good + R"(, "speed": 1}})",
             R"({"name": "x", "between_nodes": {)" + good + R"(}, "rendezvous": -1})",
             R"({"name": "x", "between_nodes": {)" + good + R"(, "gap": -1e-9}})",
             R"({"name": "x", "between_nodes": {)" + good + R"(, "gap": 1e999}})",
             R"({"name": "x", "between_nodes": {)" + good + R"(, "gap": "1us"}})",
             R"({"name": "x", "between_nodes": {)" + good + R"(}, "extra": 1})"}) {
        EXPECT_THROW(parse_network(text, "x.json"), Error) << text;
    }
}

}  // namespace
}  // namespace tracefold
