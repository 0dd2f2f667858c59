// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compare/compare.hpp"

#include "io/claim.hpp"
#include "replay/report_files.hpp"

namespace tracefold {

ExitCode run_compare(const std::vector<std::string>& reports,
                     const std::vector<std::string>& outputs, bool force, Console& console) {
    std::vector<InputClaim> claims(reports.begin(), reports.end());
    ReportFiles files(outputs, force);
    std::vector<MachineReport> read;
    for (const std::string& report : reports) read.push_back(read_machine_report(report));
    const Comparison comparison = compare_reports(std::move(read));
    files.write([&](JsonWriter& json) { write_comparison_json(json, comparison); },
                [&](std::ostream& out) { write_comparison_csv(out, comparison); },
                [&](std::ostream& out) { write_comparison_html(out, comparison); });
    if (console.json()) {
        JsonWriter json(console.out(), console.json_layout());
        write_comparison_json(json, comparison);
    } else {
        print_comparison(comparison, console);
    }
    return exit_ok;
}

}  // namespace tracefold
