// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/call_profile.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "questions/profile/detail/node_rows.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <numeric>

namespace tracefold {

namespace {

std::vector<u32> breadth_first(const CallTree& tree) {
    std::vector<u32> order(tree.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&tree](u32 a, u32 b) { return tree[a].depth < tree[b].depth; });
    return order;
}

/// Assigns the n-th node to process n modulo their number.
std::vector<u32> round_robin(const CallTree& tree, u32 processes) {
    std::vector<u32> order;
    for (u32 first = 0; first < processes; ++first) {
        for (u32 node = first; node < tree.size(); node += processes) order.push_back(node);
    }
    return order;
}

/// Uses its own generator: standard libraries differ in theirs.
std::vector<u32> shuffled(const CallTree& tree) {
    std::vector<u32> order(tree.size());
    std::iota(order.begin(), order.end(), 0U);
    u64 state = 0x853C49E6748FEA9BU;
    for (u32 left = tree.size(); left > 1; --left) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        std::swap(order[left - 1], order[(state >> 33U) % left]);
    }
    return order;
}

/// Order by chains: a node continues its parent's chain if it is the child with the most levels
/// below it, else it begins a chain.
std::vector<u32> chains(const CallTree& tree) {
    std::vector<u32> height(tree.size(), 1);
    std::vector<u32> next(tree.size(), kNone);
    for (u32 node = tree.size(); node-- > 0;) {
        const u32 parent = tree[node].parent;
        if (parent == kNone || height[node] + 1 < height[parent]) continue;
        height[parent] = height[node] + 1;
        next[parent] = node;
    }
    std::vector<u32> heads;
    for (u32 node = 0; node < tree.size(); ++node) {
        const u32 parent = tree[node].parent;
        if (parent == kNone || next[parent] != node) heads.push_back(node);
    }
    std::stable_sort(heads.begin(), heads.end(),
                     [&height](u32 a, u32 b) { return height[a] > height[b]; });
    std::vector<u32> order;
    for (const u32 head : heads) {
        for (u32 node = head; node != kNone; node = next[node]) order.push_back(node);
    }
    return order;
}

std::vector<u32> ordered(const CallTree& tree, NodeOrder order, u32 processes) {
    switch (order) {
        case NodeOrder::breadth_first:
            return breadth_first(tree);
        case NodeOrder::round_robin:
            return round_robin(tree, processes);
        case NodeOrder::random:
            return shuffled(tree);
        case NodeOrder::deepest_chain:
            break;
    }
    return chains(tree);
}

}  // namespace

std::string_view order_name(NodeOrder order) {
    constexpr std::array<std::string_view, 4> kNames = {"breadth-first", "round-robin", "random",
                                                        "deepest-chain"};
    return kNames[static_cast<std::size_t>(order)];
}

std::vector<u32> node_owners(const CallTree& tree, NodeOrder order, u32 processes) {
    std::vector<u32> owners(tree.size(), 0);
    const std::vector<u32> nodes = ordered(tree, order, processes);
    for (u64 place = 0; place < nodes.size(); ++place) {
        owners[nodes[place]] = static_cast<u32>(place * processes / nodes.size());
    }
    return owners;
}

/// Sends the values of locations to the owners of their nodes. Collective; throws what `produce`
/// throws, after all messages have arrived. Cost: transfers every value once.
void distribute_rows(Communicator& comm, const std::vector<u32>& owners,
                     const std::function<void(const LocationSink&)>& produce, NodeRows& rows);

/// Passes the rows of all nodes to `sink` on process 0, depth first. Collective; throws what `sink`
/// throws, after all rows have arrived. Memory: one node's rows.
void collect_rows(Communicator& comm, const std::vector<u32>& owners, const NodeRows& rows,
                  const std::function<void(u32 node, const ProfileOptions::Rows& rows)>& sink);

namespace {

/// `mine`: summaries of the nodes that this process owns, ascending.
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

    const auto groups_of = [&](u32 node) {
        const bool has_groups = options.groups && profile.tree[node].depth <= options.group_depth;
        return has_groups ? &*options.groups : nullptr;
    };
    InclusiveValues inclusive(comm, profile.tree, owners, rows, groups_of, input.kinds);
    agree(comm, [&] { inclusive.run(); });
    const ProfileCost cost{rows.nodes().size(), rows.peak_bytes(), inclusive.remote_children()};
    profile.costs = gather_costs(comm, cost);
    profile.nodes = gather_summaries(comm, owners, inclusive.take_summaries());
    return profile;
}

namespace {

constexpr std::size_t kMessageBytes = std::size_t{256} << 10U;

/// Sends values of locations to each owner in batches: location, number of nodes, and per node its
/// number, a mask of metrics, and their values.
class ValueSender {
  public:
    ValueSender(Communicator& comm, const std::vector<u32>& owners, NodeRows& rows)
        : me_(static_cast<u32>(comm.rank())),
          owners_(owners),
          rows_(rows),
          out_(static_cast<std::size_t>(comm.size())),
          exchange_(comm, [this](int, std::string_view bytes) { take(bytes); }) {}

    void pass(u32 location, std::span<const NodeValues> values) {
        for (const NodeValues& node : values) {
            const u32 owner = owners_[node.node];
            if (owner == me_) {
                rows_.add(node.node, location, node.values);
            } else {
                put(location, node, owner);
            }
        }
        exchange_.progress();
    }

    void flush() {
        for (u32 owner = 0; owner < out_.size(); ++owner) {
            if (out_[owner].size() > 0) flush(owner);
        }
    }

    void finish() { exchange_.finish(); }

  private:
    void put(u32 location, const NodeValues& node, u32 owner) {
        ByteWriter& out = out_[owner];
        u32 mask = 0;
        for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
            if (node.values[metric] != 0) mask |= 1U << metric;
        }
        out.put_varint(location);
        out.put_varint(node.node);
        out.put_varint(mask);
        for (const u64 value : node.values) {
            if (value != 0) out.put_varint(value);
        }
        if (out.size() >= kMessageBytes) flush(owner);
    }

    void flush(u32 owner) { exchange_.send(static_cast<int>(owner), out_[owner].take()); }

    void take(std::string_view bytes) {
        ByteReader in(bytes, "a message with values");
        while (in.remaining() > 0) {
            const u32 location = in.get_u32();
            const u32 node = in.get_u32();
            const u32 mask = in.get_u32();
            MetricValues values{};
            for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
                if ((mask >> metric & 1U) != 0) values[metric] = in.get_varint();
            }
            rows_.add(node, location, values);
        }
    }

    u32 me_;
    const std::vector<u32>& owners_;
    NodeRows& rows_;
    std::vector<ByteWriter> out_;  ///< by owner
    MessageExchange exchange_;
};

ProfileOptions::Rows rows_of(const NodeRows& rows, u32 node) {
    ProfileOptions::Rows all;
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        all[metric] = rows.row(node, metric);
    }
    return all;
}

}  // namespace

void distribute_rows(Communicator& comm, const std::vector<u32>& owners,
                     const std::function<void(const LocationSink&)>& produce, NodeRows& rows) {
    ValueSender sender(comm, owners, rows);
    std::exception_ptr failure;
    try {
        produce([&sender](u32 location, std::span<const NodeValues> values) {
            sender.pass(location, values);
        });
        sender.flush();
    } catch (...) {
        failure = std::current_exception();
    }
    // Finishes even after a failure: the other processes wait for the end of messages.
    sender.finish();
    if (failure) std::rethrow_exception(failure);
}

void collect_rows(Communicator& comm, const std::vector<u32>& owners, const NodeRows& rows,
                  const std::function<void(u32 node, const ProfileOptions::Rows& rows)>& sink) {
    if (comm.rank() != 0) {
        for (const u32 node : rows.nodes()) comm.send(0, rows_to_bytes(rows, node));
        return;
    }
    std::exception_ptr failure;
    for (u32 node = 0; node < owners.size(); ++node) {
        const bool own = owners[node] == 0;
        const std::string bytes =
            own ? std::string() : comm.receive(static_cast<int>(owners[node]));
        if (failure) continue;
        try {
            const OneNodeRows theirs =
                own ? OneNodeRows() : rows_from_bytes(bytes, rows.locations()).rows;
            ProfileOptions::Rows all;
            for (std::size_t metric = 0; metric < kStoredMetrics; ++metric)
                all[metric] = theirs[metric];
            sink(node, own ? rows_of(rows, node) : all);
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tracefold
