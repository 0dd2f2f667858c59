// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/file.hpp"
#include "replay/options.hpp"
#include "replay_mpi/replay_result.hpp"

#include <deque>

namespace tracefold {

/// The files of a report. They are opened before a replay, so that it does not run in vain.
class ReportFiles {
  public:
    /// Throws Error(io) if one exists and `force` is not set, or cannot be written.
    ReportFiles(const ReplayArguments& arguments, bool force);

    /// Writes all. Throws Error(io).
    void write(const ReplayArguments& arguments, const ReplayResult& result);

  private:
    std::deque<AtomicFile> files_;
};

}  // namespace tracefold
