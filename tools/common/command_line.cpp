// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/command_line.hpp"

#include "common/suggest.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace tracefold {
namespace {

bool looks_like_option(const std::string& argument) {
    return argument.size() > 1 && argument.front() == '-';
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    for (const CLI::App* chosen : app.get_subcommands()) {
        for (std::string& name : option_names(*chosen)) names.push_back(std::move(name));
    }
    return names;
}

std::vector<std::string> verb_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands(nullptr)) names.push_back(verb->get_name());
    return names;
}

/// Names the command that was chosen, whose help tells most.
std::string help_advice(const CLI::App& app) {
    std::string words = app.get_name();
    for (const CLI::App* chosen : app.get_subcommands()) words += " " + chosen->get_name();
    return "see " + words + " --help";
}

Error usage_error(const CLI::App& app, const std::string& what, const std::string& advice) {
    return {ErrorKind::usage, what + "; " + (advice.empty() ? help_advice(app) : advice)};
}

Error unknown_option(const CLI::App& app, const std::string& argument) {
    const std::string name = argument.substr(0, argument.find('='));
    return usage_error(app, "unknown option " + name, suggestion(name, option_names(app)));
}

std::string list_of_verbs(const std::vector<std::string>& verbs) {
    return "the commands are " + CLI::detail::join(verbs, ", ");
}

/// `or_file`: a file could have stood there as well.
Error unknown_verb(const CLI::App& app, const std::string& word, bool or_file) {
    const auto verbs = verb_names(app);
    const std::string advice = suggestion(word, verbs);
    const std::string what = "unknown command '" + word + "'";
    if (!or_file) return usage_error(app, what, advice);
    return usage_error(
        app, what + ", and there is no such file",
        advice.empty() ? list_of_verbs(verbs) : advice + " (" + list_of_verbs(verbs) + ")");
}

Error unexpected_argument(const CLI::App& app, const std::string& argument, bool or_file) {
    if (!verb_names(app).empty() && app.get_subcommands().empty())
        return unknown_verb(app, argument, or_file);
    return usage_error(app, "unexpected argument '" + argument + "'", "");
}

// An unknown option is named before anything else that is wrong, because it is often the reason:
// its value is then taken for a file.
void reject_leftovers(const CLI::App& app, const std::vector<std::string>& leftovers,
                      bool or_file) {
    const auto option = std::find_if(leftovers.begin(), leftovers.end(), looks_like_option);
    if (option != leftovers.end()) throw unknown_option(app, *option);
    if (!leftovers.empty()) throw unexpected_argument(app, leftovers.front(), or_file);
}

void allow_extras(CLI::App& app) {
    app.allow_extras();
    for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) allow_extras(*verb);
}

bool takes_value(const CLI::App& app, const std::string& name) {
    const CLI::Option* option = app.get_option_no_throw(name);
    return option != nullptr && option->get_items_expected_max() > 0;
}

/// Where the name of a command belongs: the first word that is neither an option nor its value.
std::string first_word(const CLI::App& app, const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!looks_like_option(arguments[i])) return arguments[i];
        if (takes_value(app, arguments[i])) ++i;
    }
    return "";
}

bool stands_for_command(const CLI::App& app, const std::string& word) {
    std::error_code ignored;
    const std::vector<std::string> verbs = verb_names(app);
    return std::ranges::find(verbs, word) == verbs.end() && std::filesystem::exists(word, ignored);
}

}  // namespace

void parse_arguments(CLI::App& app, const std::vector<std::string>& arguments,
                     const std::string& default_command) {
    allow_extras(app);
    const bool or_file = !default_command.empty();
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    if (or_file && stands_for_command(app, first_word(app, arguments))) {
        reversed.push_back(default_command);
    }
    try {
        app.parse(reversed);
    } catch (const CLI::Success&) {
        throw;
    } catch (const UnknownWord& error) {
        reject_leftovers(app, app.remaining(true), or_file);
        throw usage_error(app, error.what(), error.advice());
    } catch (const CLI::ParseError& error) {
        reject_leftovers(app, app.remaining(true), or_file);
        throw usage_error(app, error.what(), "");
    }
    reject_leftovers(app, app.remaining(true), or_file);
}

std::vector<std::string> resolved_options(const CLI::App& app) {
    std::vector<std::string> lines;
    for (const CLI::Option* option : app.get_options()) {
        const std::string value =
            option->count() > 0 ? CLI::detail::join(option->results()) : option->get_default_str();
        if (!value.empty()) lines.push_back(option->get_single_name() + " = " + value);
    }
    for (const CLI::App* chosen : app.get_subcommands()) {
        lines.push_back("command = " + chosen->get_name());
        for (std::string& line : resolved_options(*chosen)) lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace tracefold
