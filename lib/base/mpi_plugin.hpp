// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"

#include <memory>

namespace tracefold {

/// The function of the plugin tracefold_world: initialises MPI and returns all processes as
/// `world`. Throws Error(io).
using JoinMpi = void(int* argc, char*** argv, std::unique_ptr<Communicator>& world);
constexpr const char* kJoinMpi = "tracefold_join_mpi";
extern "C" TRACEFOLD_API JoinMpi tracefold_join_mpi;

}  // namespace tracefold
