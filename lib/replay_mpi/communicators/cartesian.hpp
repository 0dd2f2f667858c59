// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/communicator_table.hpp"

#include <optional>
#include <span>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// MPI_Cart_create without reordering.
MPI_Comm make_cart(MPI_Comm parent, const CartShape& shape);

/// The argument of MPI_Cart_sub that takes the processes of `part` from a Cartesian communicator:
/// the dimensions in which they differ, and of those with one process as many as the part's shape
/// has. All processes of `parent` find the same. Nothing if `parent` is not Cartesian here.
std::optional<std::vector<int>> remaining_dimensions(MPI_Comm parent, const CommunicatorView& part);

}  // namespace tracefold
