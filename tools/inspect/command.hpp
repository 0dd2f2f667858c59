// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/run_tool.hpp"

#include <functional>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// One command of trace_inspect: its part of the command line, and what it does once that is valid.
struct InspectCommand {
    CLI::App* app = nullptr;
    std::function<ExitCode(Console&)> run;
};

/// Each adds its command to APP; the result refers to APP and keeps its arguments alive.
InspectCommand add_info_command(CLI::App& app);
InspectCommand add_structure_command(CLI::App& app);
InspectCommand add_check_command(CLI::App& app);

}  // namespace tracefold
