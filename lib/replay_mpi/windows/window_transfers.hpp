// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call.hpp"
#include "replay_mpi/payload.hpp"
#include "replay_mpi/windows/window_table.hpp"

#include <optional>

namespace tracefold {

/// One operation on the memory of another process, as recorded.
struct WindowTransfer {
    u64 window = 0;
    u32 target = 0;
    u64 sent = 0;      ///< bytes from here
    u64 received = 0;  ///< bytes from there
    u64 id = 0;        ///< matching id; of the request, if the function makes one

    [[nodiscard]] u64 bytes() const { return sent > received ? sent : received; }
};

/// Nothing if the call left no such record: it went to MPI_PROC_NULL.
std::optional<WindowTransfer> read_transfer(const MpiCall& call);

/// MPI_Put, MPI_Get, the accumulating ones, and those with a request. Data is MPI_BYTE; what is
/// accumulated is added as 64-bit numbers where the size allows, else joined by exclusive or.
/// Throws Error: io, corrupt, unsupported.
void issue_transfer(MpiFunction function, const WindowTransfer& transfer, const Window& window,
                    Payload& payload);

}  // namespace tracefold
