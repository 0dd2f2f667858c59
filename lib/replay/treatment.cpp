// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/treatment.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Some recorders write nothing about collectives but their names.
bool has_part(const Operation& operation) {
    return std::any_of(operation.actions.begin(), operation.actions.end(),
                       [](const Action& action) {
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

Treatment treatment_of(const Operation& operation) {
    const bool is_out = operation.treatment == Operation::Treatment::outside ||
                        operation.treatment == Operation::Treatment::prepared;
    // A poll is issued nevertheless, for nothing.
    const bool left_out = operation.treatment == Operation::Treatment::left_out &&
                          operation.family != CallFamily::probe;
    if (is_out || left_out) return Treatment::counted;
    switch (operation.family) {
        case CallFamily::init:
        case CallFamily::finalize:
        case CallFamily::persistent_init:
        case CallFamily::cancel:
        case CallFamily::local:
            return Treatment::counted;
        case CallFamily::request_free:
            return operation.actions.empty() ? Treatment::counted : Treatment::issued;
        case CallFamily::collective:
        case CallFamily::post_collective:
            return has_part(operation) ? Treatment::issued : Treatment::unsupported;
        case CallFamily::window:
            return operation.actions.empty() && needs_record(operation.function)
                       ? Treatment::unsupported
                       : Treatment::issued;
        case CallFamily::neighbour:
            return operation.treatment == Operation::Treatment::inferred ? Treatment::issued
                                                                         : Treatment::unsupported;
        case CallFamily::unsupported:
            return Treatment::unsupported;
        default:
            return Treatment::issued;
    }
}

}  // namespace tracefold
