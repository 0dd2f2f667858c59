// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/files/open_files.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tracefold {

namespace {

/// More handles than any program has; beyond, the numbers in the file are wrong.
constexpr u64 kMostHandles = u64{1} << 24U;

/// Each place becomes the largest, or the sum, of those of all processes.
void combine(std::vector<u64>& values, MPI_Op operation, MPI_Comm world) {
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                             MPI_UINT64_T, operation, world),
              "MPI_Allreduce");
}

}  // namespace

OpenFile& OpenFiles::expect(u64 handle) {
    const FileHandleDefinition* definition = table_.find(handle);
    if (definition == nullptr || handle >= kMostHandles) {
        throw Error(ErrorKind::corrupt,
                    "file handle " + std::to_string(handle) + " is not one of MPI");
    }
    OpenFile& file = files_[handle];
    file.file = definition->file;
    file.comm = definition->comm;
    const CommunicatorView* view = communicators_.table().find(file.comm);
    if (view == nullptr) {
        throw Error(ErrorKind::corrupt, "file handle " + std::to_string(handle) +
                                            " is opened by a process outside its communicator");
    }
    file.rank = view->rank_of(communicators_.table().world_rank());
    return file;
}

OpenFile& OpenFiles::at(u64 handle) {
    const auto found = files_.find(handle);
    if (found == files_.end()) [[unlikely]] {
        throw Error(ErrorKind::corrupt,
                    "file handle " + std::to_string(handle) + " is used before it is opened");
    }
    return found->second;
}

bool OpenFiles::is_alone(const OpenFile& file) const {
    return communicators_.local_size(file.comm) == 1;
}

void OpenFiles::agree(MPI_Comm world, const std::string& scratch) {
    if (table_.handles().empty()) return;
    const u64 last = table_.handles().rbegin()->first;
    const u64 limit = std::min(last, kMostHandles) + 1;
    agree_on_calls(world, limit);
    agree_on_parts(world, limit);
    agree_on_sizes(world, limit);
    directory_.emplace(world, scratch);
    make_files(world);
}

/// By handle: the hash of the calls, its complement, the unit, whether the shared pointer is used.
/// Hashes are equal if the largest is the complement of the largest complement.
void OpenFiles::agree_on_calls(MPI_Comm world, u64 limit) {
    std::vector<u64> facts(4 * limit, 0);
    for (const auto& [id, file] : files_) {
        facts[4 * id] = file.bare_calls;
        facts[4 * id + 1] = ~file.bare_calls;
        facts[4 * id + 2] = file.layout.views.unit();
        facts[4 * id + 3] = file.layout.shared ? 1 : 0;
    }
    combine(facts, MPI_MAX, world);
    for (auto& [id, file] : files_) {
        file.bare = is_alone(file) || facts[4 * id] == ~facts[4 * id + 1];
        file.layout.unit = std::max<u64>(facts[4 * id + 2], 1);
        file.layout.shared = facts[4 * id + 3] != 0;
    }
}

void OpenFiles::agree_on_parts(MPI_Comm world, u64 limit) {
    std::vector<u64> strides(limit, 0);
    for (const auto& [id, file] : files_) {
        strides[id] = file.layout.views.end(file.layout.unit);
    }
    combine(strides, MPI_MAX, world);
    for (auto& [id, file] : files_) file.layout.stride = strides[id];
}

void OpenFiles::agree_on_sizes(MPI_Comm world, u64 limit) {
    std::vector<u64> moved(limit, 0);
    std::vector<u64> ends(limit, 0);
    for (const auto& [id, file] : files_) {
        const FileLayout& layout = file.layout;
        moved[id] = layout.plain.shared_bytes() + layout.views.shared_bytes();
        const u64 own = static_cast<u64>(layout.part(file.rank)) + layout.stride;
        const u64 pointer =
            std::max(layout.plain.shared_offset(), layout.views.shared_offset() * layout.unit);
        ends[id] = std::max({own, layout.plain.end(1), pointer});
    }
    combine(moved, MPI_SUM, world);
    combine(ends, MPI_MAX, world);
    for (const auto& [id, definition] : table_.handles()) {
        if (id >= limit) continue;
        u64& size = sizes_[definition.file];
        size = std::max(size, ends[id] + moved[id]);
    }
    for (auto& [id, file] : files_) file.size = sizes_[file.file];
}

/// Files without data, as long as they will be: reading them costs no space.
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
