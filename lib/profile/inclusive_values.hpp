// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/call_tree.hpp"
#include "profile/message_exchange.hpp"
#include "profile/node_summary.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace tracefold {

/// Adds up the nodes of a call tree from below, each on the process that owns it. The values of
/// children elsewhere are asked for at once: both sides know the tree, so a child's owner sends
/// them as soon as they are complete, and whoever waits for some goes on with other nodes. Rows are
/// released as soon as they are added to the parent's.
class InclusiveValues {
  public:
    /// `groups_of` tells whose sums are kept; null: of no groups. All arguments must outlive this
    /// object; `rows` have the exclusive values and are used up.
    InclusiveValues(Communicator& comm, const CallTree& tree, const std::vector<u32>& owners,
                    NodeRows& rows, std::function<const LocationGroups*(u32 node)> groups_of,
                    const LocationKinds& kinds);

    /// Collective; call once.
    void run();

    /// Of the nodes that this process owns, in rising order.
    [[nodiscard]] std::vector<NodeSummary> take_summaries() { return std::move(summaries_); }
    /// How many children's values came from other processes.
    [[nodiscard]] u64 remote_children() const { return remote_children_; }

  private:
    void complete(u32 node, MessageExchange& exchange);
    void child_is_complete(u32 parent);
    [[nodiscard]] bool is_mine(u32 node) const { return owners_[node] == me_; }

    Communicator& comm_;
    const CallTree& tree_;
    const std::vector<u32>& owners_;
    NodeRows& rows_;
    std::function<const LocationGroups*(u32)> groups_of_;
    const LocationKinds& kinds_;
    u32 me_;
    std::vector<u32> missing_;  ///< by node: children that are not complete
    std::vector<u32> ready_;    ///< nodes whose children all are
    std::vector<u32> slots_;    ///< by node: its place among those that this process owns
    std::vector<NodeSummary> summaries_;
    u64 remote_children_ = 0;
};

}  // namespace tracefold
