// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/inclusive_values.hpp"

#include "profile/node_rows.hpp"

namespace tracefold {

InclusiveValues::InclusiveValues(Communicator& comm, const CallTree& tree,
                                 const std::vector<u32>& owners, NodeRows& rows,
                                 std::function<const LocationGroups*(u32)> groups_of,
                                 const LocationKinds& kinds)
    : comm_(comm),
      tree_(tree),
      owners_(owners),
      rows_(rows),
      groups_of_(std::move(groups_of)),
      kinds_(kinds),
      me_(static_cast<u32>(comm.rank())),
      missing_(tree.child_counts()),
      slots_(tree.size(), kNone),
      summaries_(rows.nodes().size()) {
    for (u32 slot = 0; slot < rows.nodes().size(); ++slot) {
        const u32 node = rows.nodes()[slot];
        slots_[node] = slot;
        summaries_[slot].exclusive.take(rows_, node, groups_of_(node), kinds_);
        if (missing_[node] == 0) ready_.push_back(node);
    }
}

void InclusiveValues::run() {
    MessageExchange exchange(comm_, [this](int, std::string_view bytes) {
        const NumberedRows child = rows_from_bytes(bytes, rows_.locations());
        const u32 parent = tree_[child.node].parent;
        for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
            if (!child.rows[metric].empty()) rows_.add(parent, metric, child.rows[metric]);
        }
        ++remote_children_;
        child_is_complete(parent);
    });
    for (std::size_t left = rows_.nodes().size(); left > 0;) {
        if (ready_.empty()) {
            exchange.wait_a_little();
            continue;
        }
        const u32 node = ready_.back();
        ready_.pop_back();
        complete(node, exchange);
        exchange.progress();
        --left;
    }
    exchange.finish();
}

void InclusiveValues::complete(u32 node, MessageExchange& exchange) {
    summaries_[slots_[node]].inclusive.take(rows_, node, groups_of_(node), kinds_);
    const u32 parent = tree_[node].parent;
    if (parent == kNone) {
        rows_.release(node);
    } else if (is_mine(parent)) {
        rows_.move(node, parent);
        child_is_complete(parent);
    } else {
        std::string bytes = rows_to_bytes(rows_, node);
        rows_.release(node);
        exchange.send(static_cast<int>(owners_[parent]), std::move(bytes));
    }
}

void InclusiveValues::child_is_complete(u32 parent) {
    if (--missing_[parent] == 0) ready_.push_back(parent);
}

}  // namespace tracefold
