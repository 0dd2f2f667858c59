// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "proxy/proxy_call.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// A text with a word replaced wherever it stands.
std::string replaced(std::string text, std::string_view word, std::string_view by);

struct CollectiveText {
    std::string source;
    bool posts = false;      ///< a request
    bool has_lists = false;  ///< a count per partner
};

/// The C function of a collective, blocking or not. Bytes are counted as OTF2 does.
CollectiveText proxy_collective_text(ProxyFunction function);

}  // namespace tracefold
