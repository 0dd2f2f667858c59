// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/explain/explain.hpp"

#include "common/output_format.hpp"
#include "common/text.hpp"
#include "file/program_names.hpp"
#include "inspect/command.hpp"

#include <algorithm>
#include <memory>

#include <fmt/core.h>

namespace tracefold {

void print_explanation(const ExplainView& view, Console& console) {
    std::ostream& out = console.text();
    const Explanation& data = view.data;
    out << console.paint(Style::bold, view.program.empty() ? view.file : view.program) << ": "
        << data.ranks << (data.ranks == 1 ? " rank" : " ranks");
    if (data.steps != 0) out << ", " << data.steps << (data.steps == 1 ? " step" : " steps");
    if (data.runtime > 0) {
        out << fmt::format(
            ", {} from MPI_Init to MPI_Finalize; {} of the time of ranks is computation",
            format_time(data.runtime), format_percent(data.computation / data.runtime));
    }
    out << '\n';
    for (const std::string& caution : explain_cautions(data)) out << caution << '\n';
    const auto won = [&](const ExplainedCause& cause) {
        return fmt::format("{}{} ({})", cause.is_limit ? "at most " : "",
                           format_percent(cause.won / data.runtime), format_time(cause.won));
    };
    std::size_t number = 0;
    for (const ExplainedCause& cause : data.causes) {
        out << '\n'
            << ++number << ". " << console.paint(Style::bold, "wins " + won(cause)) << ": "
            << cause_sentence(cause, data) << ' ' << cause_remedy(cause.kind) << " [trace_inspect "
            << cause_command(cause) << "]\n";
    }
    if (data.causes.empty() && data.why_not.empty())
        out << '\n' << nothing_found_sentence(data) << '\n';
    if (!data.smaller.empty()) {
        out << "\nSmaller:";
        for (const ExplainedCause& cause : data.smaller) {
            std::string name(cause_name(cause.kind));
            std::ranges::replace(name, '_', ' ');
            out << (&cause == &data.smaller.front() ? " " : ", ") << name << ' '
                << format_percent(cause.won / data.runtime);
        }
        out << '\n';
    }
    if (data.causes.size() > 1) {
        out << "\nAll together: " << format_percent(data.together / data.runtime) << '\n';
    }
}

void write_explanation_json(const ExplainView& view, Console& console) {
    JsonWriter json = begin_document(console, "explain");
    write_explanation(view, json);
    json.end_object();
}

InspectCommand add_explain_command(CLI::App& app) {
    auto input = std::make_shared<TraceInput>();
    CLI::App* explain =
        app.add_subcommand("explain", "Why the run is slow, most costly cause first");
    input->add_options(*explain);
    input->add_threads(*explain, "read the calls of ranks");
    return {explain, on_rank_zero([input](Console& console) {
                const std::unique_ptr<FoldedInput> opened = input->open(console);
                ExplainView view{input->path, program_name(opened->file()), {}};
                view.data = naming_file(
                    view.file, [&] { return tracefold::explain(opened->file(), input->threads); });
                if (console.json()) {
                    write_explanation_json(view, console);
                } else {
                    print_explanation(view, console);
                }
                return exit_ok;
            }),
            input.get()};
}

}  // namespace tracefold
