// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// Parses ARGUMENTS (without the name of the tool). Where the name of a command should be, there
/// may be an existing file or folder instead if there is a DEFAULT_COMMAND, which is then meant.
/// Throws CLI::Success for --help and its like, and Error(usage) for everything that is wrong, with
/// the nearest name where one is unknown.
void parse_arguments(CLI::App& app, const std::vector<std::string>& arguments,
                     const std::string& default_command = "");

/// "name = value" for every option of APP and of the chosen subcommands that was given or has a
/// default.
std::vector<std::string> resolved_options(const CLI::App& app);

}  // namespace tracefold
