// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/publication.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tracefold {

/// What an earlier output of the same kind has in its folder.
struct EarlierOutput {
    std::string anchor;  ///< the file that every such output has
    /// Whether such an output may have this file, as "traces/0.evt".
    std::function<bool(const std::string& file)> has;
};

/// A directory that is filled beside its place (io/temporary.hpp) and then put there; without
/// commit() nothing stays. With `force` it takes the place of an earlier output, never of a folder
/// with anything else in it.
class AtomicDirectory {
  public:
    /// Throws Error: usage if the place belongs to an input or another output; io if the target is
    /// a file, if it has something in it and `force` is not set or that is not of an earlier
    /// output, or if the directory cannot be made.
    AtomicDirectory(const std::string& target, bool force, EarlierOutput earlier = {});

    /// Where to write until commit().
    [[nodiscard]] std::string path() const { return temporary_->path().string(); }

    /// Puts the directory into place (io/publication.hpp). Throws Error as the constructor.
    void commit();

  private:
    std::string name_;  ///< of the target, as it was given
    OutputClaim claim_;
    std::filesystem::path target_;
    bool force_;
    EarlierOutput earlier_;
    std::optional<Temporary> temporary_;  ///< until commit()
};

}  // namespace tracefold
