// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "export/proxy/proxy_model.hpp"
#include "file/trace_file.hpp"
#include "mpi/check.hpp"

#include <functional>
#include <string>

namespace tracefold {

/// The C99 source of a proxy application (docs/reference/proxy.md). `name`: of the trace. Cost:
/// linear.
std::string write_proxy(const ProxyModel& model, const std::string& name);

struct Proxy {
    ProxyModel model;
    std::string source;
};

/// Makes a proxy application of a trace: if ranks differ, the shorter of the versions that fold
/// calls by function and by tag. `progress` gets the number of calls read, up to five times each.
/// Memory: the folded program of all ranks. Throws Error: unsupported (several threads of a rank
/// call MPI, calls that wait for each other), corrupt.
Proxy make_proxy(TraceFile& file, const std::function<void(u64)>& progress = {},
                 SizeSource sizes = SizeSource::recorded);

}  // namespace tracefold
