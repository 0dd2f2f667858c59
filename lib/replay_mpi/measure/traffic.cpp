// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/measure/traffic.hpp"

#include "replay/collective_arguments.hpp"

namespace tracefold {

namespace {

/// Handles that are made and freed are recorded as collectives too.
bool moves_data(u8 operation) {
    return operation <= static_cast<u8>(CollectiveKind::reduce_scatter_block);
}

}  // namespace

void Traffic::add(const Operation& operation) {
    for (const Action& action : operation.actions) {
        const bool collective = action.kind == Action::Kind::collective ||
                                (action.kind == Action::Kind::post_collective && action.known);
        if (action.kind == Action::Kind::send) add_message(action.envelope);
        if (collective && moves_data(action.part.operation)) collectives_.add(action.part.sent);
    }
}

void Traffic::add_message(const Envelope& envelope) {
    messages_.add(envelope.bytes);
    const CommunicatorView* view = table_.find(envelope.comm);
    if (view == nullptr) return;
    const std::span<const u64> ranks = view->peers();
    if (envelope.peer >= ranks.size()) return;
    Messages& messages = peers_[ranks[envelope.peer]];
    ++messages.count;
    messages.bytes += envelope.bytes;
}

}  // namespace tracefold
