// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/file_descriptor.hpp"

#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>

#include <sys/types.h>

namespace tracefold {

/// A file or folder of this process that is filled beside its place, as "PLACE.part-PID-BOOT". What
/// has that name when this is destroyed is removed, also by remove_temporaries(). It is locked as
/// long as this lives: the next one for the same place removes those without a lock whose process
/// has ended on this machine since it was started, and nobody else's. Any thread may make one.
class Temporary {
  public:
    /// Both throw Error(io). The umask applies to the mode.
    static Temporary file(const std::filesystem::path& place, mode_t mode = 0666);
    static Temporary folder(const std::filesystem::path& place, mode_t mode = 0777);

    /// Folders without a lock, which nobody but this process removes. The first one gets a name of
    /// its own in place of the last six characters of the pattern, which are XXXXXX; the second one
    /// has this name, and there is none if somebody else has made it already. Both throw Error(io).
    static Temporary unique_folder(std::string pattern);
    static std::optional<Temporary> named_folder(const std::filesystem::path& path);

    Temporary(Temporary&& other) noexcept;
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Of a file: open for reading and writing. Of a folder: for its lock, and in reserve, so that
    /// its removal can open it.
    [[nodiscard]] const FileDescriptor& descriptor() const { return descriptor_; }

  private:
    /// Precondition: hold_temporaries().
    Temporary(std::filesystem::path path, FileDescriptor descriptor);

    std::filesystem::path path_;
    FileDescriptor descriptor_;
    std::list<std::filesystem::path>::iterator entry_;  ///< in the list of all
    bool listed_ = true;
};

/// Throws Error(io) if a Temporary that was destroyed since the last call could not be removed.
void check_removals();

/// Whether a path lies in a folder that is a Temporary of this process.
bool is_in_temporary(const std::filesystem::path& path);

/// While somebody has this, no Temporary comes or goes. Whoever makes a folder in one, together
/// with missing folders above it, needs this: a folder that a signal has removed must not come
/// again.
std::unique_lock<std::mutex> hold_temporaries();

/// Makes a folder and those above it, in a Temporary or elsewhere. Precondition: nobody in this
/// thread has hold_temporaries().
void make_folders(const std::filesystem::path& path, std::error_code& error);

/// For a process that is about to end by a signal, from a thread of its own: removes all
/// temporaries, of which `held` is hold_temporaries(). Whoever makes or destroys one from now on
/// waits for ever.
void remove_temporaries(std::unique_lock<std::mutex> held);

/// Removes a file, or a folder with all that is in it, links and not what they lead to. Nothing
/// there is no failure. Opens one folder at a time, and none for a file:
/// std::filesystem::remove_all() opens one for each level, which a process that has used up its
/// file descriptors cannot do. Goes on after a failure, and returns the first one. Memory: the
/// names in the folders of one path.
std::error_code remove_tree(const std::filesystem::path& path);

}  // namespace tracefold
