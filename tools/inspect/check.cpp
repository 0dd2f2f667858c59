// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/check_report.hpp"
#include "inspect/command.hpp"

#include <memory>

namespace tracefold {

InspectCommand add_check_command(CLI::App& app) {
    auto file = std::make_shared<std::string>();
    CLI::App* check = app.add_subcommand(
        "check", "Whether the trace can be replayed, and what has no partner in it");
    add_file_argument(*check, *file);
    return {check, alone([file](Console& console) { return run_check(*file, console); })};
}

}  // namespace tracefold
