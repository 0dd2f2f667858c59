// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/files/file_calls.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "replay/mpi_call.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <string>

namespace tracefold {

namespace {

using F = MpiFunction;

[[noreturn]] void refuse(MpiFunction function) {
    throw Error(ErrorKind::unsupported,
                std::string(name_of(function)) + " is no transfer from or to a file");
}

}  // namespace

FilePosition position_of(MpiFunction function) {
    const std::string_view name = name_of(function);
    if (name.find("_at") != std::string_view::npos) return FilePosition::given;
    const bool shared = name.find("_shared") != std::string_view::npos ||
                        name.find("_ordered") != std::string_view::npos;
    return shared ? FilePosition::shared : FilePosition::individual;
}

bool ends_split(MpiFunction function) { return name_of(function).ends_with("_end"); }

std::optional<FileTransfer> read_file_transfer(const MpiCall& mpi_call) {
    if (ends_split(mpi_call.function)) return std::nullopt;
    const Action* begin = find_record(mpi_call, EventType::IoOperationBegin);
    if (begin == nullptr) return std::nullopt;
    FileTransfer transfer{begin->fields[0], begin->fields[3], 0, begin->fields[4]};
    if (position_of(mpi_call.function) == FilePosition::given && begin->offset != ~u64{0}) {
        transfer.offset = begin->offset;
    }
    return transfer;
}

// One line per function: the name and its arguments after the file.
// clang-format off
#define TRACEFOLD_CALL(name, ...) \
    case F::name: return check_mpi(watched::name(call.file, __VA_ARGS__), "MPI_" #name);

void issue_file_call(MpiFunction function, const FileCall& call, MPI_Request* request) {
    const int n = call.amount.count;
    const MPI_Datatype type = call.amount.type;
    const MPI_Offset at = call.offset;
    const void* out = call.outgoing;
    void* in = call.incoming;
    MPI_Status* status = MPI_STATUS_IGNORE;
    switch (function) {
        TRACEFOLD_CALL(File_read, in, n, type, status)
        TRACEFOLD_CALL(File_read_all, in, n, type, status)
        TRACEFOLD_CALL(File_read_shared, in, n, type, status)
        TRACEFOLD_CALL(File_read_ordered, in, n, type, status)
        TRACEFOLD_CALL(File_read_at, at, in, n, type, status)
        TRACEFOLD_CALL(File_read_at_all, at, in, n, type, status)
        TRACEFOLD_CALL(File_write, out, n, type, status)
        TRACEFOLD_CALL(File_write_all, out, n, type, status)
        TRACEFOLD_CALL(File_write_shared, out, n, type, status)
        TRACEFOLD_CALL(File_write_ordered, out, n, type, status)
        TRACEFOLD_CALL(File_write_at, at, out, n, type, status)
        TRACEFOLD_CALL(File_write_at_all, at, out, n, type, status)
        TRACEFOLD_CALL(File_iread, in, n, type, request)
        TRACEFOLD_CALL(File_iread_all, in, n, type, request)
        TRACEFOLD_CALL(File_iread_shared, in, n, type, request)
        TRACEFOLD_CALL(File_iread_at, at, in, n, type, request)
        TRACEFOLD_CALL(File_iread_at_all, at, in, n, type, request)
        TRACEFOLD_CALL(File_iwrite, out, n, type, request)
        TRACEFOLD_CALL(File_iwrite_all, out, n, type, request)
        TRACEFOLD_CALL(File_iwrite_shared, out, n, type, request)
        TRACEFOLD_CALL(File_iwrite_at, at, out, n, type, request)
        TRACEFOLD_CALL(File_iwrite_at_all, at, out, n, type, request)
        TRACEFOLD_CALL(File_read_all_begin, in, n, type)
        TRACEFOLD_CALL(File_read_ordered_begin, in, n, type)
        TRACEFOLD_CALL(File_read_at_all_begin, at, in, n, type)
        TRACEFOLD_CALL(File_write_all_begin, out, n, type)
        TRACEFOLD_CALL(File_write_ordered_begin, out, n, type)
        TRACEFOLD_CALL(File_write_at_all_begin, at, out, n, type)
        TRACEFOLD_CALL(File_read_all_end, in, status)
        TRACEFOLD_CALL(File_read_ordered_end, in, status)
        TRACEFOLD_CALL(File_read_at_all_end, in, status)
        TRACEFOLD_CALL(File_write_all_end, out, status)
        TRACEFOLD_CALL(File_write_ordered_end, out, status)
        TRACEFOLD_CALL(File_write_at_all_end, out, status)
        default: refuse(function);
    }
}
#undef TRACEFOLD_CALL
// clang-format on

}  // namespace tracefold
