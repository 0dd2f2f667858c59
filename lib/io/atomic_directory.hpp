// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace tracefold {

/// What an earlier output of the same kind has in its folder.
struct EarlierOutput {
    std::string anchor;  ///< the file that every such output has
    /// Whether such an output may have this file, as "traces/0.evt".
    std::function<bool(const std::string& file)> has;
};

/// A directory that is filled beside its place ("TARGET.part-PID") and then put there; without
/// commit() nothing stays. With `force` it takes the place of an earlier output, never of a folder
/// with anything else in it.
class AtomicDirectory {
  public:
    /// Throws Error(io) if the target is a file, if it has something in it and `force` is not set
    /// or that is not of an earlier output, or if the directory cannot be made.
    AtomicDirectory(const std::string& target, bool force, EarlierOutput earlier = {});
    AtomicDirectory(const AtomicDirectory&) = delete;
    AtomicDirectory& operator=(const AtomicDirectory&) = delete;
    ~AtomicDirectory();

    /// Where to write until commit().
    [[nodiscard]] std::string path() const { return temporary_.string(); }

    /// Puts the directory into place, in one step. Throws Error(io) as the constructor.
    void commit();

  private:
    std::string name_;  ///< of the target, as it was given
    std::filesystem::path target_;
    bool force_;
    EarlierOutput earlier_;
    std::filesystem::path temporary_;
};

}  // namespace tracefold
