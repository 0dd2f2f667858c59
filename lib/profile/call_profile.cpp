// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/call_profile.hpp"

#include "comm/agree.hpp"
#include "profile/inclusive_values.hpp"
#include "profile/row_exchange.hpp"

namespace tracefold {

namespace {

/// Of the nodes that this process owns, in rising order.
std::string summaries_to_bytes(const std::vector<NodeSummary>& summaries) {
    ByteWriter out;
    for (const NodeSummary& summary : summaries) {
        summary.exclusive.write(out);
        summary.inclusive.write(out);
    }
    return out.take();
}

std::vector<NodeSummary> gather_summaries(Communicator& comm, const std::vector<u32>& owners,
                                          const std::vector<NodeSummary>& mine,
                                          const std::vector<u32>& group_counts) {
    const std::vector<std::string> parts = comm.gather(summaries_to_bytes(mine), 0);
    if (comm.rank() != 0) return {};
    std::vector<ByteReader> readers;
    readers.reserve(parts.size());
    for (const std::string& part : parts) readers.emplace_back(part, "the values of a process");
    std::vector<NodeSummary> all(owners.size());
    for (u32 node = 0; node < owners.size(); ++node) {
        ByteReader& in = readers[owners[node]];
        all[node].exclusive = MetricSummary::read(in, group_counts[node]);
        all[node].inclusive = MetricSummary::read(in, group_counts[node]);
    }
    return all;
}

std::vector<ProfileCost> gather_costs(Communicator& comm, const ProfileCost& mine) {
    const std::vector<u64> nodes = comm.all_gather(mine.nodes);
    const std::vector<u64> bytes = comm.all_gather(mine.row_bytes);
    const std::vector<u64> remote = comm.all_gather(mine.remote_children);
    std::vector<ProfileCost> all;
    for (std::size_t i = 0; i < nodes.size(); ++i) all.push_back({nodes[i], bytes[i], remote[i]});
    return all;
}

}  // namespace

Moments CallProfile::moments(u32 node, ProfileMetric metric, bool inclusive) const {
    const MetricSummary& values = inclusive ? nodes[node].inclusive : nodes[node].exclusive;
    if (const Moments* found = values.moments(metric)) return *found;
    Moments zeros;
    zeros.add(0, locations);
    return zeros;
}

CallProfile compute_call_profile(Communicator& comm, ProfileInput input,
                                 const ProfileOptions& options) {
    CallProfile profile;
    profile.tree = std::move(input.tree);
    profile.locations = input.locations;
    const std::vector<u32> owners =
        node_owners(profile.tree, options.order, static_cast<u32>(comm.size()));
    NodeRows rows(owners, static_cast<u32>(comm.rank()), input.locations);
    agree(comm, [&] { distribute_rows(comm, owners, input.produce, rows); });
    if (options.rows) agree(comm, [&] { collect_rows(comm, owners, rows, options.rows); });

    std::vector<u32> group_counts(profile.tree.size(), 0);
    const std::vector<u32> depths = profile.tree.depths();
    for (u32 node = 0; options.groups && node < depths.size(); ++node) {
        if (depths[node] <= options.group_depth) group_counts[node] = options.groups->count;
    }
    const auto groups_of = [&](u32 node) {
        return group_counts[node] == 0 ? nullptr : &*options.groups;
    };
    InclusiveValues inclusive(comm, profile.tree, owners, rows, groups_of);
    agree(comm, [&] { inclusive.run(); });
    const ProfileCost cost{rows.nodes().size(), rows.peak_bytes(), inclusive.remote_children()};
    profile.costs = gather_costs(comm, cost);
    profile.nodes = gather_summaries(comm, owners, inclusive.summaries(), group_counts);
    return profile;
}

}  // namespace tracefold
