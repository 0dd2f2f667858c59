// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace tracefold {

/// A directory that is filled beside its place ("TARGET.part-PID") and then put there; without
/// commit() nothing stays. Into an existing directory (only with `force`) the new entries are moved
/// one by one; what else is there stays.
class AtomicDirectory {
  public:
    /// Throws Error(io) if the target exists, is not empty, and `force` is not set, or if the
    /// directory cannot be made.
    AtomicDirectory(const std::string& target, bool force);
    AtomicDirectory(const AtomicDirectory&) = delete;
    AtomicDirectory& operator=(const AtomicDirectory&) = delete;
    ~AtomicDirectory();

    /// Where to write until commit().
    [[nodiscard]] std::string path() const { return temporary_.string(); }

    /// Puts the directory into place. Throws Error(io).
    void commit();

  private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    bool committed_ = false;
};

}  // namespace tracefold
