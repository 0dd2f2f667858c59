// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/timing_store.hpp"

#include <algorithm>

namespace tracefold {

namespace {

void unite(Durations& mine, const Durations& other) {
    mine.all.merge(other.all);
    unite(mine.means, other.means);
}

bool edge_order(const TimingModel::Edge& a, const TimingModel::Edge& b) {
    return std::pair(a.to, a.from) < std::pair(b.to, b.from);
}

}  // namespace

void TimingStore::merge(const PartialTimings& other) {
    for (const TimingModel::Node& node : other.model.nodes) {
        NodeContent& mine = nodes_[other.symbols[node.symbol]];
        unite(mine.durations, node.durations);
        mine.steps.resize(node.steps.size());
        for (std::size_t i = 0; i < node.steps.size(); ++i) {
            mine.steps[i].count += node.steps[i].count;
            mine.steps[i].sum += node.steps[i].sum;
        }
    }
    for (const TimingModel::Edge& edge : other.model.edges) {
        unite(edges_[{other.symbols[edge.to], other.symbols[edge.from]}], edge.durations);
    }
}

/// Every symbol of an edge has a node.
PartialTimings TimingStore::partial() const {
    PartialTimings partial;
    std::map<ContentHash, u32> number;
    for (const auto& [address, node] : nodes_) {
        const u32 symbol = static_cast<u32>(partial.symbols.size());
        number.emplace(address, symbol);
        partial.symbols.push_back(address);
        partial.model.nodes.push_back({symbol, node.durations, node.steps});
    }
    for (const auto& [ends, durations] : edges_) {
        partial.model.edges.push_back({number.at(ends.second), number.at(ends.first), durations});
    }
    return partial;
}

TimingModel TimingStore::finish(const Structure& structure) const {
    const std::vector<ContentHash> addresses = symbol_addresses(structure.symbols);
    std::map<ContentHash, u32> number;
    for (u32 i = 0; i < addresses.size(); ++i) number.emplace(addresses[i], i);
    TimingModel model;
    for (const auto& [address, node] : nodes_) {
        model.nodes.push_back({number.at(address), node.durations, node.steps});
    }
    std::sort(model.nodes.begin(), model.nodes.end(),
              [](const auto& a, const auto& b) { return a.symbol < b.symbol; });
    for (const auto& [ends, durations] : edges_) {
        model.edges.push_back({number.at(ends.second), number.at(ends.first), durations});
    }
    std::sort(model.edges.begin(), model.edges.end(), edge_order);
    return model;
}

std::vector<ContentHash> symbol_addresses(const std::vector<Symbol>& symbols) {
    std::vector<ContentHash> addresses;
    addresses.reserve(symbols.size());
    for (const Symbol& symbol : symbols) addresses.push_back(content_hash(symbol_key(symbol)));
    return addresses;
}

}  // namespace tracefold
