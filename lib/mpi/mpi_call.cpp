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
/// True for window calls that a lock must precede, and that leave no record if nothing is pending.
bool needs_lock(MpiFunction function) {
    return function == MpiFunction::Win_sync ||
           name_of(function).find("_flush") != std::string_view::npos;
}

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
    const bool left_out =
        call.patch_effect == MpiCall::PatchEffect::left_out && !asks_for_message(call.family);
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

bool has_effect(const MpiCall& call, bool has_window) {
    if (call.actions.empty()) {
        switch (call.family) {
            case CallFamily::comm_create:
            case CallFamily::comm_free:
                return true;
            case CallFamily::window:
                return !has_window || needs_lock(call.function);
            default:
                return is_bare_file_call(call.function);
        }
    }
    const bool fails =
        call.function == MpiFunction::Win_test && call.actions.front().fields[0] == 0;
    return communicates(call) && !fails;
}

std::string_view why_not_issued(CallFamily family) {
    switch (family) {
        case CallFamily::window:
            return "the trace does not tell the window, or the target";
        case CallFamily::file:
            return "the trace does not tell the file, or its ranks disagree on the calls";
        case CallFamily::comm_create:
        case CallFamily::comm_free:
            return "the trace defines no such communicator";
        case CallFamily::completion:
        case CallFamily::request_free:
            return "the request was posted by no recorded call";
        case CallFamily::collective:
        case CallFamily::post_collective:
            return "the trace has nothing but the name of the operation";
        case CallFamily::neighbour:
            return "neighbourhood collectives have no record";
        case CallFamily::send:
        case CallFamily::receive:
        case CallFamily::send_receive:
        case CallFamily::post_send:
        case CallFamily::post_receive:
        case CallFamily::persistent_init:
        case CallFamily::start:
        case CallFamily::probe:
        case CallFamily::matched_receive:
            return "no call of the function has a record of a message";
        default:
            return "the trace has no arguments of such calls";
    }
}

std::string_view why_not_issued(std::string_view function) {
    const auto info = find_mpi_function(function);
    return why_not_issued(info ? info->family : CallFamily::unsupported);
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
