// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "proxy/proxy_model.hpp"

#include <string>

namespace tracefold {

/// The C99 source of a proxy application (docs/proxy.md). `name` is that of the trace. Cost: linear
/// in the folded program.
std::string write_proxy(const ProxyModel& model, const std::string& name);

}  // namespace tracefold
