// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/call_profile.hpp"

#include "comm/agree.hpp"
#include "io/value_bytes.hpp"
#include "profile/inclusive_values.hpp"
#include "profile/row_exchange.hpp"

namespace tracefold {

namespace {

/// `mine`: of the nodes that this process owns, in rising order.
std::vector<NodeSummary> gather_summaries(Communicator& comm, const std::vector<u32>& owners,
                                          std::vector<NodeSummary> mine) {
    if (comm.size() == 1) return mine;
    ByteWriter out;
    ValueWriter write(out);
    for (const NodeSummary& summary : mine) write(summary);
    const std::vector<std::string> parts = comm.gather(out.bytes(), 0);
    if (comm.rank() != 0) return {};
    std::vector<ByteReader> readers;
    readers.reserve(parts.size());
    for (const std::string& part : parts) readers.emplace_back(part, "the values of a process");
    std::vector<NodeSummary> all(owners.size());
    for (u32 node = 0; node < owners.size(); ++node) {
        ValueReader read(readers[owners[node]]);
        read(all[node]);
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

    const std::vector<u32> depths = profile.tree.depths();
    const auto groups_of = [&](u32 node) {
        const bool has_groups = options.groups && depths[node] <= options.group_depth;
        return has_groups ? &*options.groups : nullptr;
    };
    InclusiveValues inclusive(comm, profile.tree, owners, rows, groups_of, input.kinds);
    agree(comm, [&] { inclusive.run(); });
    const ProfileCost cost{rows.nodes().size(), rows.peak_bytes(), inclusive.remote_children()};
    profile.costs = gather_costs(comm, cost);
    profile.nodes = gather_summaries(comm, owners, inclusive.take_summaries());
    return profile;
}

}  // namespace tracefold
