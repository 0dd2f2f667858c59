// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tracefold {

/// Throws Error(io, "ACTION NAME: reason") for the errno value `code`, with advice on full disks.
[[noreturn]] void throw_io_error(const std::string& action, const std::string& name, int code);

/// True for the errno values of calls that a file system does not have, such as vfat, CIFS or FUSE.
bool is_unsupported(int code);

/// An owned POSIX file descriptor with its file name for messages. Move-only; closed by the
/// destructor. Continues short and interrupted transfers; failures throw Error(io). Units: bytes.
class FileDescriptor {
  public:
    /// Takes ownership of `fd`; -1 means none.
    FileDescriptor(int fd, std::string name);
    FileDescriptor(FileDescriptor&& other) noexcept;
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor();

    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] const std::string& name() const { return name_; }

    void read_at(u64 offset, char* to, std::size_t count) const;

    void write_at(u64 offset, std::string_view bytes) const;

    /// Blocks until the content is on disk, where the file system can tell.
    void sync() const;

    /// Closes now, since some file systems report a failed write only here.
    void close();

  private:
    int fd_;
    std::string name_;
};

/// Runs `work`, which lists the folder with std::filesystem. Throws Error(io) with the folder name
/// instead of filesystem_error, which has no path when incrementing an iterator fails.
template <class Work>
auto list_folder(const std::string& folder, const Work& work) {
    try {
        return work();
    } catch (const std::filesystem::filesystem_error& error) {
        throw_io_error("cannot list the folder", folder, error.code().value());
    }
}

}  // namespace tracefold
