// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace tracefold::inline core {

/// Appends `text` as a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string_view text, std::string& out);

}  // namespace tracefold::inline core
