// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/proxy_call.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

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

ProxyFunction proxy_function(MpiFunction function) {
    const std::string_view name = name_of(function).substr(4);
    const auto found = std::ranges::find(kFunctions, name, &ProxyFunctionInfo::name);
    if (found == kFunctions.end()) {
        throw Error(ErrorKind::internal, "a proxy has no such function");
    }
    return static_cast<ProxyFunction>(found - kFunctions.begin());
}

}  // namespace tracefold
