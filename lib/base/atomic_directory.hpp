// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/publication.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tracefold {

/// Identifies an earlier output of the same kind in its folder.
struct EarlierOutput {
    std::string anchor;  ///< a file that every such output contains
    /// True if such an output may contain this file, for example "traces/0.evt".
    std::function<bool(const std::string& file)> has;
};

/// A directory that is filled in a temporary place beside its target (temporary.hpp) and moved to
/// the target by commit(); without commit() it is removed. With `force` it replaces an earlier
/// output, but never a folder with other content.
class AtomicDirectory {
  public:
    /// Throws Error: usage if the target is an input or another output; io if the target is a file,
    /// if it is not empty and `force` is not set or it is not an earlier output, or if the
    /// directory cannot be created.
    AtomicDirectory(const std::string& target, bool force, EarlierOutput earlier = {});

    /// Folder to write to until commit().
    [[nodiscard]] std::string path() const { return temporary_->path().string(); }

    /// Moves the directory to the target (publication.hpp). Throws Error as the constructor.
    void commit();

  private:
    std::string name_;  ///< of the target, as given
    OutputClaim claim_;
    std::filesystem::path target_;
    bool force_;
    EarlierOutput earlier_;
    std::optional<Temporary> temporary_;  ///< empty after commit()
};

}  // namespace tracefold
