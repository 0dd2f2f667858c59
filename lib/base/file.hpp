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
/// Reads are independent of each other, so several threads may use one InputFile.
class InputFile {
  public:
    explicit InputFile(const std::filesystem::path& path);

    /// Bytes in the file when it was opened.
    [[nodiscard]] u64 size() const { return size_; }

    [[nodiscard]] const std::string& name() const { return file_.name(); }

    /// Exactly `count` bytes from `offset` on. Throws Error(corrupt) if the file does not have
    /// them, before any memory is reserved.
    [[nodiscard]] std::string read_at(u64 offset, u64 count) const;
    /// Fills `to` with the bytes from `offset` on.
    void read_at(u64 offset, std::span<u8> to) const;

  private:
    void expect_bytes(u64 offset, u64 count) const;

    FileDescriptor file_;
    u64 size_;
};

/// The content of a regular file.
std::string read_whole_file(const std::filesystem::path& path);

/// Who may read and write an output. `usual`: as the file that it replaces, or as the umask says.
enum class Access { usual, owner_only };

/// A file that appears at its place whole or not at all: bytes go to a temporary file beside it
/// (io/temporary.hpp), commit() puts it into place, and the destructor without commit() removes
/// it.
class AtomicFile {
  public:
    /// Throws Error: usage if the place belongs to an input or another output (io/claim.hpp); io if
    /// the target exists and `force` is not set, if it is not a regular file, or if its directory
    /// cannot be written. A symbolic link stays, the file it points to is
    /// replaced.
    explicit AtomicFile(const std::filesystem::path& target, bool force = false,
                        Access access = Access::usual);

    /// Appends after the last byte that this object wrote.
    void write(std::string_view bytes);
    void write_at(u64 offset, std::string_view bytes);

    /// One more than the greatest offset that this object wrote to.
    [[nodiscard]] u64 size() const { return size_; }

    /// Where the file will be.
    [[nodiscard]] const std::filesystem::path& path() const { return target_; }

    /// Where the bytes are until commit(), for SharedFile in other processes.
    [[nodiscard]] const std::filesystem::path& temporary_path() const { return temporary_path_; }

    /// Puts the file into place (io/publication.hpp) once its content is on the disk. All
    /// SharedFiles on it must be finished. Throws Error(io) if that fails or if, without `force`,
    /// the target has appeared in the meantime. Nothing may be written afterwards.
    void commit();

  private:
    OutputClaim claim_;
    std::filesystem::path target_;
    bool force_;
    Access access_;
    std::optional<Temporary> temporary_;  ///< until commit()
    std::filesystem::path temporary_path_;
    u64 size_ = 0;
};

/// Writes into a file that another process created (AtomicFile::temporary_path()), each process at
/// offsets of its own. Throws Error(io).
class SharedFile {
  public:
    explicit SharedFile(const std::filesystem::path& path);

    void write_at(u64 offset, std::string_view bytes) const { file_.write_at(offset, bytes); }

    /// Waits until the bytes are on the disk and closes. Without it, errors may go unnoticed.
    void finish();

  private:
    FileDescriptor file_;
};

/// True if both paths lead to the same file (device and inode); false if one of them leads nowhere.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Throws Error(io), which names `what`, if there is something at the path that is not a regular
/// file: to open a named pipe may take for ever, and a device may have no end.
void expect_regular_file(const std::filesystem::path& path, const std::string& what);

/// The content of a regular file. Throws Error(io) if it has more than `most` bytes.
std::string read_small_file(const std::filesystem::path& path, u64 most);

}  // namespace tracefold
