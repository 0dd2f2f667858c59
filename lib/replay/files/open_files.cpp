// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/files/open_files.hpp"

#include "base/error.hpp"
#include "base/file_descriptor.hpp"
#include "base/mpi.hpp"
#include "base/temporary.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/proof/watched.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace tracefold {

namespace {

constexpr const char* kPattern = "/tracefold-replay-XXXXXX";

bool is_first_of_node(MPI_Comm world) {
    MPI_Comm node = MPI_COMM_NULL;
    int rank = 0;
    check_mpi(PMPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
              "MPI_Comm_split_type");
    check_mpi(PMPI_Comm_rank(node, &rank), "MPI_Comm_rank");
    check_mpi(PMPI_Comm_free(&node), "MPI_Comm_free");
    return rank == 0;
}

}  // namespace

/// The first process creates it and so picks the name; empty on failure.
std::string ScratchDirectory::agree_on_name(const std::string& parent) {
    std::string name = parent + kPattern;
    int rank = 0;
    check_mpi(PMPI_Comm_rank(world_, &rank), "MPI_Comm_rank");
    try {
        if (rank == 0) folder_.emplace(Temporary::unique_folder(name));
        if (rank == 0) name = folder_->path().string();
    } catch (const Error&) {
        name.assign(name.size(), '\0');  // reported on all processes
    }
    check_mpi(PMPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, world_),
              "MPI_Bcast");
    return name.front() == '\0' ? std::string() : name;
}

ScratchDirectory::ScratchDirectory(MPI_Comm world, const std::string& parent)
    : world_(world), path_(agree_on_name(parent)) {
    const bool makes_one = is_first_of_node(world) && !folder_;
    int failed = path_.empty() ? 1 : 0;
    try {
        if (failed == 0 && makes_one) {
            if (auto made = Temporary::named_folder(path_)) folder_.emplace(std::move(*made));
        }
    } catch (const Error&) {
        failed = 1;
    }
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, world_), "MPI_Allreduce");
    if (failed != 0) {
        throw Error(ErrorKind::io, "cannot make a directory for the files of the replay in " +
                                       parent + "; name another with --scratch");
    }
}

std::string ScratchDirectory::path_of(u64 file) const {
    return path_ + "/file-" + std::to_string(file);
}

void ScratchDirectory::remove() {
    check_mpi(PMPI_Barrier(world_), "MPI_Barrier");
    const std::error_code error = folder_ ? remove_tree(path_) : std::error_code();
    if (error) throw_io_error("cannot remove", path_, error.value());
    folder_.reset();
}

namespace {

using F = MpiFunction;

[[noreturn]] void refuse(MpiFunction function) {
    throw Error(ErrorKind::unsupported,
                std::string(name_of(function)) + " is not a transfer from or to a file");
}

}  // namespace

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

namespace {

/// Reduces each element over all processes.
void combine(std::vector<u64>& values, bool sum, MPI_Comm world) {
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                             MPI_UINT64_T, sum ? MPI_SUM : MPI_MAX, world),
              "MPI_Allreduce");
}

}  // namespace

void OpenFiles::expect(const MpiCall& call, u64 bytes) {
    const FileUse* const opened = uses_.add(call, bytes);
    const Action* const made = find_record(call, EventType::IoCreateHandle);
    if (made == nullptr) return;
    if (opened == nullptr) {
        throw Error(
            ErrorKind::corrupt,
            "a process opens file handle " + std::to_string(made->fields[0]) +
                ", which is not defined as an MPI file of a communicator with that process");
    }
    files_.try_emplace(made->fields[0]);
}

OpenFile* OpenFiles::find(u64 handle) {
    const auto found = files_.find(handle);
    return found == files_.end() ? nullptr : &found->second;
}

void OpenFiles::agree(MPI_Comm world, const std::string& scratch) {
    if (table_.handles().empty()) return;
    FileUses* const mine = &uses_;
    sizes_ = FileUses::agree(table_, {&mine, 1}, [world](std::vector<u64>& values, bool sum) {
        combine(values, sum, world);
    });
    for (auto& [handle, file] : files_) file.use = *uses_.find(handle);
    directory_.emplace(world, scratch);
    make_files(world);
}

/// Sparse files of their final size: reading them takes no space.
void OpenFiles::make_files(MPI_Comm world) const {
    int failed = 0;
    for (const auto& [file, size] : sizes_) {
        if (!directory_->is_leader()) break;
        std::error_code error;
        const std::string path = path_of(file);
        if (!std::ofstream(path)) failed = 1;
        std::filesystem::resize_file(path, size, error);
        if (error) failed = 1;
    }
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, world), "MPI_Allreduce");
    if (failed != 0) {
        throw Error(ErrorKind::io,
                    "cannot make the files of the replay; name another directory with --scratch");
    }
}

void OpenFiles::close_all() {
    for (auto& [id, file] : files_) {
        if (file.handle != MPI_FILE_NULL)
            check_mpi(watched::File_close(&file.handle), "MPI_File_close");
    }
}

void OpenFiles::remove() {
    if (directory_) directory_->remove();
    directory_.reset();
}

}  // namespace tracefold
