// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call.hpp"

namespace tracefold {

/// The first record of this type that a call left; null if there is none.
inline const Action* find_record(const MpiCall& call, EventType type) {
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::record && action.type == type) return &action;
    }
    return nullptr;
}

}  // namespace tracefold
