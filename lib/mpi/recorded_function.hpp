// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call.hpp"

#include <span>

namespace tracefold {

/// True if a call of this family is issued, and counted, with all data of its actions. False for
/// communication within MPI_Comm_rank or a function outside the standard.
bool explains(CallFamily family, std::span<const Action> actions);

/// The function and family of a call by its actions alone: {Send, send} for a message that is sent
/// at once, {other, recorded} for several operations, {other, unsupported} for operations that need
/// the function to be issued. Precondition: there are actions.
MpiFunctionInfo function_of_records(std::span<const Action> actions);

/// In a call of family `recorded`: the number of leading actions that one call of
/// function_of_records() represents.
std::size_t first_operation(std::span<const Action> actions);

/// Calls visit(call) for each operation; `call` differs in function, family and actions.
template <class Visit>
void for_each_operation(const MpiCall& whole, const Visit& visit) {
    MpiCall call = whole;
    for (std::span<const Action> left = whole.actions; !left.empty();) {
        call.actions = left.first(first_operation(left));
        const MpiFunctionInfo info = function_of_records(call.actions);
        call.function = info.function;
        call.family = info.family;
        visit(static_cast<const MpiCall&>(call));
        left = left.subspan(call.actions.size());
    }
}

}  // namespace tracefold
