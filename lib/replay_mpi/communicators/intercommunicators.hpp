// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/communicator_table.hpp"
#include "replay/inferences.hpp"

#include <mpi.h>

namespace tracefold {

class Communicators;

/// MPI_Comm_create_group over the members of `view`, from `parent` or, if that is MPI_COMM_NULL,
/// from MPI_COMM_WORLD. Throws Error(io).
MPI_Comm make_of_group(MPI_Comm parent, const CommunicatorView& view);

/// MPI_Intercomm_create. Leaders are the first processes of both sides; they meet in the recorded
/// peer communicator if both are in it, else in MPI_COMM_WORLD. The local communicator is the first
/// one alive that has these members. Throws Error: io, corrupt.
MPI_Comm connect_sides(const CommunicatorView* inter, const Communicators& communicators,
                       Inferences& inferences);

/// MPI_Intercomm_merge of the intercommunicator `parent`: the order of the members tells which side
/// was the high one. Throws Error: io, corrupt.
MPI_Comm merge_sides(const CommunicatorView* merged, u64 parent,
                     const Communicators& communicators);

}  // namespace tracefold
