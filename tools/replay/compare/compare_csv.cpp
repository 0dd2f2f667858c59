// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compare/compare.hpp"
#include "replay/csv_lines.hpp"

#include <string>

namespace tracefold {

namespace {

/// Lines of one section and report, of all ranks or of one.
CsvLines report_lines(std::ostream& out, const std::string& section, const MachineReport& report,
                      const std::string& rank = "") {
    return {out, section + ',' + csv_field(report.name) + ',' + rank + ','};
}

void put_report_lines(std::ostream& out, const MachineReport& report) {
    report_lines(out, "time", report).spreads("", report.times);
    for (const ReportedRank& rank : report.ranks_in_detail) {
        const CsvLines lines = report_lines(out, "rank", report, std::to_string(rank.rank));
        lines.number("wall", "seconds", rank.wall);
        lines.number("communication", "seconds", rank.communication);
        lines.number("computation", "seconds", rank.computation);
    }
}

void put_call_lines(std::ostream& out, const Comparison& comparison, const ComparedCalls& calls,
                    const std::string& section) {
    const std::string name =
        calls.function + (calls.from_bytes ? ' ' + std::to_string(*calls.from_bytes) : "");
    for (std::size_t i = 0; i < calls.reports.size(); ++i) {
        if (!calls.reports[i]) continue;
        const CsvLines lines = report_lines(out, section, comparison.reports[i]);
        lines.number(name, "calls", calls.reports[i]->calls);
        lines.number(name, "bytes", calls.reports[i]->bytes);
        lines.number(name, "seconds", calls.reports[i]->seconds);
        lines.number(name, "mean_seconds", calls.reports[i]->mean());
        if (calls.reports[i]->shortest > 0)
            lines.number(name, "shortest_seconds", calls.reports[i]->shortest);
        if (calls.part != CallPart::whole || calls.reports[i]->bytes == 0) continue;
        lines.number(name, "bytes_per_second", calls.reports[i]->bandwidth());
    }
}

void put_part_lines(std::ostream& out, const Comparison& comparison,
                    const Explanation& explanation) {
    const CsvLines lines = report_lines(out, "difference", comparison.reports[explanation.report]);
    lines.number("all", "seconds", explanation.other - explanation.first);
    for (const DifferencePart& part : explanation.parts) {
        const std::string name = part.function.empty()
                                     ? "outside"
                                     : part.function + ' ' + std::to_string(part.from_bytes);
        lines.number(name, "seconds", part.difference());
        lines.number(name, "by_shortest_seconds", part.by_shortest);
        lines.number(name, "by_waiting_seconds", part.by_waiting());
    }
}

}  // namespace

void write_comparison_csv(std::ostream& out, const Comparison& comparison) {
    out << "section,report,rank,name,quantity,value\r\n";
    for (const MachineReport& report : comparison.reports) put_report_lines(out, report);
    for (const ComparedCalls& calls : comparison.calls)
        put_call_lines(out, comparison, calls, "call_size");
    if (comparison.non_blocking)
        put_call_lines(out, comparison, *comparison.non_blocking, "non_blocking");
    for (const Explanation& explanation : comparison.explanations)
        put_part_lines(out, comparison, explanation);
}

}  // namespace tracefold
