// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/export.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// What a tool's --version says about formats and libraries: pairs of a name and a version.
TRACEFOLD_API std::vector<std::pair<std::string, std::string>> format_versions();

}  // namespace tracefold
