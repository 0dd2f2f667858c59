// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/file_descriptor.hpp"

#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>

#include <sys/types.h>

namespace tracefold {

/// A temporary file or folder beside its target, as "PLACE.part-PID-BOOT". The destructor and
/// remove_temporaries() remove any file of that name. It is locked during its lifetime: the next
/// Temporary for the same target removes unlocked ones of ended processes of this machine since its
/// boot, and no others. Thread-safe.
class Temporary {
  public:
    /// Both throw Error(io). The umask applies to the mode.
    static Temporary file(const std::filesystem::path& place, mode_t mode = 0666);
    static Temporary folder(const std::filesystem::path& place, mode_t mode = 0777);

    /// Unlocked folders that only this process removes. unique_folder() replaces the last six
    /// characters of the pattern, which are XXXXXX, by a unique suffix; the second function makes
    /// the given folder, and returns none if it already exists. Both throw Error(io).
    static Temporary unique_folder(std::string pattern);
    static std::optional<Temporary> named_folder(const std::filesystem::path& path);

    Temporary(Temporary&& other) noexcept;
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// File: open for reading and writing. Folder: holds the lock, and reserves a descriptor.
    [[nodiscard]] const FileDescriptor& descriptor() const { return descriptor_; }

  private:
    /// Precondition: hold_temporaries().
    Temporary(std::filesystem::path path, FileDescriptor descriptor);

    std::filesystem::path path_;
    FileDescriptor descriptor_;
    std::list<std::filesystem::path>::iterator entry_;  ///< in the list of all temporaries
    bool listed_ = true;
};

/// A private folder for temporary files; rank 0 creates it and removes it with its content.
class ScratchFolder {
  public:
    /// Collective. Throws Error(io) on all processes, with `advice` if the parent is read-only.
    ScratchFolder(Communicator& comm, const std::string& parent,
                  const std::string& advice = kOtherTmpdir);
    /// For this process alone.
    explicit ScratchFolder(const std::string& parent, const std::string& advice = kOtherTmpdir);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    static constexpr const char* kOtherTmpdir = "set TMPDIR to a folder that can be written";
    static constexpr const char* kOtherOutput = "choose another place for the output";

  private:
    void create(const std::string& parent, const std::string& advice);

    std::optional<Temporary> own_;  ///< on rank 0
    std::filesystem::path path_;
};

/// Throws Error(io) if a Temporary destroyed since the last call could not be removed.
void check_removals();

/// True if the path lies in a Temporary folder of this process.
bool is_in_temporary(const std::filesystem::path& path);

/// Locks the list of temporaries: none is made or destroyed meanwhile. Take the lock to create a
/// folder in one, including parents: a folder removed by a signal handler must not reappear.
std::unique_lock<std::mutex> hold_temporaries();
/// The same, without the lock if another thread, or this one, has it.
std::unique_lock<std::mutex> try_hold_temporaries();

/// Makes a folder and its parents, in a Temporary or elsewhere. Precondition: this thread does not
/// hold the lock of hold_temporaries().
void make_folders(const std::filesystem::path& path, std::error_code& error);

/// Removes all temporaries before the process ends by a signal or an uncaught exception. `held` is
/// hold_temporaries(). Making or destroying a Temporary blocks forever from now on.
void remove_temporaries(std::unique_lock<std::mutex> held);

/// Removes a file or a folder tree; links are removed, not followed. A missing path is not an
/// error. Opens one folder at a time and no file, whereas std::filesystem::remove_all() opens one
/// per level, which fails in a process without free file descriptors. Continues after a failure and
/// returns the first one. Memory: the names in the folders of one path.
std::error_code remove_tree(const std::filesystem::path& path);

}  // namespace tracefold
