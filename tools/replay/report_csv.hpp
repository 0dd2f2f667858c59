// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/options.hpp"
#include "replay_mpi/replay_result.hpp"

#include <ostream>

namespace tracefold {

/// The result as one table with a line for every number: section, rank (empty: all), name,
/// quantity, value. RFC 4180.
void write_csv(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result);

}  // namespace tracefold
