// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <list>

namespace tracefold {

/// A path, such as that of a socket, that the destructor removes, and remove_temporaries() if the
/// process ends by a signal.
class RemovedPath {
  public:
    explicit RemovedPath(const std::filesystem::path& path);
    RemovedPath(const RemovedPath&) = delete;
    RemovedPath& operator=(const RemovedPath&) = delete;
    ~RemovedPath();

  private:
    std::list<std::filesystem::path>::iterator entry_;  ///< in the list of all temporaries
};

}  // namespace tracefold
