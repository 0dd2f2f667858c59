// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/info.hpp"

#include "inspect/command.hpp"

#include <memory>

namespace tracefold {

namespace {

struct InfoArguments {
    std::string file;
    bool all = false;
};

ExitCode run_info(const InfoArguments& arguments, Console& console) {
    TraceFile file(arguments.file);
    const FileOverview overview = file_overview(file);
    if (console.json()) {
        print_info_json(file, overview, console);
    } else {
        print_info(file, overview, arguments.all, console);
    }
    return exit_ok;
}

}  // namespace

InspectCommand add_info_command(CLI::App& app) {
    auto arguments = std::make_shared<InfoArguments>();
    CLI::App* info =
        app.add_subcommand("info", "What the file is, what it holds and how large its parts are");
    add_file_argument(*info, arguments->file);
    info->add_flag("--all", arguments->all, "List every call, not only the most frequent");
    return {info, alone([arguments](Console& console) { return run_info(*arguments, console); })};
}

u64 tick_bytes(const FileOverview& overview) {
    u64 bytes = 0;
    for (const FileOverview::Sections& sections : overview.sections) {
        if (sections.kind == SectionKind::ticks) bytes += sections.stored_bytes;
    }
    return bytes;
}

}  // namespace tracefold
