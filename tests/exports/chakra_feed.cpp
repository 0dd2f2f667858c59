// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Reads Chakra execution traces with Chakra's own ETFeeder, issuing node after node until none is
// left, and prints what was read as a table. It is built with the sources of MLCommons Chakra
// (src/feeder, schema/protobuf), outside of this tree.
//
// usage: chakra_feed rank.0.et rank.1.et ...   Exit code 1 if nodes can never be issued.
#include "et_feeder.h"

#include <iostream>
#include <map>
#include <string>
#include <tuple>

namespace {

using ChakraProtoMsg::NodeType;
using NodePointer = std::shared_ptr<Chakra::ETFeederNode>;

struct Sum {
    unsigned long nodes = 0;
    unsigned long bytes = 0;
    unsigned long microseconds = 0;
};

// Rank, type, name, where, operation.
using Kind = std::tuple<int, int, std::string, std::string, unsigned long>;

Kind kind_of(int rank, const NodePointer& node) {
    std::string where;
    unsigned long operation = 0;
    if (node->type() == NodeType::COMM_SEND_NODE) {
        where = std::to_string(node->comm_dst());
    } else if (node->type() == NodeType::COMM_RECV_NODE) {
        where = std::to_string(node->comm_src());
    } else if (node->type() == NodeType::COMM_COLL_NODE) {
        where = node->pg_name().empty() ? "0" : node->pg_name();
        operation = node->comm_type();
    }
    return {rank, node->type(), node->name(), where, operation};
}

bool moves_bytes(const NodePointer& node) {
    return node->type() == NodeType::COMM_SEND_NODE || node->type() == NodeType::COMM_RECV_NODE ||
           node->type() == NodeType::COMM_COLL_NODE;
}

bool feed(int rank, const std::string& path, std::map<Kind, Sum>& sums) {
    Chakra::ETFeeder feeder(path);
    while (feeder.hasNodesToIssue()) {
        const NodePointer node = feeder.getNextIssuableNode();
        if (!node) return false;
        Sum& sum = sums[kind_of(rank, node)];
        ++sum.nodes;
        sum.bytes += moves_bytes(node) ? node->comm_size() : 0;
        sum.microseconds += node->runtime();
        feeder.freeChildrenNodes(node->id());
        feeder.removeNode(node->id());
    }
    return true;
}

}  // namespace

int main(int count, char** arguments) {
    std::map<Kind, Sum> sums;
    for (int i = 1; i < count; ++i) {
        if (!feed(i - 1, arguments[i], sums)) {
            std::cerr << arguments[i] << ": nodes are left that cannot be issued\n";
            return 1;
        }
    }
    std::cout << "rank,type,name,where,operation,nodes,bytes,microseconds\n";
    for (const auto& [kind, sum] : sums) {
        std::apply([](const auto&... part) { ((std::cout << part << ','), ...); }, kind);
        std::cout << sum.nodes << ',' << sum.bytes << ',' << sum.microseconds << '\n';
    }
}
