// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tracefold {

enum class Shell { bash, zsh, fish };

/// A script for shell completion of a tool's command line: commands, options, option values, files.
std::string completion_script(const CLI::App& app, Shell shell);

}  // namespace tracefold
