// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// A folder of folded files, the baselines of a program. Files that it adds are named by date and
/// content, "20260131T120000Z-0123456789abcdef.tfold", so that their order is that of their names.
class BaselineFolder {
  public:
    /// Lists the files, by name. Throws Error(io) if the folder cannot be read; with `create` a
    /// missing one is empty.
    BaselineFolder(const std::string& folder, bool create);

    [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

    /// Adds a copy of a file, each beside its target and renamed; not if the folder has its
    /// content. Returns the path of the copy, or an empty text. Throws Error(io).
    std::string add(const std::string& file);

    /// Removes the oldest files that this class has named, beyond `keep` files in all. Returns
    /// their number. Throws Error(io).
    u64 rotate(std::size_t keep);

  private:
    std::filesystem::path folder_;
    std::vector<std::string> files_;
};

}  // namespace tracefold
