// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <string>
#include <string_view>

/// What libFuzzer calls, and replay_main.cpp.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tracefold {

/// Decodes hostile bytes: an Error that blames them, or of the further kinds, is fine; everything
/// else is a bug and ends the process.
template <class Action>
int expect_survival(const std::uint8_t* data, std::size_t size, const Action& decode,
                    std::initializer_list<ErrorKind> further = {}) {
    const void* const bytes = data;
    try {
        decode(std::string_view(static_cast<const char*>(bytes), size));
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::unsupported) return 0;
        if (std::ranges::find(further, error.kind()) != further.end()) return 0;
        std::cerr << "wrong kind of error: " << error.what() << '\n';
        std::abort();
    }
    return 0;
}

/// Ends the process unless it holds.
inline void require(bool holds, const char* what) {
    if (holds) return;
    std::cerr << what << '\n';
    std::abort();
}

/// Takes the first byte off.
inline std::uint8_t take_byte(std::string_view& bytes) {
    if (bytes.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    return first;
}

}  // namespace tracefold
