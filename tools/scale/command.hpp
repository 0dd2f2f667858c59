// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/run_tool.hpp"

#include <functional>

#include <CLI/CLI.hpp>

namespace tracefold {

/// One command of trace_scale: its command line and its action.
struct ScaleCommand {
    CLI::App* app = nullptr;
    std::function<ExitCode(Console&, const CommonOptions&)> run;
};

/// Each function adds its command to APP; the result refers to APP and owns the arguments.
ScaleCommand add_models_command(CLI::App& app);
ScaleCommand add_compare_command(CLI::App& app);
ScaleCommand add_efficiency_command(CLI::App& app);
ScaleCommand add_extrapolate_command(CLI::App& app);
ScaleCommand add_guard_command(CLI::App& app);

}  // namespace tracefold
