// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cut/cut_request.hpp"
#include "cut/interval.hpp"
#include "trace/trace_file.hpp"

namespace tracefold {

/// The intervals of all locations that a request's times and iterations ask for; none for locations
/// that it does not ask for. Iterations are those of the main loop (find_main_loop()) of the first
/// location of each rank; its other locations have the same stretches of time. Throws Error: usage
/// (no times in the file, no such loop or iteration), corrupt. Cost: unwinds the first location of
/// each rank if iterations are asked for. Memory: the intervals, where iterations in a row are one.
std::vector<Intervals> find_intervals(TraceFile& file, const CutRequest& request);

}  // namespace tracefold
