// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/reduction_tree.hpp"

#include "core/types.hpp"

#include <cassert>

namespace tracefold {

namespace {

constexpr std::string_view kBytesFollow = "+";
constexpr std::string_view kFailed = "-";

}  // namespace

TreePlace tree_place(int rank, int size, int fanout) {
    assert(rank >= 0 && rank < size && fanout >= 2);
    TreePlace place;
    // Blocks of `block` ranks are merged in their first rank; 64 bits, as block may exceed size.
    for (i64 block = 1; block < size; block *= fanout) {
        const i64 place_in_parent_block = rank % (block * fanout);
        if (place_in_parent_block != 0) {
            place.parent = static_cast<int>(rank - place_in_parent_block);
            break;
        }
        for (i64 child = rank + block; child < rank + block * fanout && child < size;
             child += block) {
            place.children.push_back(static_cast<int>(child));
        }
    }
    return place;
}

void send_part(Communicator& comm, int parent, const TreePart& part) {
    if (parent < 0) {
        return;
    }
    comm.send(parent, part ? kBytesFollow : kFailed);
    if (part) {
        comm.send(parent, *part);
    }
}

TreePart receive_part(Communicator& comm, int child) {
    if (comm.receive(child) == kFailed) {
        return std::nullopt;
    }
    return comm.receive(child);
}

}  // namespace tracefold
