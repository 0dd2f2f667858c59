// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call.hpp"

#include <tuple>
#include <vector>

namespace tracefold {

/// All of a call, which outlives the one after it and can be compared.
struct SeenCall {
    explicit SeenCall(const MpiCall& of) : call(of), actions(of.actions.begin(), of.actions.end()) {
        call.actions = {};
    }

    [[nodiscard]] auto fields() const {
        return std::tie(call.function, call.family, call.region, call.index, call.begin, call.end,
                        call.paced_begin, call.paced_end, call.patch_effect, call.inferred,
                        call.found, call.unreceived, call.dropped);
    }
    bool operator==(const SeenCall& other) const {
        return fields() == other.fields() && actions == other.actions;
    }

    MpiCall call;
    std::vector<Action> actions;
};

}  // namespace tracefold
