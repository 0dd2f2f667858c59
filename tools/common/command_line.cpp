// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/command_line.hpp"

#include "base/error.hpp"
#include "common/text.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <sstream>
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

/// Refers to the chosen command, whose help is most specific.
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

/// `or_file`: a file would be valid as well.
Error unknown_verb(const CLI::App& app, const std::string& word, bool or_file) {
    const auto verbs = verb_names(app);
    const std::string advice = suggestion(word, verbs);
    const std::string what = "unknown command '" + word + "'";
    if (!or_file) return usage_error(app, what, advice);
    return usage_error(
        app, what + ", and no such file exists",
        advice.empty() ? list_of_verbs(verbs) : advice + " (" + list_of_verbs(verbs) + ")");
}

Error unexpected_argument(const CLI::App& app, const std::string& argument, bool or_file) {
    if (!verb_names(app).empty() && app.get_subcommands().empty())
        return unknown_verb(app, argument, or_file);
    return usage_error(app, "unexpected argument '" + argument + "'", "");
}

// Reports an unknown option first: its value may have been taken for a file.
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

/// The position of a command name: the first word that is neither an option nor its value.
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

/// Names that follow "--" as paths that look like no option: arguments without an option are files.
/// The parser would not continue a list of names there. A command that has an option --new takes
/// them as its values.
std::vector<std::string> without_end_of_options(const CLI::App& app,
                                                std::vector<std::string> arguments) {
    const auto end = std::ranges::find(arguments, "--");
    if (end == arguments.end()) return arguments;
    for (auto name = end + 1; name != arguments.end(); ++name) {
        if (looks_like_option(*name)) name->insert(0, "./");
    }
    const std::string word = first_word(app, arguments);
    const std::vector<const CLI::App*> verbs = app.get_subcommands(nullptr);
    const bool names_new = std::ranges::any_of(verbs, [&](const CLI::App* verb) {
        return verb->get_name() == word && verb->get_option_no_throw("--new") != nullptr;
    });
    if (names_new) {
        *end = "--new";
    } else {
        arguments.erase(end);
    }
    return arguments;
}

}  // namespace

void parse_arguments(CLI::App& app, const std::vector<std::string>& given,
                     const std::string& default_command) {
    std::vector<std::string> arguments = without_end_of_options(app, given);
    allow_extras(app);
    const bool or_file = !default_command.empty();
    const std::vector<std::string> verbs = verb_names(app);
    if (!verbs.empty() && !arguments.empty() && arguments.front() == "help") {
        arguments.erase(arguments.begin());
        if (!arguments.empty() && std::ranges::find(verbs, arguments.front()) == verbs.end())
            throw unknown_verb(app, arguments.front(), false);
        arguments.emplace_back("--help");
    }
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
    } catch (const CLI::RequiredError& error) {
        reject_leftovers(app, app.remaining(true), or_file);
        std::string what = error.what();
        constexpr std::string_view kEnd = " is required";
        if (what.ends_with(kEnd))
            what.replace(what.size() - kEnd.size(), kEnd.size(), " is missing");
        throw usage_error(app, what, "");
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

namespace {

constexpr std::size_t kNameColumn = 30;
constexpr std::size_t kDescriptionWidth = 50;
constexpr std::size_t kHelpWidth = kNameColumn + kDescriptionWidth;

class HelpFormatter : public CLI::Formatter {
  public:
    HelpFormatter() { column_width(kNameColumn); }

    /// Appends to a command's help the options that all commands share, to APP's help its commands.
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
        std::string text;
        const CLI::App* tool = app->get_parent();
        if (tool != nullptr && mode != CLI::AppFormatMode::Sub) {
            for (const std::string& group : tool->get_groups()) {
                // The tool's own group contains only help and version.
                if (group == "Options" || group.empty()) continue;
                const auto is_in_group = [&group](const CLI::Option* option) {
                    return option->get_group() == group;
                };
                text += make_group(group, false, tool->get_options(is_in_group));
            }
        }
        return text + CLI::Formatter::make_subcommands(app, mode);
    }

    std::string make_subcommand(const CLI::App* command) const override {
        std::ostringstream out;
        CLI::detail::format_help(out, command->get_name(),
                                 wrap(command->get_description(), kDescriptionWidth), kNameColumn);
        return out.str();
    }

    std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
        if (is_positional) return option->get_name(true, false);
        std::string names;
        for (const std::string& name : option->get_snames())
            names += (names.empty() ? "-" : ",-") + name;
        for (const std::string& name : option->get_lnames())
            names += (names.empty() ? "--" : ",--") + name;
        return names;
    }

    std::string make_option_opts(const CLI::Option* option) const override {
        if (option->get_positional() || option->get_type_size() == 0) return "";
        // CLI11 appends the names of checks after a colon.
        const std::string type = option->get_type_name();
        std::string text = " " + type.substr(0, type.find(':'));
        // Long lists of words continue on the next line.
        const std::size_t first = 2 + make_option_name(option, false).size();
        for (std::size_t begin = 0, room = kHelpWidth - first; text.size() - begin > room;) {
            const std::size_t bar = text.rfind('|', begin + room - 1);
            if (bar == std::string::npos || bar <= begin) break;
            begin = bar + 1;
            text.insert(begin, "\n" + std::string(first + 1, ' '));
            ++begin;
            room = kHelpWidth;
        }
        return text;
    }

    std::string make_option_desc(const CLI::Option* option) const override {
        // A description that names a default explains it better.
        const std::string preset = option->get_default_str();
        const bool tells = option->get_type_size() != 0 && !preset.empty() && preset != "[]" &&
                           option->get_description().find("default") == std::string::npos;
        const std::string text =
            option->get_description() + (tells ? " (default: " + preset + ")" : "");
        return wrap(text, kDescriptionWidth);
    }
};

}  // namespace

std::shared_ptr<CLI::Formatter> help_formatter() { return std::make_shared<HelpFormatter>(); }

namespace {

// Optimal string alignment: edit distance with swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            cost[i][j] =
                std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& candidates) {
    std::optional<std::string> best;
    std::size_t limit = word.size() / 3 + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < limit) {
            best = candidate;
            limit = distance;
        }
    }
    return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
    const auto best = nearest_name(word, candidates);
    return best ? "did you mean " + *best + "?" : "";
}

UnknownWord::UnknownWord(const std::string& word, const std::vector<std::string>& words)
    : CLI::ValidationError("'" + word + "' is none of " + CLI::detail::join(words, "|")),
      advice_(suggestion(word, words)) {}

}  // namespace tracefold
