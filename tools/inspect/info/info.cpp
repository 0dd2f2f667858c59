// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/info/info.hpp"

#include "inspect/command.hpp"

#include <memory>

namespace tracefold {

namespace {

struct InfoArguments {
    TraceInput input;
    bool all = false;
    bool columns = false;
};

ExitCode run_info(const InfoArguments& arguments, Console& console) {
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    InfoFigures figures{file_overview(input->file()),
                        {},
                        recording_gaps(input->file()),
                        input->file().nesting().counts()};
    if (arguments.columns) figures.columns = column_costs(input->file());
    if (console.json()) {
        print_info_json(*input, figures, console);
    } else {
        print_info(*input, figures, arguments.all, console);
    }
    return exit_ok;
}

}  // namespace

InspectCommand add_info_command(CLI::App& app) {
    auto arguments = std::make_shared<InfoArguments>();
    arguments->input.level = TraceInput::kThorough;
    CLI::App* info =
        app.add_subcommand("info", "What the file is, what it holds and how large its parts are");
    arguments->input.add_options(*info);
    info->add_flag("--all", arguments->all, "List every call, not only the most frequent");
    info->add_flag("--columns", arguments->columns,
                   "Where the bytes of definitions and structure go, by argument");
    return {info, alone([arguments](Console& console) { return run_info(*arguments, console); }),
            &arguments->input};
}

u64 tick_bytes(const FileOverview& overview) {
    u64 bytes = 0;
    for (const FileOverview::Sections& sections : overview.sections) {
        if (sections.kind == SectionKind::ticks) bytes += sections.stored_bytes;
    }
    return bytes;
}

}  // namespace tracefold
