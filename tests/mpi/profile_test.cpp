// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// Profiles worked out by several processes, compared with one process and with plain sums.
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "mpi/comm_world.hpp"
#include "questions/profile/detail/call_profile.hpp"
#include "support/synthetic_profile.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kNodes = 203;
constexpr u32 kLocations = 13;
constexpr NodeOrder kOrders[] = {NodeOrder::breadth_first, NodeOrder::round_robin,
                                 NodeOrder::random, NodeOrder::deepest_chain};

ProfileInput shared_input(Communicator& comm, u32 nodes = kNodes) {
    return synthetic_profile(nodes, kLocations, kStoredMetrics, static_cast<u32>(comm.rank()),
                             static_cast<u32>(comm.size()));
}

LocationGroups three_groups() {
    LocationGroups groups;
    groups.count = 3;
    for (u32 location = 0; location < kLocations; ++location) {
        groups.of_location.push_back(location % 3);
    }
    return groups;
}

ProfileOptions options_of(NodeOrder order) {
    ProfileOptions options;
    options.order = order;
    options.groups = three_groups();
    options.group_depth = 2;
    return options;
}

TEST(ProfileTest, IsTheSameForEveryOrderAndNumberOfProcesses) {
    Communicator& comm = test_world();
    SerialCommunicator one;
    const CallProfile alone =
        compute_call_profile(one, synthetic_profile(kNodes, kLocations, kStoredMetrics, 0, 1),
                             options_of(NodeOrder::breadth_first));
    for (const NodeOrder order : kOrders) {
        const CallProfile profile =
            compute_call_profile(comm, shared_input(comm), options_of(order));
        if (comm.rank() == 0) {
            EXPECT_EQ(profile.nodes, alone.nodes) << order_name(order);
        } else {
            EXPECT_TRUE(profile.nodes.empty());
        }
    }
}

TEST(ProfileTest, InclusiveValuesAreTheSumOfTheExclusiveOnesBelow) {
    Communicator& comm = test_world();
    const CallProfile profile =
        compute_call_profile(comm, shared_input(comm), options_of(NodeOrder::random));
    if (comm.rank() != 0) return;
    for (std::size_t i = 0; i < kProfileMetrics; ++i) {
        const auto metric = static_cast<ProfileMetric>(i);
        std::vector<u64> sums(kNodes);
        for (u32 node = kNodes; node-- > 0;) {
            sums[node] += profile.moments(node, metric, false).total().value();
            EXPECT_EQ(profile.moments(node, metric, true).total(), sums[node]);
            EXPECT_EQ(profile.moments(node, metric, true).count(), kLocations);
            if (node > 0) sums[profile.tree[node].parent] += sums[node];
        }
    }
}

TEST(ProfileTest, GroupsAreSumsOfTheirLocations) {
    Communicator& comm = test_world();
    const CallProfile profile =
        compute_call_profile(comm, shared_input(comm), options_of(NodeOrder::round_robin));
    if (comm.rank() != 0) return;
    for (u32 node = 0; node < kNodes; ++node) {
        const auto groups = profile.nodes[node].exclusive.groups(ProfileMetric::visits);
        if (profile.tree[node].depth > 2) {
            EXPECT_TRUE(groups.empty());
            continue;
        }
        ASSERT_EQ(groups.size(), 3U);
        for (u32 group = 0; group < 3; ++group) {
            u64 sum = 0;
            for (u32 location = group; location < kLocations; location += 3) {
                sum += synthetic_values(node, location, kStoredMetrics).values[0];
            }
            EXPECT_EQ(groups[group], sum);
        }
    }
}

TEST(ProfileTest, RowsComeDepthFirstWithTheExclusiveValues) {
    Communicator& comm = test_world();
    ProfileOptions options = options_of(NodeOrder::random);
    u32 next = 0;
    options.rows = [&next](u32 node, const ProfileOptions::Rows& rows) {
        EXPECT_EQ(node, next++);
        for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
            for (u32 location = 0; location < kLocations; ++location) {
                const u64 value = rows[metric].empty() ? 0 : rows[metric][location];
                EXPECT_EQ(value, synthetic_values(node, location, kStoredMetrics).values[metric]);
            }
        }
    };
    compute_call_profile(comm, shared_input(comm), options);
    EXPECT_EQ(next, comm.rank() == 0 ? kNodes : 0);
}

TEST(ProfileTest, NobodyOwnsMoreThanItsShare) {
    Communicator& comm = test_world();
    const auto processes = static_cast<u64>(comm.size());
    for (const NodeOrder order : kOrders) {
        const CallProfile profile =
            compute_call_profile(comm, shared_input(comm), options_of(order));
        ASSERT_EQ(profile.costs.size(), processes);
        u64 nodes = 0;
        for (const ProfileCost& cost : profile.costs) {
            nodes += cost.nodes;
            EXPECT_LE(cost.nodes, kNodes / processes + 1);
            // A node gets rows of those metrics that only its children have.
            EXPECT_LE(cost.row_bytes, cost.nodes * kStoredMetrics * kLocations * sizeof(u64));
            EXPECT_TRUE(processes > 1 || cost.remote_children == 0);
        }
        EXPECT_EQ(nodes, kNodes);
    }
}

TEST(ProfileTest, MoreProcessesThanNodesAndAnEmptyTree) {
    Communicator& comm = test_world();
    for (const u32 nodes : {1U, 3U}) {
        const CallProfile profile =
            compute_call_profile(comm, shared_input(comm, nodes), options_of(NodeOrder::random));
        if (comm.rank() == 0) {
            EXPECT_EQ(profile.nodes.size(), nodes);
        }
    }
    ProfileInput empty;
    empty.locations = 2;
    empty.produce = [](const LocationSink&) {};
    EXPECT_TRUE(compute_call_profile(comm, std::move(empty), {}).nodes.empty());
}

TEST(ProfileTest, AFailureOfOneProcessEndsAll) {
    Communicator& comm = test_world();
    ProfileInput input = shared_input(comm);
    input.produce = [&comm, inner = std::move(input.produce)](const LocationSink& sink) {
        inner(sink);
        if (comm.rank() == comm.size() - 1) throw Error(ErrorKind::corrupt, "bad location");
    };
    EXPECT_THROW(compute_call_profile(comm, std::move(input), {}), Error);

    ProfileOptions options;
    options.rows = [](u32 node, const ProfileOptions::Rows&) {
        if (node == 5) throw Error(ErrorKind::io, "disk full");
    };
    EXPECT_THROW(compute_call_profile(comm, shared_input(comm), options), Error);
}

}  // namespace
}  // namespace tracefold
