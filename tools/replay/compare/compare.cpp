// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compare/compare.hpp"

#include "io/claim.hpp"
#include "io/file.hpp"
#include "replay/compare/compare_csv.hpp"
#include "replay/compare/compare_html.hpp"
#include "replay/compare/compare_json.hpp"
#include "replay/compare/compare_text.hpp"

#include <deque>
#include <sstream>

namespace tracefold {

namespace {

std::string comparison_as(const std::string& name, const Comparison& comparison) {
    std::ostringstream out;
    if (name.ends_with(".json")) {
        JsonWriter json(out, JsonLayout::pretty);
        write_comparison_json(json, comparison);
    } else if (name.ends_with(".csv")) {
        write_comparison_csv(out, comparison);
    } else {
        write_comparison_html(out, comparison);
    }
    return out.str();
}

}  // namespace

ExitCode run_compare(const std::vector<std::string>& reports,
                     const std::vector<std::string>& outputs, bool force, Console& console) {
    std::vector<InputClaim> claims(reports.begin(), reports.end());
    std::deque<AtomicFile> files;
    for (const std::string& output : outputs) files.emplace_back(output, force);
    std::vector<MachineReport> read;
    for (const std::string& report : reports) read.push_back(read_machine_report(report));
    const Comparison comparison = compare_reports(std::move(read));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        files[i].write(comparison_as(outputs[i], comparison));
        files[i].commit();
    }
    if (console.json()) {
        JsonWriter json(console.out(), console.json_layout());
        write_comparison_json(json, comparison);
    } else {
        print_comparison(comparison, console);
    }
    return exit_ok;
}

}  // namespace tracefold
