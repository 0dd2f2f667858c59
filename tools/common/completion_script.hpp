// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tracefold {

enum class Shell { bash, zsh, fish };

/// A script that makes the shell complete the command line of a tool: commands, options, the words
/// that an option takes, and files.
std::string completion_script(const CLI::App& app, Shell shell);

}  // namespace tracefold
