// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"

namespace tracefold {

bool makes_window(MpiFunction function);

/// Calls that all members of a window's communicator make: those that create or free it, and
/// fences.
bool is_window_collective(MpiFunction function);

}  // namespace tracefold
