// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/mpi_call.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Some recorders record only the name of a collective.
bool has_part(const MpiCall& call) {
    return std::any_of(call.actions.begin(), call.actions.end(), [](const Action& action) {
        return action.kind == Action::Kind::collective ||
               (action.kind == Action::Kind::post_collective && action.known);
    });
}

/// Calls on a window that wait for other processes.
bool needs_record(MpiFunction function) {
    if (is_window_collective(function)) return true;
    switch (function) {
        case MpiFunction::Win_lock:
        case MpiFunction::Win_lock_all:
        case MpiFunction::Win_post:
        case MpiFunction::Win_start:
        case MpiFunction::Win_complete:
        case MpiFunction::Win_wait:
            return true;
        default:
            return false;
    }
}

}  // namespace

Treatment treatment_of(const MpiCall& call) {
    const bool is_out = call.patch_effect == MpiCall::PatchEffect::outside ||
                        call.patch_effect == MpiCall::PatchEffect::prepared;
    // A poll is still issued, without a message.
    const bool left_out =
        call.patch_effect == MpiCall::PatchEffect::left_out && call.family != CallFamily::probe;
    if (is_out || left_out) return Treatment::counted;
    switch (call.family) {
        case CallFamily::init:
        case CallFamily::finalize:
        case CallFamily::persistent_init:
        case CallFamily::cancel:
        case CallFamily::local:
            return Treatment::counted;
        case CallFamily::request_free:
            return call.actions.empty() ? Treatment::counted : Treatment::issued;
        case CallFamily::collective:
        case CallFamily::post_collective:
            return has_part(call) ? Treatment::issued : Treatment::unsupported;
        case CallFamily::window:
            return call.actions.empty() && needs_record(call.function) ? Treatment::unsupported
                                                                       : Treatment::issued;
        case CallFamily::neighbour:
            return call.patch_effect == MpiCall::PatchEffect::inferred ? Treatment::issued
                                                                       : Treatment::unsupported;
        case CallFamily::unsupported:
            return Treatment::unsupported;
        default:
            return Treatment::issued;
    }
}

u64 completed_request(const Action& action) {
    if (action.ends_request()) return action.request;
    if (action.kind != Action::Kind::record) return kNoRequest;
    if (action.type == EventType::RmaOpCompleteNonBlocking) return action.fields[1];
    if (action.type == EventType::IoOperationComplete) return action.fields[2];
    return kNoRequest;
}

bool communicates(const MpiCall& call) {
    if (call.family == CallFamily::init || call.family == CallFamily::finalize) return false;
    return std::ranges::any_of(call.actions, [](const Action& action) {
        const bool is_part = action.kind == Action::Kind::collective ||
                             action.kind == Action::Kind::post_collective ||
                             action.kind == Action::Kind::complete_collective;
        return is_part ? is_communication(action.part.kind)
                       : action.kind != Action::Kind::create_comm &&
                             action.kind != Action::Kind::destroy_comm;
    });
}

bool has_effect(const MpiCall& call) {
    const bool fails = call.function == MpiFunction::Win_test && !call.actions.empty() &&
                       call.actions.front().fields[0] == 0;
    return communicates(call) && !fails;
}

bool polls_in_vain(const MpiCall& call) {
    return is_poll(call.function) && std::ranges::all_of(call.actions, [](const Action& action) {
               return action.kind == Action::Kind::tested;
           });
}

std::string_view name_of(const MpiCall& call, const DefinitionIndex& definitions) {
    const bool of_region = call.by_records || call.function == MpiFunction::other;
    if (!of_region) return name_of(call.function);
    return call.region == kNone ? name_of_record(call) : definitions.region_name(call.region);
}

std::string_view name_of_record(const MpiCall& call) {
    return call.actions.empty() ? name_of(call.function)
                                : event_info(call.actions.front().type).name;
}

const Action* find_action(const MpiCall& call, Action::Kind kind) {
    const auto found = std::ranges::find(call.actions, kind, &Action::kind);
    return found == call.actions.end() ? nullptr : &*found;
}

const Action* find_record(const MpiCall& call, EventType type) {
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::record && action.type == type) return &action;
    }
    return nullptr;
}

}  // namespace tracefold
