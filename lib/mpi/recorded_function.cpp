// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/recorded_function.hpp"

#include <algorithm>
#include <concepts>
#include <functional>

namespace tracefold {

namespace {

using ActionKind = Action::Kind;

constexpr MpiFunctionInfo kUnsupported{MpiFunction::other, CallFamily::unsupported};

/// A set of kinds of actions.
constexpr u32 set(std::same_as<ActionKind> auto... kinds) {
    return (u32{0} | ... | (u32{1} << static_cast<u32>(kinds)));
}
constexpr u32 kPosted = set(ActionKind::send, ActionKind::post_receive);
constexpr u32 kCompleting =
    set(ActionKind::complete_send, ActionKind::complete_receive, ActionKind::complete_collective,
        ActionKind::cancelled, ActionKind::tested);
constexpr u32 kMessages = kPosted | kCompleting |
                          set(ActionKind::receive, ActionKind::probe, ActionKind::post_collective);
constexpr u32 kAll = ~u32{0};
/// Actions on windows, files and communicators, with which calls of other functions begin or end.
constexpr u32 kObjects = kAll & ~(kMessages | set(ActionKind::collective));

constexpr u32 explained(CallFamily family) {
    switch (family) {
        case CallFamily::local:
        case CallFamily::unsupported:
            return 0;
        // The replay does their collective operations at its own start and end.
        case CallFamily::init:
        case CallFamily::finalize:
            return kObjects | set(ActionKind::collective);
        case CallFamily::persistent_init:
        case CallFamily::cancel:
            return kObjects;
        case CallFamily::send:
        case CallFamily::post_send:
            return kObjects | set(ActionKind::send);
        case CallFamily::receive:
            return kObjects | set(ActionKind::receive);
        case CallFamily::post_receive:
            return kObjects | set(ActionKind::post_receive);
        case CallFamily::send_receive:
            return kObjects | set(ActionKind::send, ActionKind::receive);
        case CallFamily::start:
            return kObjects | kPosted;
        case CallFamily::completion:
        case CallFamily::request_free:
            return kObjects | kCompleting | set(ActionKind::receive);
        default:
            return kAll;
    }
}

constexpr bool is_in(u32 kinds, ActionKind kind) { return (kinds & set(kind)) != 0; }

MpiFunctionInfo function_of(const Action& action) {
    switch (action.kind) {
        case ActionKind::send:
            if (action.request == kNoRequest) return {MpiFunction::Send, CallFamily::send};
            return {MpiFunction::Isend, CallFamily::post_send};
        case ActionKind::receive:
            if (action.message == kNoMessage) return {MpiFunction::Recv, CallFamily::receive};
            return {MpiFunction::Mrecv, CallFamily::matched_receive};
        case ActionKind::post_receive:
            if (action.message == kNoMessage) return {MpiFunction::Irecv, CallFamily::post_receive};
            return {MpiFunction::Imrecv, CallFamily::matched_receive};
        case ActionKind::probe:
            if (action.message == kNoMessage) return {MpiFunction::Probe, CallFamily::probe};
            return {MpiFunction::Mprobe, CallFamily::probe};
        case ActionKind::complete_send:
        case ActionKind::complete_receive:
        case ActionKind::complete_collective:
        case ActionKind::cancelled:
            return {MpiFunction::Waitall, CallFamily::completion};
        case ActionKind::tested:
            return {MpiFunction::Test, CallFamily::completion};
        case ActionKind::collective:
            if (!is_communication(action.part.kind)) break;
            return {collective_function(action.part.kind), CallFamily::collective};
        case ActionKind::post_collective: {
            if (!action.known || !is_communication(action.part.kind)) break;
            constexpr CallFamily kFamily = CallFamily::post_collective;
            return {collective_function(action.part.kind, kFamily), kFamily};
        }
        default:
            break;
    }
    return kUnsupported;
}

/// True if a blocking call consists of a send and a receive.
bool exchanges(const Action& first, const Action& second) {
    const auto sends = [](const Action& action) {
        return action.kind == ActionKind::send && action.request == kNoRequest;
    };
    const auto receives = [](const Action& action) {
        return action.kind == ActionKind::receive && action.message == kNoMessage;
    };
    return (sends(first) && receives(second)) || (receives(first) && sends(second));
}

}  // namespace

bool explains(CallFamily family, std::span<const Action> actions) {
    const u32 kinds = explained(family);
    return std::ranges::all_of(actions,
                               [kinds](const Action& action) { return is_in(kinds, action.kind); });
}

MpiFunctionInfo function_of_records(std::span<const Action> actions) {
    const std::size_t size = first_operation(actions);
    if (size == actions.size()) {
        const bool exchange = size == 2 && exchanges(actions[0], actions[1]);
        if (exchange) return {MpiFunction::Sendrecv, CallFamily::send_receive};
        return function_of(actions.front());
    }
    for (std::span<const Action> left = actions; !left.empty();) {
        if (function_of(left.front()).family == CallFamily::unsupported) return kUnsupported;
        left = left.subspan(first_operation(left));
    }
    return {MpiFunction::other, CallFamily::recorded};
}

std::size_t first_operation(std::span<const Action> actions) {
    if (actions.size() > 1 && exchanges(actions[0], actions[1])) return 2;
    const auto completes = [](const Action& action) { return is_in(kCompleting, action.kind); };
    if (!completes(actions.front())) return 1;
    const auto end = std::ranges::find_if(actions, std::not_fn(completes));
    return static_cast<std::size_t>(end - actions.begin());
}

}  // namespace tracefold
