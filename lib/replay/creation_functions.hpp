// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"
#include "replay/communicator_table.hpp"

namespace tracefold {

/// Whether a function of family comm_create can make a communicator from `parent` (null: not
/// known), as far as the definitions tell.
bool can_make(MpiFunction function, const CommunicatorView& made, const CommunicatorView* parent);

/// Members of the new communicator alone call it, not all of the parent.
bool is_of_members_only(MpiFunction function);

/// One call may make several communicators, for different members.
bool makes_several(MpiFunction function);

/// Some callers may get MPI_COMM_NULL.
bool can_make_none(MpiFunction function);

}  // namespace tracefold
