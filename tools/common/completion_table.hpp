// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// An option as a shell completes it.
struct CompletedOption {
    std::vector<std::string> names;  ///< "-o", "--output"
    std::string description;         ///< its first line
    bool takes_value = false;
    std::vector<std::string> words;  ///< what the value is one of; empty: a file, or anything
    bool takes_file = false;
};

/// A tool, or a command of it. The options of the tool are those of every command, too.
struct CompletedCommand {
    std::string name;
    std::string description;
    std::vector<CompletedOption> options;
    bool takes_file = false;  ///< besides options
    std::vector<CompletedCommand> commands;
};

/// What the parser of a tool knows about its options, and nothing else. Options in no group are
/// hidden and left out.
CompletedCommand completion_table(const CLI::App& app);

}  // namespace tracefold
