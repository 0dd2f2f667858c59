// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/chakra_collectives.hpp"

#include <numeric>
#include <vector>

namespace tracefold {

namespace {

using Kind = CollectiveKind;
using Node = ChakraCollectiveNode;

u64 sent_by(const Exchange& exchange, u32 member) {
    std::vector<u64> sizes;
    exchange.sends(member, sizes);
    return std::accumulate(sizes.begin(), sizes.end(), u64{0});
}

/// What ASTRA-sim 2 (of 2026) simulates. It lets the recorded time of a BROADCAST pass, and ends
/// with an error at all other types.
std::optional<Node> simulated(const Exchange& exchange, u32 member) {
    const u64 own = exchange.block(member);
    if (!exchange.has_equal_blocks() || own == 0) return std::nullopt;
    switch (exchange.kind()) {
        case Kind::allreduce:
            return Node{ChakraCollective::all_reduce, own};
        case Kind::allgather:
        case Kind::allgatherv:
            return Node{ChakraCollective::all_gather, own};
        case Kind::alltoall:
            return Node{ChakraCollective::all_to_all, exchange.blocks(0, exchange.size())};
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
            return Node{ChakraCollective::reduce_scatter, exchange.blocks(0, exchange.size())};
        default:
            return std::nullopt;
    }
}

/// What the schema has a type for besides. It has no place for a root, nor for shares that differ.
std::optional<Node> of_schema(const Exchange& exchange, u32 member) {
    const u64 own = exchange.block(member);
    const u64 all = exchange.blocks(0, exchange.size());
    const bool equal = exchange.has_equal_blocks();
    switch (exchange.kind()) {
        case Kind::barrier:
            return Node{ChakraCollective::barrier, 0};
        case Kind::allreduce:
            return Node{ChakraCollective::all_reduce, own};
        case Kind::allgather:
        case Kind::allgatherv:
            return Node{ChakraCollective::all_gather, own, equal};
        case Kind::alltoall:
            return Node{ChakraCollective::all_to_all, all};
        case Kind::alltoallv:
        case Kind::alltoallw:
            return Node{ChakraCollective::all_to_all, sent_by(exchange, member), false};
        case Kind::reduce_scatter:
            return Node{ChakraCollective::reduce_scatter, all, equal};
        case Kind::reduce_scatter_block:
            return Node{ChakraCollective::reduce_scatter_block, all};
        case Kind::bcast:
            return Node{ChakraCollective::broadcast, own, false};
        case Kind::reduce:
            return Node{ChakraCollective::reduce, own, false};
        case Kind::gather:
        case Kind::gatherv:
            return Node{ChakraCollective::gather, own, false};
        case Kind::scatter:
        case Kind::scatterv:
            return Node{ChakraCollective::scatter, own, false};
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<Node> chakra_collective(const Exchange& exchange, u32 member, bool all_types) {
    if (exchange.is_inter()) return std::nullopt;
    return all_types ? of_schema(exchange, member) : simulated(exchange, member);
}

}  // namespace tracefold
