// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "common/run_tool.hpp"
#include "core/json_writer.hpp"
#include "replay/compare/comparison.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// `trace_replay --compare`: reads reports, prints what they have in common and in what they
/// differ, as text or JSON, and writes it to `outputs`, each in the form that its suffix names.
/// Throws Error as read_machine_report(), compare_reports() and AtomicFile do.
ExitCode run_compare(const std::vector<std::string>& reports,
                     const std::vector<std::string>& outputs, bool force, Console& console);

/// Prints times over the ranks, calls by size, and what the differences consist of, as tables.
void print_comparison(const Comparison& comparison, Console& console);

/// The document tracefold.replay_comparison, in seconds and bytes.
void write_comparison_json(JsonWriter& json, const Comparison& comparison);

/// One line per number: section, report, rank, name, quantity, value.
void write_comparison_csv(std::ostream& out, const Comparison& comparison);

/// One page that needs no other file: what the differences consist of, times over the ranks, calls
/// by size as curves and as a table.
void write_comparison_html(std::ostream& out, const Comparison& comparison);

}  // namespace tracefold
