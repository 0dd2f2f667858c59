// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// Parses ARGUMENTS (without the tool's name). With a DEFAULT_COMMAND, an existing file or folder
/// in place of a command name selects it; "help COMMAND" is "COMMAND --help". Throws CLI::Success
/// for --help and similar options, and Error(usage) for invalid arguments, with the nearest name
/// for unknown ones.
void parse_arguments(CLI::App& app, const std::vector<std::string>& arguments,
                     const std::string& default_command = "");

/// "name = value" for every option of APP and its chosen subcommands that has a value.
std::vector<std::string> resolved_options(const CLI::App& app);

/// Formats --help: option names and type, then the description with the default in parentheses.
/// CLI11's own format also shows checks and exclusions.
std::shared_ptr<CLI::Formatter> help_formatter();

/// The candidate nearest to WORD: with the fewest inserted, deleted, changed or swapped characters;
/// none if that exceeds a third of the word. The first one in case of a tie.
std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& candidates);

/// "did you mean NAME?"; empty without a near candidate.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// An option value that is not among the accepted words.
class UnknownWord : public CLI::ValidationError {
  public:
    UnknownWord(const std::string& word, const std::vector<std::string>& words);

    /// suggestion() for the word.
    [[nodiscard]] const std::string& advice() const { return advice_; }

  private:
    std::string advice_;
};

}  // namespace tracefold
