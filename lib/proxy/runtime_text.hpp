// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "proxy/proxy_call.hpp"

#include <set>
#include <string>
#include <string_view>

namespace tracefold {

/// C source that every proxy application begins with: folded numbers, communicators, counting.
std::string_view proxy_core_text();
/// C source that it ends with: the report, options, and the choice of the part by rank.
std::string_view proxy_main_text();

/// C source of the functions, with what they share. `large`: messages of 2 GiB and more.
std::string proxy_helper_text(const std::set<ProxyFunction>& functions, bool large);

}  // namespace tracefold
