// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/completion_script.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// An option for shell completion.
struct CompletedOption {
    std::vector<std::string> names;  ///< "-o", "--output"
    std::string description;         ///< first line
    bool takes_value = false;
    std::vector<std::string> words;  ///< accepted words; empty: a file, or any value
    bool takes_file = false;
};

/// A tool or one of its commands. Every command also has the options of the tool.
struct CompletedCommand {
    std::string name;
    std::string description;
    std::vector<CompletedOption> options;
    std::vector<CompletedCommand> commands;
};

/// The type without the check that CLI11 appends, as in "LIST:check".
std::string type_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    return type.substr(0, type.find(':'));
}

bool names_a_file(const std::string& type) {
    return type == "FILE" || type == "PATH" || type == "FOLDER" || type == "DIR";
}

/// The words of "bytes|calls"; none for a single word, which names a type.
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

/// The tool and every command have a help option.
void leave_out(const std::vector<CompletedOption>& known, std::vector<CompletedOption>& options) {
    std::erase_if(options, [&known](const CompletedOption& option) {
        return std::ranges::any_of(
            known, [&option](const CompletedOption& other) { return other.names == option.names; });
    });
}

/// Collects the options from a tool's parser. Omits options without a group, which are hidden.
CompletedCommand completion_table(const CLI::App& app) {
    CompletedCommand result{app.get_name(), app.get_description(), {}, {}};
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional() || option->get_group().empty()) continue;
        result.options.push_back(completed(*option));
    }
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
        result.commands.push_back(completion_table(*command));
        leave_out(result.options, result.commands.back().options);
    }
    return result;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return CLI::detail::find_and_replace(std::move(text), what, by);
}

/// Quotes for single quotes of a POSIX shell.
std::string shell_text(const std::string& text) { return replaced(text, "'", "'\\''"); }

std::string names_of(const std::vector<CompletedOption>& options) {
    std::string names;
    for (const CompletedOption& option : options) {
        for (const std::string& name : option.names) names += (names.empty() ? "" : " ") + name;
    }
    return names;
}

std::string names_of(const std::vector<CompletedCommand>& commands) {
    std::string names;
    for (const CompletedCommand& command : commands) {
        names += (names.empty() ? "" : " ") + command.name;
    }
    return names;
}

/// Completes in bash: option values by "command option", option names by command.
class BashScript {
  public:
    explicit BashScript(const CompletedCommand& tool) : tool_(tool) {}

    std::string text() {
        const std::string function = "_" + tool_.name;
        std::string out = fmt::format("# bash completion of {}\n{}() {{\n", tool_.name, function);
        out +=
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
            "    local command='' options='' words='' item\n"
            "    COMPREPLY=()\n";
        out += find_command();
        out += "    case \"$command $before\" in\n";
        for (const CompletedCommand& command : tool_.commands) values_of(command, out);
        values_of({"*", "", tool_.options, {}}, out);
        out +=
            "    esac\n"
            "    if [[ $words == FILE ]]; then compopt -o filenames; "
            "COMPREPLY=($(compgen -f -- \"$word\")); return; fi\n"
            "    if [[ $words == NONE ]]; then return; fi\n"
            "    if [[ -n $words ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); "
            "return; fi\n";
        out += options_by_command();
        out += fmt::format("}}\ncomplete -F {} {}\n", function, tool_.name);
        return out;
    }

  private:
    [[nodiscard]] std::string find_command() const {
        if (tool_.commands.empty()) return "";
        return fmt::format(
            "    for item in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
            "        case $item in {}) command=$item; break ;; esac\n    done\n",
            replaced(names_of(tool_.commands), " ", "|"));
    }

    static void values_of(const CompletedCommand& command, std::string& out) {
        for (const CompletedOption& option : command.options) {
            if (!option.takes_value) continue;
            std::string pattern;
            for (const std::string& name : option.names) {
                const std::string scope =
                    command.name == "*" ? std::string("*") : "\"" + command.name + "\"";
                pattern += (pattern.empty() ? "" : "|") + scope + "\" " + name + "\"";
            }
            std::string words = CLI::detail::join(option.words, " ");
            if (words.empty()) words = option.takes_file ? "FILE" : "NONE";
            out += fmt::format("        {}) words='{}' ;;\n", pattern, words);
        }
    }

    [[nodiscard]] std::string options_by_command() const {
        std::string out = "    case $command in\n";
        for (const CompletedCommand& command : tool_.commands) {
            out += fmt::format("        {}) options='{}' ;;\n", command.name,
                               names_of(command.options));
        }
        out += "    esac\n";
        out += fmt::format("    options=\"$options {}\"\n", names_of(tool_.options));
        out +=
            "    if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); "
            "return; fi\n";
        if (!tool_.commands.empty()) {
            out += fmt::format(
                "    if [[ -z $command ]]; then COMPREPLY=($(compgen -W '{}' -- \"$word\")); fi\n",
                names_of(tool_.commands));
        }
        out +=
            "    compopt -o filenames\n"
            "    COMPREPLY+=($(compgen -f -- \"$word\"))\n";
        return out;
    }

    const CompletedCommand& tool_;
};

/// Completes in zsh by _arguments, with specifications '(-o --output)'{-o,--output}'[text]:'.
class ZshScript {
  public:
    explicit ZshScript(const CompletedCommand& tool) : tool_(tool) {}

    std::string text() {
        std::string out = fmt::format("#compdef {0}\n# zsh completion of {0}\n", tool_.name);
        if (tool_.commands.empty()) {
            out += arguments(tool_.options, {});
            return out;
        }
        out +=
            "local command='' item\n"
            "for item in ${words[2,CURRENT-1]}; do\n";
        out += fmt::format("    case $item in {}) command=$item; break ;; esac\ndone\n",
                           replaced(names_of(tool_.commands), " ", "|"));
        out += "case $command in\n";
        for (const CompletedCommand& command : tool_.commands) {
            out +=
                fmt::format("{})\n{};;\n", command.name, arguments(command.options, tool_.options));
        }
        out += "*)\n" + without_command() + ";;\nesac\n";
        return out;
    }

  private:
    /// Escapes characters that end the text of a specification.
    static std::string spec_text(const std::string& text) {
        std::string out = shell_text(text);
        for (const char* special : {"[", "]", ":"}) {
            out = replaced(out, special, std::string("\\") + special);
        }
        return out;
    }

    static std::string spec(const CompletedOption& option) {
        const std::string all = CLI::detail::join(option.names, " ");
        std::string names = option.names.front();
        if (option.names.size() > 1) names = "{" + CLI::detail::join(option.names, ",") + "}";
        std::string value;
        if (!option.words.empty()) {
            value = ":value:(" + CLI::detail::join(option.words, " ") + ")";
        } else if (option.takes_value) {
            value = option.takes_file ? ":file:_files" : ":value: ";
        }
        return fmt::format("'({})'{}'[{}]{}'", all, names, spec_text(option.description), value);
    }

    static std::string arguments(const std::vector<CompletedOption>& own,
                                 const std::vector<CompletedOption>& shared) {
        std::string out = "_arguments -s -S";
        for (const auto* options : {&own, &shared}) {
            for (const CompletedOption& option : *options) out += " \\\n    " + spec(option);
        }
        return out + " \\\n    '*:file:_files'\n";
    }

    [[nodiscard]] std::string without_command() const {
        std::string out = "local -a commands=(\n";
        for (const CompletedCommand& command : tool_.commands) {
            out += fmt::format("    '{}:{}'\n", command.name, spec_text(command.description));
        }
        out += ")\n_describe -t commands command commands\n";
        return out + arguments(tool_.options, {});
    }

    const CompletedCommand& tool_;
};

/// Completes in fish: one line per option, with its command as a condition.
class FishScript {
  public:
    explicit FishScript(const CompletedCommand& tool) : tool_(tool) {}

    std::string text() {
        std::string out = fmt::format("# fish completion of {}\n", tool_.name);
        for (const CompletedCommand& command : tool_.commands) {
            out += line("__fish_use_subcommand") +
                   fmt::format(" -a {} -d '{}'\n", command.name, fish_text(command.description));
        }
        for (const CompletedOption& option : tool_.options) out += option_line(option, "");
        for (const CompletedCommand& command : tool_.commands) {
            for (const CompletedOption& option : command.options) {
                out += option_line(option, "__fish_seen_subcommand_from " + command.name);
            }
        }
        return out;
    }

  private:
    static std::string fish_text(const std::string& text) {
        return replaced(replaced(text, "\\", "\\\\"), "'", "\\'");
    }

    [[nodiscard]] std::string line(const std::string& condition) const {
        const std::string when = condition.empty() ? "" : " -n '" + condition + "'";
        return "complete -c " + tool_.name + when;
    }

    [[nodiscard]] std::string option_line(const CompletedOption& option,
                                          const std::string& condition) const {
        std::string out = line(condition);
        for (const std::string& name : option.names) {
            out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        }
        if (option.takes_value) out += option.takes_file ? " -r -F" : " -x";
        if (!option.words.empty()) out += " -a '" + CLI::detail::join(option.words, " ") + "'";
        return out + " -d '" + fish_text(option.description) + "'\n";
    }

    const CompletedCommand& tool_;
};

}  // namespace

std::string completion_script(const CLI::App& app, Shell shell) {
    const CompletedCommand tool = completion_table(app);
    switch (shell) {
        case Shell::bash:
            return BashScript(tool).text();
        case Shell::zsh:
            return ZshScript(tool).text();
        case Shell::fish:
            break;
    }
    return FishScript(tool).text();
}

}  // namespace tracefold
