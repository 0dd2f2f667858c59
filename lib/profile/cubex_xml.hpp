// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// Text between tags, or of an attribute.
std::string xml_text(std::string_view text);

/// <tag>text</tag>
std::string xml_element(std::string_view tag, std::string_view text);

/// A number as the value of an attribute.
inline std::string xml_id(i64 number) { return "\"" + std::to_string(number) + "\""; }

}  // namespace tracefold
