// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compare/compare_csv.hpp"

#include "core/csv_field.hpp"

#include <string_view>

namespace tracefold {

namespace {

/// Lines of one section and report, of all ranks or of one.
class ReportLines {
  public:
    ReportLines(std::ostream& out, std::string_view section, const MachineReport& report,
                const std::string& rank = "")
        : out_(out),
          start_(std::string(section) + ',' + csv_field(report.name) + ',' + rank + ',') {}

    template <class Number>
    void number(std::string_view name, std::string_view quantity, Number value) const {
        out_ << start_ << csv_field(name) << ',' << quantity << ',' << csv_number(value) << "\r\n";
    }
    void spread(std::string_view name, const Spread& spread) const {
        number(name, "min_seconds", spread.minimum);
        number(name, "mean_seconds", spread.mean);
        number(name, "max_seconds", spread.maximum);
        number(name, "std_seconds", spread.deviation);
    }

  private:
    std::ostream& out_;
    std::string start_;
};

void put_report_lines(std::ostream& out, const MachineReport& report) {
    const ReportLines times(out, "time", report);
    times.spread("wall", report.times.wall);
    times.spread("communication", report.times.communication);
    times.spread("computation", report.times.computation);
    for (const ReportedRank& rank : report.ranks_in_detail) {
        const ReportLines lines(out, "rank", report, std::to_string(rank.rank));
        lines.number("wall", "seconds", rank.wall);
        lines.number("communication", "seconds", rank.communication);
        lines.number("computation", "seconds", rank.computation);
    }
}

void put_call_lines(std::ostream& out, const Comparison& comparison, const ComparedCalls& calls,
                    std::string_view section) {
    const std::string name =
        calls.function + (calls.from_bytes ? ' ' + std::to_string(*calls.from_bytes) : "");
    for (std::size_t i = 0; i < calls.reports.size(); ++i) {
        if (!calls.reports[i]) continue;
        const ReportLines lines(out, section, comparison.reports[i]);
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
    const ReportLines lines(out, "difference", comparison.reports[explanation.report]);
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
