// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/thread_efficiency.hpp"

namespace tracefold::inline profile {

/// What MPI takes from a process whose threads call it: the ticks of its span, added up over its
/// threads, in which a thread is in MPI, or waits for other threads or is idle while one of the
/// process is in MPI. Where but one thread calls MPI, and the others do nothing meanwhile, that is
/// the time in MPI of the one for each thread. Cost: unwinds the locations side by side. Throws
/// Error(corrupt).
u64 mpi_loss(TraceFile& file, const ProcessSpan& process);

}  // namespace tracefold::inline profile
