// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/command_line.hpp"

#include "common/suggest.hpp"
#include "core/error.hpp"

#include <algorithm>

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

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
    const auto best = nearest_name(word, candidates);
    return best ? "did you mean " + *best + "?" : "";
}

std::string help_advice(const CLI::App& app) { return "see " + app.get_name() + " --help"; }

Error usage_error(const CLI::App& app, const std::string& what, const std::string& advice) {
    return {ErrorKind::usage, what + "; " + (advice.empty() ? help_advice(app) : advice)};
}

Error unknown_option(const CLI::App& app, const std::string& argument) {
    const std::string name = argument.substr(0, argument.find('='));
    return usage_error(app, "unknown option " + name, suggestion(name, option_names(app)));
}

Error unexpected_argument(const CLI::App& app, const std::string& argument) {
    const auto verbs = verb_names(app);
    if (!verbs.empty() && app.get_subcommands().empty())
        return usage_error(app, "unknown command '" + argument + "'", suggestion(argument, verbs));
    return usage_error(app, "unexpected argument '" + argument + "'", "");
}

// An unknown option is named before anything else that is wrong, because it is often the reason:
// its value is then taken for a file.
void reject_leftovers(const CLI::App& app, const std::vector<std::string>& leftovers) {
    const auto option = std::find_if(leftovers.begin(), leftovers.end(), looks_like_option);
    if (option != leftovers.end()) throw unknown_option(app, *option);
    if (!leftovers.empty()) throw unexpected_argument(app, leftovers.front());
}

void allow_extras(CLI::App& app) {
    app.allow_extras();
    for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) allow_extras(*verb);
}

}  // namespace

void parse_arguments(CLI::App& app, const std::vector<std::string>& arguments) {
    allow_extras(app);
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        app.parse(reversed);
    } catch (const CLI::Success&) {
        throw;
    } catch (const CLI::ParseError& error) {
        reject_leftovers(app, app.remaining(true));
        throw usage_error(app, error.what(), "");
    }
    reject_leftovers(app, app.remaining(true));
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
