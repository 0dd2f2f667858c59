// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/measure/traffic.hpp"

namespace tracefold {

void Traffic::add(const MpiCall& call) {
    for (const Action& action : call.actions) {
        const bool collective = action.kind == Action::Kind::collective ||
                                (action.kind == Action::Kind::post_collective && action.known);
        if (action.kind == Action::Kind::send) add_message(action.envelope);
        if (collective && is_communication(action.part.kind)) collectives_.add(action.part.sent);
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
