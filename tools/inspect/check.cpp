// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/check_report.hpp"
#include "common/common_options.hpp"
#include "inspect/command.hpp"

#include <memory>

namespace tracefold {

InspectCommand add_check_command(CLI::App& app) {
    auto input = std::make_shared<TraceInput>();
    auto choice = std::make_shared<CheckChoice>();
    CLI::App* check = app.add_subcommand(
        "check", "Check the trace for replay: unmatched messages and collectives");
    input->add_options(*check);
    input->add_threads(*check, "read locations");
    add_unsupported_option(*check, choice->skip_unsupported);
    return {check, on_rank_zero([input, choice](Console& console) {
                return run_check(*input, *choice, console);
            })};
}

}  // namespace tracefold
