// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "io/temporary.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace tracefold {

/// A folder of its own for temporary files; rank 0 creates and removes it, with all that is in it.
class ScratchFolder {
  public:
    /// Collective. Throws Error(io) on all processes.
    ScratchFolder(Communicator& comm, const std::string& parent);
    /// Of this process alone.
    explicit ScratchFolder(const std::string& parent);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    void create(const std::string& parent);

    std::optional<Temporary> own_;  ///< on rank 0
    std::filesystem::path path_;
};

}  // namespace tracefold
