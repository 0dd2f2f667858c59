// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/trace_clock.hpp"

#include "analysis/node_clocks.hpp"

namespace tracefold::inline exporters {

TraceClocks::TraceClocks(TraceFile& file)
    : clock_(common_clock(file)), nanoseconds_(file.definitions(), clock_.start()) {}

}  // namespace tracefold::inline exporters
