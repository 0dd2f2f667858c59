// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/files/scratch_directory.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "io/file_descriptor.hpp"
#include "io/removal.hpp"

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

/// The first process makes it and so finds a name; empty if it cannot.
std::string ScratchDirectory::agree_on_name(const std::string& parent) {
    std::string name = parent + kPattern;
    int rank = 0;
    check_mpi(PMPI_Comm_rank(world_, &rank), "MPI_Comm_rank");
    try {
        if (rank == 0) folder_.emplace(Temporary::unique_folder(name));
        if (rank == 0) name = folder_->path().string();
    } catch (const Error&) {
        name.assign(name.size(), '\0');  // all processes tell it alike
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

}  // namespace tracefold
