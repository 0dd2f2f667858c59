// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>

namespace tracefold::inline core {

/// Bytes of the UTF-8 sequence at the front of `text`; 0 if there is none or it is not valid.
std::size_t utf8_sequence(std::string_view text);

}  // namespace tracefold::inline core
