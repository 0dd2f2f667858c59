// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call.hpp"
#include "replay_mpi/amounts.hpp"

#include <optional>

#include <mpi.h>

namespace tracefold {

/// Where a transfer begins.
enum class FilePosition : u8 {
    given,       ///< at an offset of its own
    individual,  ///< at the process's pointer
    shared,      ///< at the pointer that all processes share
};

FilePosition position_of(MpiFunction function);

/// A read or write as recorded.
struct FileTransfer {
    u64 handle = 0;
    u64 bytes = 0;    ///< asked for
    u64 offset = 0;   ///< of FilePosition::given, in units of the view
    u64 request = 0;  ///< of a call that makes a request
};

/// Nothing if the call is no transfer, or left no record.
std::optional<FileTransfer> read_file_transfer(const MpiCall& mpi_call);

/// True for the second half of a split collective.
bool ends_split(MpiFunction function);

/// Arguments of a transfer.
struct FileCall {
    MPI_File file = MPI_FILE_NULL;
    MPI_Offset offset = 0;
    Amount amount;
    void* outgoing = nullptr;
    void* incoming = nullptr;
};

/// Issues a read or write. `request` is set by calls that make one. Throws Error: io, unsupported.
void issue_file_call(MpiFunction function, const FileCall& call, MPI_Request* request);

}  // namespace tracefold
