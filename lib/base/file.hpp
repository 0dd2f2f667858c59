// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/file_descriptor.hpp"
#include "base/publication.hpp"
#include "base/types.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tracefold {

/// A regular file open for reading. Errors name the file: Error(io) if it cannot be opened or read.
/// Thread-safe: reads share no position.
class InputFile {
  public:
    explicit InputFile(const std::filesystem::path& path);

    /// Size in bytes when the file was opened.
    [[nodiscard]] u64 size() const { return size_; }

    /// The first offset from `offset` on that is in no hole of the file; at most size().
    [[nodiscard]] u64 next_data(u64 offset) const;
    /// Of `count` bytes from `offset` on, how many there are before a hole up to the last of them.
    [[nodiscard]] u64 data_within(u64 offset, u64 count) const;

    /// True if its content has been written to since it was opened.
    [[nodiscard]] bool has_changed() const;
    /// True if its path leads to no file or to another one by now.
    [[nodiscard]] bool was_replaced() const;

    [[nodiscard]] const std::string& name() const { return file_.name(); }

    /// Returns exactly `count` bytes from `offset` on. Throws Error(corrupt) if the file is
    /// shorter, before any memory is reserved.
    [[nodiscard]] std::string read_at(u64 offset, u64 count) const;
    void read_at(u64 offset, std::span<u8> to) const;

  private:
    void expect_bytes(u64 offset, u64 count) const;

    FileDescriptor file_;
    u64 size_ = 0;
    i64 modified_ = 0;  ///< nanoseconds
    bool has_holes_ = false;
};

/// The running program, links followed; empty if the system does not tell.
std::filesystem::path program_path();

/// The folder of the running program, absolute. Throws Error(io) if the system does not tell it.
std::filesystem::path program_folder();

std::string read_whole_file(const std::filesystem::path& path);

/// Permissions of an output. `usual`: those of the file that it replaces, or by the umask.
enum class Access { usual, owner_only };

/// A file that appears at its target complete or not at all: bytes go to a temporary file beside it
/// (temporary.hpp), commit() moves it to the target; otherwise the destructor removes it.
class AtomicFile {
  public:
    /// Throws Error: usage if the target is an input or another output (publication.hpp); io if the
    /// target exists and `force` is not set, if it is not a regular file, or if its directory
    /// cannot be written. A symbolic link is kept and the file it points to replaced.
    explicit AtomicFile(const std::filesystem::path& target, bool force = false,
                        Access access = Access::usual);

    /// Appends after the last byte that this object wrote.
    void write(std::string_view bytes);
    void write_at(u64 offset, std::string_view bytes);

    /// One more than the greatest offset that this object wrote to.
    [[nodiscard]] u64 size() const { return size_; }

    /// Path of the final file.
    [[nodiscard]] const std::filesystem::path& path() const { return target_; }

    /// Path of the bytes until commit(), for SharedFile in other processes.
    [[nodiscard]] const std::filesystem::path& temporary_path() const { return temporary_path_; }

    /// Syncs the content to disk and moves the file to the target (publication.hpp). All
    /// SharedFiles on it must be finished. Throws Error(io) if that fails or if, without `force`,
    /// the target has been created in the meantime. No writes afterwards.
    void commit();

  private:
    OutputClaim claim_;
    std::filesystem::path target_;
    bool force_;
    Access access_;
    std::optional<Temporary> temporary_;  ///< empty after commit()
    std::filesystem::path temporary_path_;
    u64 size_ = 0;
};

/// A new file, such as one in a temporary folder.
class OutputFile {
  public:
    /// Replaces a file. Throws Error(io), as do the other functions.
    explicit OutputFile(const std::filesystem::path& path);

    /// Appends after the last byte of the previous call.
    void write(std::string_view bytes) {
        write_at(size_, bytes);
        size_ += bytes.size();
    }
    void write_at(u64 offset, std::string_view bytes) const { file_.write_at(offset, bytes); }
    /// Without it, write errors may go undetected.
    void close() { file_.close(); }

  private:
    FileDescriptor file_;
    u64 size_ = 0;
};

/// Writes into a file that another process created (AtomicFile::temporary_path()), each process at
/// its own offsets. Throws Error(io).
class SharedFile {
  public:
    explicit SharedFile(const std::filesystem::path& path);

    void write_at(u64 offset, std::string_view bytes) const { file_.write_at(offset, bytes); }

    /// Syncs to disk and closes. Without it, write errors may go undetected.
    void finish();

  private:
    FileDescriptor file_;
};

/// True if both paths refer to one file (device and inode); false if either does not exist.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Throws Error(io), which names `what`, if the path exists and is not a regular file: opening a
/// named pipe may block forever, and a device may have no end.
void expect_regular_file(const std::filesystem::path& path, const std::string& what);

/// Returns the content of a regular file. Throws Error(io) if it has more than `most` bytes.
std::string read_small_file(const std::filesystem::path& path, u64 most);

}  // namespace tracefold
