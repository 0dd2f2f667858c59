// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pipeline/trace_file.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace tracefold {

/// A folded file, or an OTF2 archive (its folder or anchor file), which is folded into a temporary
/// file first; that is removed at the end.
class DiffInput {
  public:
    /// Throws Error: io, corrupt, unsupported.
    explicit DiffInput(const std::string& path);
    DiffInput(const DiffInput&) = delete;
    DiffInput& operator=(const DiffInput&) = delete;
    ~DiffInput();

    TraceFile& file() { return *file_; }

  private:
    std::filesystem::path folder_;  ///< of the temporary file; empty: none
    std::unique_ptr<TraceFile> file_;
};

}  // namespace tracefold
