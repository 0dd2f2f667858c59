// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/options.hpp"
#include "replay_mpi/replay_result.hpp"

#include <ostream>

namespace tracefold {

/// The result as a page for people, that needs no other file and no network.
void write_html(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result);

}  // namespace tracefold
