// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tracefold {

/// Lays out --help: names and the type as it was set by hand, then the description with the
/// default in parentheses. CLI11's own layout shows its checks and exclusions as well.
class HelpFormatter : public CLI::Formatter {
  public:
    HelpFormatter();

    /// What follows the options of APP: for a command those that all commands take, then the
    /// commands of APP.
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override;

    std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace tracefold
