// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/completion_table.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// "LIST:check" without the check, which CLI11 appends.
std::string type_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    return type.substr(0, type.find(':'));
}

bool names_a_file(const std::string& type) {
    return type == "FILE" || type == "PATH" || type == "FOLDER" || type == "DIR";
}

/// "bytes|calls" as words; nothing if there is only one, which is the name of something.
std::vector<std::string> words_of(const std::string& type) {
    if (type.find('|') == std::string::npos) return {};
    std::vector<std::string> words;
    for (const std::string& word : CLI::detail::split(type, '|')) {
        words.push_back(word.substr(0, word.find_first_of("[=")));
    }
    return words;
}

CompletedOption completed(const CLI::Option& option) {
    CompletedOption result;
    for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
    result.description = option.get_description();
    result.takes_value = option.get_items_expected_max() > 0 && option.get_type_size() != 0;
    if (!result.takes_value) return result;
    const std::string type = type_of(option);
    result.words = words_of(type);
    result.takes_file = result.words.empty() && names_a_file(type);
    return result;
}

/// Help is an option of the tool and of every command.
void leave_out(const std::vector<CompletedOption>& known, std::vector<CompletedOption>& options) {
    std::erase_if(options, [&known](const CompletedOption& option) {
        return std::ranges::any_of(
            known, [&option](const CompletedOption& other) { return other.names == option.names; });
    });
}

}  // namespace

CompletedCommand completion_table(const CLI::App& app) {
    CompletedCommand result{app.get_name(), app.get_description(), {}, false, {}};
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional()) {
            result.takes_file = true;
        } else if (!option->get_group().empty()) {
            result.options.push_back(completed(*option));
        }
    }
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
        result.commands.push_back(completion_table(*command));
        leave_out(result.options, result.commands.back().options);
    }
    return result;
}

}  // namespace tracefold
