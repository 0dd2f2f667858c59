// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "common/run_tool.hpp"
#include "compress/options.hpp"

namespace tracefold {

/// Reports how large the file would become at each timing level. Rank 0 does the work, all
/// processes end alike.
ExitCode run_estimate(Communicator& comm, const CompressArguments& arguments, Console& console);

}  // namespace tracefold
