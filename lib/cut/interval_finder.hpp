// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cut/cut_request.hpp"
#include "cut/interval.hpp"
#include "trace/trace_file.hpp"

namespace tracefold {

/// The intervals of all locations that a request's times and iterations ask for; none for locations
/// that it does not ask for. Iterations (analysis/iterations.hpp) are those of the first location
/// of each rank; its other locations have the same stretches of time. Throws Error: usage (no times
/// in the file, no such iteration), corrupt. Cost: that of finding the iterations, and unwinds the
/// first location of each rank if they are asked for. Memory: the intervals, where iterations in a
/// row are one.
std::vector<Intervals> find_intervals(TraceFile& file, const CutRequest& request);

}  // namespace tracefold
