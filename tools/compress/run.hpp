// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "common/run_tool.hpp"
#include "compress/options.hpp"

namespace tracefold {

/// Folds the archive and reports the result on rank 0.
ExitCode run_compress(Communicator& comm, const CompressArguments& arguments, Console& console,
                      const CommonOptions& common, const std::string& producer);

}  // namespace tracefold
