// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "common/run_tool.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// `trace_replay --compare`: reads reports, prints what they have in common and in what they
/// differ, as text or JSON, and writes it to `outputs`, each in the form that its suffix names.
/// Throws Error as read_machine_report(), compare_reports() and AtomicFile do.
ExitCode run_compare(const std::vector<std::string>& reports,
                     const std::vector<std::string>& outputs, bool force, Console& console);

}  // namespace tracefold
