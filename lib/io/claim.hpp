// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>

namespace tracefold {

/// As long as one exists, no output of this process replaces that file, a folder that it lies in,
/// or, if it is a folder, anything in it. What does not exist is nobody's. Any thread may make one.
class InputClaim {
  public:
    explicit InputClaim(const std::filesystem::path& input);

  private:
    std::shared_ptr<const std::filesystem::path> path_;
};

/// Throws Error(usage) if an output there would replace an input of this process. Files are
/// compared by device and inode, so links are seen through.
void refuse_inputs(const std::filesystem::path& output);

/// As long as one exists, no other output of this process goes to the same place, into it, or
/// around it. The parts of an output that is not complete need none and get none.
class OutputClaim {
  public:
    /// Throws Error(usage) if the place belongs to an input or to another output.
    explicit OutputClaim(const std::filesystem::path& output);

  private:
    std::shared_ptr<const std::filesystem::path> path_;
};

}  // namespace tracefold
