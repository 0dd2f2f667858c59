// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/rank_survey.hpp"

#include <algorithm>

namespace tracefold {

void RankSurvey::add(const MpiCall& call) {
    starts_threads_ = starts_threads_ || call.function == MpiFunction::Init_thread;
    if (call.treatment == MpiCall::Treatment::left_out) return;
    if (call.family == CallFamily::comm_create) return add_creation(call);
    if (call.inferred.comm != kNone) use(call.inferred.comm);
    for (const Action& action : call.actions) {
        largest_ = std::max(largest_, action.envelope.bytes);
        if (action.envelope.comm != kNone) use(action.envelope.comm);
        const bool is_part = action.kind == Action::Kind::collective ||
                             (action.kind == Action::Kind::post_collective && action.known);
        if (!is_part || call.family == CallFamily::init || call.family == CallFamily::finalize) {
            continue;
        }
        use(action.part.comm);
        largest_ = std::max({largest_, action.part.sent, action.part.received});
        const CommunicatorView* view = table_.find(action.part.comm);
        if (view == nullptr || view->inter || !is_vector_collective(action.part.kind)) continue;
        sizes_.record(table_.world_rank(), action.part.comm,
                      {action.part.sent, action.part.received});
    }
}

/// Those that LocalCommunicators::read() accepts.
void RankSurvey::add_creation(const MpiCall& call) {
    const CommunicatorView* made = nullptr;
    u64 parent = kNone;
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::create_comm) made = table_.find(action.part.comm);
        if (action.kind == Action::Kind::collective) parent = action.part.comm;
    }
    const MpiFunction function = call.function;
    if (function == MpiFunction::Intercomm_create || function == MpiFunction::Intercomm_merge ||
        function == MpiFunction::Comm_idup || function == MpiFunction::Comm_idup_with_info) {
        return;
    }
    if (is_of_members_only(function) || (made != nullptr && made->id == parent)) {
        parent = made == nullptr ? kNone : made->parent;
    }
    if (function == MpiFunction::Comm_create_from_group && parent == kNone) {
        parent = table_.world();
    }
    use(parent);
    const CommunicatorView* view = table_.find(parent);
    if (made != nullptr && view != nullptr && !view->inter) made_.insert(made->id);
}

void RankSurvey::use(u64 comm) {
    const CommunicatorView* view = table_.find(comm);
    if (view != nullptr && !view->inter) used_.insert(comm);
}

std::vector<u64> RankSurvey::made_at_start() const {
    std::vector<u64> comms;
    for (const u64 comm : used_) {
        if (comm != table_.world() && comm != table_.self() && !made_.contains(comm)) {
            comms.push_back(comm);
        }
    }
    return comms;
}

}  // namespace tracefold
