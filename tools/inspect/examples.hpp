// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/run_tool.hpp"

#include <string_view>
#include <vector>

namespace tracefold {

/// The examples that end the help of a command of trace_inspect.
std::vector<ToolSpec::Example> examples_of(std::string_view command);

}  // namespace tracefold
