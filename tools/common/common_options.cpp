// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/common_options.hpp"

#include "common/completion_script.hpp"

namespace tracefold {
namespace {

constexpr const char* kGroup = "Common options";

void add_progress_flags(CLI::App& app, CommonOptions& values) {
    auto* on = app.add_flag_callback(
        "--progress", [&values] { values.progress = When::always; },
        "Report progress even if standard error is not a terminal");
    auto* off = app.add_flag_callback(
        "--no-progress", [&values] { values.progress = When::never; }, "Report no progress");
    on->group(kGroup);
    off->group(kGroup)->excludes(on);
}

void add_verbosity_flags(CLI::App& app, CommonOptions& values) {
    auto* verbose = app.add_flag_function(
        "-v,--verbose",
        [&values](std::int64_t times) { values.verbosity = static_cast<int>(times); },
        "Print more on standard error");
    auto* quiet = app.add_flag("-q,--quiet", values.quiet, "Print results and errors only");
    verbose->group(kGroup);
    quiet->group(kGroup)->excludes(verbose);
}

/// Exits the parser as --version does: with a text to print.
void add_completion(CLI::App& app) {
    const OptionWords<Shell> shells = {
        {"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}};
    const auto print = [&app, shells](const std::string& word) {
        throw CLI::CallForVersion(completion_script(app, chosen(shells, word)), 0);
    };
    app.add_option_function<std::string>("--completion", print,
                                         "Print the shell's completion script and exit")
        ->type_name("bash|zsh|fish")
        ->group(kGroup);
}

}  // namespace

void add_common_options(CLI::App& app, CommonOptions& values, const SharedOptions& shared) {
    if (shared.force)
        app.add_flag("-f,--force", values.force, "Overwrite existing output")->group(kGroup);
    if (shared.json) {
        CLI::Option* json =
            app.add_flag("--json", values.json, "Print one JSON object instead of text");
        app.add_option("--max-size", values.max_size,
                       "Most bytes of the JSON object, such as 20000 or 1MB: its lists are "
                       "shortened until it fits, and it has the number of missing items")
            ->type_name("SIZE")
            ->transform(CLI::AsSizeValue(true))
            ->needs(json->group(kGroup))
            ->group(kGroup);
    }
    if (shared.pager)
        app.add_flag("--no-pager", values.no_pager, "Do not page long results")->group(kGroup);
    app.add_flag("--wide", values.wide,
                 "Show all columns and full names, also where they do not fit the terminal")
        ->group(kGroup);
    add_verbosity_flags(app, values);
    if (shared.progress) add_progress_flags(app, values);
    add_choice<When>(app, "--color", values.color,
                     {{"auto", When::automatic}, {"always", When::always}, {"never", When::never}},
                     "Colour the output")
        ->group(kGroup);
    add_completion(app);
}

CLI::Option* add_threads_option(CLI::App& app, u32& value, const std::string& does,
                                const std::string& preset) {
    constexpr u32 kMaxThreads = 4096;
    return app
        .add_option("--threads", value, "Threads that " + does + " (default: " + preset + ")")
        ->type_name("N")
        ->check(CLI::Range(1U, kMaxThreads));
}

void add_unsupported_option(CLI::App& app, bool& skip) {
    add_choice<bool>(app, "--unsupported", skip, {{"error", false}, {"skip", true}},
                     "Refuse or skip calls that the trace does not describe well enough");
}

ConsoleSettings console_settings(const CommonOptions& values, const std::string& tool, int rank) {
    return {.tool = tool,
            .rank = rank,
            .verbosity = values.quiet ? -1 : values.verbosity,
            .json = values.json,
            .wide = values.wide,
            .color = values.color,
            .progress = values.progress};
}

}  // namespace tracefold
