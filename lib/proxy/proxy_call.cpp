// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/proxy_call.hpp"

#include <algorithm>
#include <array>

namespace tracefold::inline proxy {

namespace {

constexpr std::array kFunctions = {
#define TRACEFOLD_INFO(name, arguments) ProxyFunctionInfo{#name, arguments},
    TRACEFOLD_PROXY_CALLS(TRACEFOLD_INFO)
#undef TRACEFOLD_INFO
};

}  // namespace

const ProxyFunctionInfo& proxy_function_info(ProxyFunction function) {
    return kFunctions[static_cast<std::size_t>(function)];
}

std::optional<ProxyFunction> find_proxy_function(std::string_view name) {
    const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                    [name](const auto& info) { return info.name == name; });
    if (found == kFunctions.end()) return std::nullopt;
    return static_cast<ProxyFunction>(found - kFunctions.begin());
}

}  // namespace tracefold::inline proxy
