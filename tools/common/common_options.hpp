// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "common/command_line.hpp"
#include "common/console.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// Values of the options that all tools share.
struct CommonOptions {
    bool force = false;
    bool quiet = false;
    int verbosity = 0;
    bool json = false;
    std::optional<u64> max_size;  ///< bytes of the JSON object
    bool wide = false;
    bool no_pager = false;
    When progress = When::automatic;
    When color = When::automatic;
};

/// Selects the shared options of a tool. Always present: --wide, -v, -q, --color,
/// --completion, --version.
struct SharedOptions {
    bool force = true;     ///< -f, --force
    bool json = true;      ///< --json, --max-size
    bool progress = true;  ///< --progress, --no-progress
    bool pager = false;    ///< --no-pager
};

/// Adds the shared options to APP; parsing fills VALUES, which must outlive APP.
void add_common_options(CLI::App& app, CommonOptions& values, const SharedOptions& shared);

/// Adds --threads N; VALUE stays 0 if it is not given. `does`: their work, "read and fold".
CLI::Option* add_threads_option(CLI::App& app, u32& value, const std::string& does,
                                const std::string& preset);

/// Adds --unsupported, for commands that replay or check for replay. SKIP must outlive APP.
void add_unsupported_option(CLI::App& app, bool& skip);

ConsoleSettings console_settings(const CommonOptions& values, const std::string& tool, int rank);

template <typename Value>
using OptionWords = std::vector<std::pair<std::string, Value>>;

/// The value of a word. Throws UnknownWord.
template <typename Value>
Value chosen(const OptionWords<Value>& choices, const std::string& word) {
    std::vector<std::string> words;
    for (const auto& [known, meaning] : choices) {
        if (known == word) return meaning;
        words.push_back(known);
    }
    throw UnknownWord(word, words);
}

/// The word of a value; empty if there is none.
template <typename Value>
std::string word_of(const OptionWords<Value>& choices, const Value& value) {
    const auto found = std::ranges::find(choices, value, &std::pair<std::string, Value>::second);
    return found == choices.end() ? "" : found->first;
}

/// Adds an option of a few words, "--color auto|always|never". The current VALUE is the default.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& names, Value& value,
                        const OptionWords<Value>& choices, const std::string& description) {
    std::string words;
    for (const auto& [word, meaning] : choices) words += (words.empty() ? "" : "|") + word;
    const auto assign = [&value, choices](const std::string& word) {
        value = chosen(choices, word);
    };
    return app.add_option_function<std::string>(names, assign, description)
        ->type_name(words)
        ->default_str(word_of(choices, value));
}

}  // namespace tracefold
