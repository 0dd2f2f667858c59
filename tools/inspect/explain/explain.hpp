// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "common/console.hpp"
#include "forecast/explanation.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// An explanation with its title.
struct ExplainView {
    std::string file;
    std::string program;
    Explanation data;
};

/// "Rank 1 computes longer than the others in the same code: 121 ms, the others 60.2 ms."
std::string cause_sentence(const ExplainedCause& cause, const Explanation& data);
/// What people do about it.
std::string_view cause_remedy(CauseKind kind);
/// The command of trace_inspect that shows the evidence.
std::string_view cause_command(const ExplainedCause& cause);
/// What limits the explanation: clocks, shared cores, dependencies that are not known.
std::vector<std::string> explain_cautions(const Explanation& data);
/// The sentence for a run in which no cause stands out.
std::string nothing_found_sentence(const Explanation& data);

void print_explanation(const ExplainView& view, Console& console);
/// Writes the members of the document to the current object.
void write_explanation(const ExplainView& view, JsonWriter& json);
void write_explanation_json(const ExplainView& view, Console& console);

}  // namespace tracefold
