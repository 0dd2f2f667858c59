// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"
#include "replay/communicator_table.hpp"

namespace tracefold {

/// Whether a function of family comm_create can make a communicator from `parent` (null: not
/// known), as far as the definitions tell.
bool can_make(MpiFunction function, const CommunicatorView& made, const CommunicatorView* parent);

}  // namespace tracefold
