// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pipeline/trace_file.hpp"
#include "proxy/proxy_model.hpp"

#include <functional>

namespace tracefold {

/// Checks that the trace can be issued, translates the calls of all ranks and folds them again, as
/// a proxy application has them: requests by age, communicators by number, sizes as arguments.
/// `progress` is told of calls as they are read, three times each. Memory: the folded program of
/// all ranks, and what one rank has outstanding. Cost: about a microsecond a call. Throws Error:
/// unsupported (no MPI, several threads of a rank call MPI, calls that wait for each other),
/// corrupt.
ProxyModel build_proxy_model(TraceFile& file, const std::function<void(u64)>& progress = {});

}  // namespace tracefold
