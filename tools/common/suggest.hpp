// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

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
