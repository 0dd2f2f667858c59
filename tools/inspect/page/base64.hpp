// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

/// Bytes as letters (RFC 4648), with padding.
std::string base64(std::string_view bytes);

}  // namespace tracefold
