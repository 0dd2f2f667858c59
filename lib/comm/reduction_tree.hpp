// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/agree.hpp"
#include "comm/communicator.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// The place of one process in an ordered tree over all ranks.
struct TreePlace {
    /// Whom to receive from, in rising order. The blocks of ranks below this process and below its
    /// children are adjacent and follow each other in that order.
    std::vector<int> children;
    /// Whom to send to; -1 for rank 0, the root.
    int parent = -1;
};

/// Depth: the logarithm of `size` to the base `fanout`. Precondition: 0 <= rank < size, fanout
/// >= 2.
TreePlace tree_place(int rank, int size, int fanout);

/// What a process of the tree passes on to its parent: the bytes of its block, or nothing after a
/// failure in it, so that nobody waits for bytes in vain.
using TreePart = std::optional<std::string>;

/// Does nothing for the root, whose parent is -1.
void send_part(Communicator& comm, int parent, const TreePart& part);
TreePart receive_part(Communicator& comm, int child);

/// Merges the parts of all children into `mine`; false if one of them failed. Receives from all
/// even if `merge_bytes` throws, since sending may wait for that.
template <class State, class MergeBytes>
bool merge_children(Communicator& comm, const std::vector<int>& children, State& mine,
                    const MergeBytes& merge_bytes) {
    bool complete = true;
    std::size_t next = 0;
    try {
        while (next < children.size()) {
            const TreePart part = receive_part(comm, children[next++]);
            complete = complete && part.has_value();
            if (complete) {
                merge_bytes(mine, std::string_view(*part));
            }
        }
    } catch (...) {
        while (next < children.size()) {
            receive_part(comm, children[next++]);
        }
        throw;
    }
    return complete;
}

/// The part of one process in reduce_tree(). Throws what the functions throw, after telling the
/// parent; returns on processes that only learn of the failure of another one.
template <class State, class Serialise, class MergeBytes>
void reduce_at(Communicator& comm, const TreePlace& place, State& mine, const Serialise& serialise,
               const MergeBytes& merge_bytes) {
    TreePart part;
    try {
        if (merge_children(comm, place.children, mine, merge_bytes) && place.parent >= 0) {
            part = serialise(mine);
        }
    } catch (...) {
        send_part(comm, place.parent, std::nullopt);
        throw;
    }
    send_part(comm, place.parent, part);
}

/// Merges the states of all processes into `mine` of rank 0, along a tree.
///
/// `serialise(State&)` gives bytes; `merge_bytes(State&, std::string_view)` takes those of the
/// block of ranks that follows immediately after the ranks merged so far, so the operation need not
/// be commutative. On other ranks `mine` holds part of the result afterwards. Collective; if either
/// function throws anywhere, every process throws the Error of the lowest failing rank, as with
/// agree(). Cost: O(log size) steps, one serialisation per process. Precondition: the same fanout
/// on all processes, at least 2.
template <class State, class Serialise, class MergeBytes>
void reduce_tree(Communicator& comm, State& mine, const Serialise& serialise,
                 const MergeBytes& merge_bytes, int fanout = 2) {
    const TreePlace place = tree_place(comm.rank(), comm.size(), fanout);
    agree(comm, [&] { reduce_at(comm, place, mine, serialise, merge_bytes); });
}

}  // namespace tracefold
