// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "proxy/proxy_call.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// C source that several functions of a proxy application share, in its order.
enum class SharedText : u8 {
    peers,
    buffers,
    nowhere,
    requests,
    persistent,
    probes,
    lists,
    groups,
    layout,
    types,
};
inline constexpr std::size_t kSharedTexts = 10;
std::string_view shared_text(SharedText which);

/// The C source of one function, and what it needs.
struct Helper {
    std::string text;
    std::vector<SharedText> needs;
};
/// Of functions about messages and their completion, up to ProxyFunction::free_persistent.
Helper message_helper(ProxyFunction function);
/// Of functions that make and free communicators, from ProxyFunction::Comm_dup on.
Helper communicator_helper(ProxyFunction function);
/// From ProxyFunction::Probe to ProxyFunction::Imrecv.
Helper probe_helper(ProxyFunction function);

/// A text with every mark replaced by a word.
std::string replaced(std::string_view text, char mark, std::string_view word);

}  // namespace tracefold
