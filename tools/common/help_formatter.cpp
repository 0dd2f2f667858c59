// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/help_formatter.hpp"

#include "common/text.hpp"

namespace tracefold {
namespace {

constexpr std::size_t kNameColumn = 30;
constexpr std::size_t kDescriptionWidth = 50;

class HelpFormatter : public CLI::Formatter {
  public:
    HelpFormatter() { column_width(kNameColumn); }

    /// What follows the options of APP: for a command those that all commands take, then the
    /// commands of APP.
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
        std::string text;
        const CLI::App* tool = app->get_parent();
        if (tool != nullptr && mode != CLI::AppFormatMode::Sub) {
            for (const std::string& group : tool->get_groups()) {
                // The tool's own group has nothing but its help and version.
                if (group == "Options" || group.empty()) continue;
                const auto is_in_group = [&group](const CLI::Option* option) {
                    return option->get_group() == group;
                };
                text += make_group(group, false, tool->get_options(is_in_group));
            }
        }
        return text + CLI::Formatter::make_subcommands(app, mode);
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
        // The names of checks follow the type after a colon.
        const std::string type = option->get_type_name();
        return " " + type.substr(0, type.find(':'));
    }

    std::string make_option_desc(const CLI::Option* option) const override {
        const std::string preset = option->get_default_str();
        const bool tells = option->get_type_size() != 0 && !preset.empty();
        const std::string text =
            option->get_description() + (tells ? " (default: " + preset + ")" : "");
        return wrap(text, kDescriptionWidth);
    }
};

}  // namespace

std::shared_ptr<CLI::Formatter> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace tracefold
