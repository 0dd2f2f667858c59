// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/run_tool.hpp"
#include "convert/options.hpp"

namespace tracefold {

/// True if lines of text go to standard output, not a file.
bool prints_lines(const ConvertArguments& arguments);

ExitCode run_convert(ConvertArguments& arguments, Console& console, const CommonOptions& common);

}  // namespace tracefold
