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

/// Parses ARGUMENTS (without the name of the tool). Where the name of a command should be, there
/// may be an existing file or folder instead if there is a DEFAULT_COMMAND, which is then meant.
/// Throws CLI::Success for --help and its like, and Error(usage) for everything that is wrong, with
/// the nearest name where one is unknown.
void parse_arguments(CLI::App& app, const std::vector<std::string>& arguments,
                     const std::string& default_command = "");

/// "name = value" for every option of APP and of the chosen subcommands that was given or has a
/// default.
std::vector<std::string> resolved_options(const CLI::App& app);

/// Lays out --help: names and the type as it was set by hand, then the description with the
/// default in parentheses. CLI11's own layout shows its checks and exclusions as well.
std::shared_ptr<CLI::Formatter> help_formatter();

/// The candidate that WORD was most likely meant to be: the one with the fewest inserted, deleted,
/// changed or swapped characters; none if that takes more than a third of the word. The first of
/// several equals wins.
std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& candidates);

/// "did you mean NAME?"; empty if no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// The value of an option is none of the words that it takes.
class UnknownWord : public CLI::ValidationError {
  public:
    UnknownWord(const std::string& word, const std::vector<std::string>& words);

    /// suggestion() for the word.
    [[nodiscard]] const std::string& advice() const { return advice_; }

  private:
    std::string advice_;
};

}  // namespace tracefold
