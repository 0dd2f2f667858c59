// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compare/compare.hpp"

#include "base/publication.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "replay/report.hpp"
#include "replay/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/core.h>

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

namespace {

/// Of the median call, or of the time of all calls of posts and waits together.
double bandwidth_of(const CallsOfSize& calls) {
    return calls.bandwidth(calls.shortest > 0 ? calls.median : calls.mean());
}

/// Lines of one section of a report, over all ranks or of one.
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

void put_judgement_lines(const CsvLines& lines, const std::string& name,
                         const Judgement& judgement) {
    lines.number(name, "ratio", judgement.ratio);
    lines.number(name, "ratio_low", judgement.low);
    lines.number(name, "ratio_high", judgement.high);
    lines.number(name, "confidence", judgement.confidence);
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
        if (calls.reports[i]->shortest > 0) {
            lines.number(name, "shortest_seconds", calls.reports[i]->shortest);
            lines.number(name, "median_seconds", calls.reports[i]->median);
            lines.number(name, "waiting_seconds", calls.reports[i]->waiting());
        }
        if (calls.part != CallPart::whole || calls.reports[i]->bytes == 0) continue;
        lines.number(name, "bytes_per_second", bandwidth_of(*calls.reports[i]));
    }
}

void put_part_lines(std::ostream& out, const Comparison& comparison,
                    const Explanation& explanation) {
    const CsvLines lines = report_lines(out, "difference", comparison.reports[explanation.report]);
    lines.number("all", "seconds", explanation.other - explanation.first);
    for (std::size_t i = 0; i < std::size(kQuantities); ++i) {
        put_judgement_lines(lines, kQuantities[i].name, explanation.judgements[i]);
        lines.text(kQuantities[i].name, "verdict", explanation.judgements[i].words());
    }
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

std::string size_words(const ComparedCalls& calls) {
    return calls.from_bytes ? format_size(*calls.from_bytes) : "all";
}

std::vector<std::string> call_cells(const Comparison& comparison, const ComparedCalls& calls,
                                    std::size_t report, const std::string& missing) {
    const bool is_first = report == 0;
    const std::optional<CallsOfSize>& first = calls.reports.front();
    const std::optional<CallsOfSize>& of = calls.reports[report];
    std::vector<std::string> cells = {is_first ? calls.function : "",
                                      is_first ? size_words(calls) : "",
                                      comparison.reports[report].name};
    if (of) {
        const bool has_bandwidth = calls.part == CallPart::whole && of->bytes != 0;
        cells.push_back(std::to_string(of->calls));
        const bool single = of->shortest > 0;  // not posts and waits together
        cells.push_back(single ? format_time(of->shortest) : "");
        cells.push_back(format_time(single ? of->median : of->mean()));
        cells.push_back(has_bandwidth ? format_bandwidth(bandwidth_of(*of)) : "");
        cells.push_back(single ? format_percent(of->waiting() / of->seconds) : "");
        const auto time = [single](const CallsOfSize& these) {
            return single ? these.median : these.mean();
        };
        cells.push_back(!is_first && first ? ratio_words(time(*first), time(*of)) : "");
    }
    cells.resize(std::size(kCallTitles), missing);
    return cells;
}

std::string part_words(const DifferencePart& part) {
    if (part.function.empty()) return "outside of MPI calls";
    return part.function + ", " + format_size(part.from_bytes);
}

std::string change_words(double seconds) { return (seconds > 0 ? "+" : "") + format_time(seconds); }

std::string ratio_words(double first, double other) {
    return first > 0 ? fmt::format("x {:.2f}", other / first) : "";
}

std::vector<std::string> method_words(const Comparison& comparison) {
    const auto paired = std::ranges::count(comparison.explanations, true, &Explanation::paired);
    std::string text = "different: by an interval of at least 95 % confidence of the ratios of ";
    if (paired > 0)
        text += "launches that took turns, pair by pair (Hodges-Lehmann, by ranks as of Wilcoxon)";
    if (paired > 0 && std::cmp_not_equal(paired, comparison.explanations.size()))
        text += ", for others of ";
    if (std::cmp_not_equal(paired, comparison.explanations.size())) {
        text += comparison.by_launch ? "all medians of launches" : "all repetitions";
        text += " (Hodges-Lehmann, by ranks as of Mann-Whitney)";
    }
    if (!comparison.by_launch) {
        text += fmt::format(
            ", all of it beyond the {:.0f} % by which launches of one machine may differ; folders "
            "of "
            "reports of several launches show that",
            kLaunchMargin * 100);
    }
    return {text,
            std::string("figure of merit: seconds of communication that a faster network could "
                        "shorten = ") +
                kMeritFormula};
}

std::vector<std::vector<std::string>> judgement_rows(const Comparison& comparison) {
    std::vector<std::vector<std::string>> rows;
    for (std::size_t q = 0; q < std::size(kQuantities); ++q) {
        for (std::size_t i = 0; i < comparison.reports.size(); ++i) {
            const MachineReport& report = comparison.reports[i];
            rows.push_back(
                {report.name, kQuantities[q].name,
                 format_time(median_of(report.values(kQuantities[q], comparison.by_launch))),
                 i == 0 ? "" : comparison.explanations[i - 1].judgements[q].words()});
        }
    }
    return rows;
}

std::vector<std::vector<std::string>> machine_rows(const Comparison& comparison) {
    std::vector<std::vector<std::string>> rows;
    for (const MachineReport& report : comparison.reports) {
        rows.push_back({report.name, report.dates.front(), report.mpi, report.tracefold,
                        std::to_string(report.launches.size()),
                        std::to_string(report.repetitions()), std::to_string(report.nodes),
                        std::to_string(report.processors)});
    }
    return rows;
}

std::vector<std::string> outlier_words(const Comparison& comparison) {
    std::vector<std::string> lines;
    for (const MachineReport& report : comparison.reports) {
        const std::vector<double> times = report.times_of_runs();
        std::string list;
        for (const std::size_t i : outliers(times)) {
            list +=
                fmt::format("{}{} ({})", list.empty() ? "" : ", ", i + 1, format_time(times[i]));
        }
        if (list.empty()) continue;
        lines.push_back(fmt::format("{}: outliers among repetitions of {} (median): {}",
                                    report.name, format_time(median_of(times)), list));
    }
    return lines;
}

std::string explanation_words(const Comparison& comparison, const Explanation& explanation) {
    const std::string& name = comparison.reports[explanation.report].name;
    const std::string& first = comparison.reports.front().name;
    const double difference = explanation.other - explanation.first;
    if (explanation.parts.empty() || difference == 0)
        return fmt::format("{} takes as long as {}", name, first);
    const DifferencePart& part = explanation.parts.front();
    std::string text =
        fmt::format("{} takes {} {} than {} on all ranks together ({}); the largest part is {}: {}",
                    name, format_time(std::abs(difference)), difference > 0 ? "longer" : "less",
                    first, ratio_words(explanation.first, explanation.other), part_words(part),
                    change_words(part.difference()));
    if (!part.function.empty()) {
        text += fmt::format(", of which {} by the shortest call and {} by waiting",
                            change_words(part.by_shortest), change_words(part.by_waiting()));
    }
    return text;
}

std::vector<DifferencePart> large_parts(const Explanation& explanation, std::size_t most) {
    constexpr double kSmallShare = 0.01;
    std::vector<DifferencePart> parts;
    for (const DifferencePart& part : explanation.parts) {
        const double largest = std::abs(explanation.parts.front().difference());
        if (parts.size() == most || std::abs(part.difference()) < kSmallShare * largest) break;
        parts.push_back(part);
    }
    return parts;
}

std::vector<std::string> comparison_warnings(const Comparison& comparison) {
    std::vector<std::string> warnings;
    for (const MachineReport& report : comparison.reports) {
        if (!report.met)
            warnings.push_back(report.name + ": the replay did not issue what was requested");
        if (report.oversubscribed) {
            warnings.push_back(report.name + ": ranks shared processors; its times are unreliable");
        }
    }
    for (const MachineReport& report : comparison.reports) {
        if (report.delayed() <= kDisturbed) continue;
        warnings.push_back(
            fmt::format("{}: ranks waited {} of the time for processors{}", report.name,
                        format_percent(report.delayed()),
                        comparison.by_launch ? "" : "; a verdict needs several launches"));
    }
    return warnings;
}

namespace {

void put_compared_rank(JsonWriter& json, const ReportedRank& rank) {
    json.begin_object().member("rank", rank.rank);
    if (!rank.host.empty()) json.member("host", rank.host);
    json.member("wall", rank.wall)
        .member("communication", rank.communication)
        .member("computation", rank.computation)
        .end_object();
}

void put_compared_report(JsonWriter& json, const MachineReport& report) {
    json.begin_object()
        .member("name", report.name)
        .member("file", report.path)
        .member("mpi", report.mpi)
        .member("date", report.dates.front())
        .member("tracefold", report.tracefold)
        .member("nodes", report.nodes)
        .member("processors", report.processors)
        .member("launches", report.launches.size())
        .member("repetitions", report.repetitions())
        .member("met", report.met)
        .member("oversubscribed", report.oversubscribed);
    put_spreads(json, report.times);
    const std::vector<std::size_t> far = outliers(report.times_of_runs());
    json.key("list").begin_array();
    std::size_t number = 0;
    for (std::size_t launch = 0; launch < report.launches.size(); ++launch) {
        for (const ReportedRun& run : report.launches[launch]) {
            json.begin_object()
                .member("launch", launch)
                .member("wall", run.wall)
                .member("communication", run.communication)
                .member("merit", run.merit)
                .member("waited_for_processor", run.delayed)
                .member("outlier", std::ranges::find(far, number++) != far.end())
                .end_object();
        }
    }
    json.end_array();
    json.key("ranks_in_detail").begin_array();
    for (const ReportedRank& rank : report.ranks_in_detail) put_compared_rank(json, rank);
    json.end_array().end_object();
}

void put_judgement(JsonWriter& json, const Judgement& judgement) {
    json.member("ratio", judgement.ratio)
        .member("ratio_low", judgement.low)
        .member("ratio_high", judgement.high)
        .member("confidence", judgement.confidence);
}

/// Figures of a report for these calls; null if it has none.
void put_compared_calls_of(JsonWriter& json, const ComparedCalls& calls,
                           const std::optional<CallsOfSize>& of) {
    if (!of) {
        json.null();
        return;
    }
    json.begin_object()
        .member("calls", of->calls)
        .member("bytes", of->bytes)
        .member("seconds", of->seconds)
        .member("mean_seconds", of->mean());
    if (of->shortest > 0) {
        json.member("shortest_seconds", of->shortest)
            .member("median_seconds", of->median)
            .member("waiting_seconds", of->waiting());
    }
    if (calls.part == CallPart::whole && of->bytes != 0)
        json.member("bytes_per_second", bandwidth_of(*of));
    json.end_object();
}

void put_compared_calls(JsonWriter& json, const ComparedCalls& calls) {
    json.key("reports").begin_array();
    for (const std::optional<CallsOfSize>& of : calls.reports)
        put_compared_calls_of(json, calls, of);
    json.end_array();
}

void put_parts(JsonWriter& json, const Comparison& comparison, const Explanation& explanation) {
    json.begin_object()
        .member("report", comparison.reports[explanation.report].name)
        .member("seconds", explanation.other - explanation.first)
        .member("paired", explanation.paired)
        .member("sentence", explanation_words(comparison, explanation));
    json.key("parts").begin_array();
    for (const DifferencePart& part : explanation.parts) {
        json.begin_object();
        if (!part.function.empty())
            json.member("function", part.function).member("from_bytes", part.from_bytes);
        json.member("seconds", part.difference())
            .member("by_shortest_seconds", part.by_shortest)
            .member("by_waiting_seconds", part.by_waiting())
            .end_object();
    }
    json.end_array().key("judgements").begin_array();
    for (std::size_t i = 0; i < std::size(kQuantities); ++i) {
        const Judgement& judgement = explanation.judgements[i];
        json.begin_object().member("quantity", kQuantities[i].name);
        put_judgement(json, judgement);
        json.member("different", judgement.different)
            .member("sentence", judgement.words())
            .end_object();
    }
    json.end_array().end_object();
}

}  // namespace

void write_comparison_json(JsonWriter& json, const Comparison& comparison) {
    const MachineReport& first = comparison.reports.front();
    begin_document(json, "replay_comparison")
        .member("input", first.input)
        .member("ranks", first.ranks)
        .member("calls", first.calls);
    json.key("method")
        .begin_object()
        .member("unit", comparison.by_launch ? "launch" : "repetition")
        .member("interval", "Hodges-Lehmann; Mann-Whitney, paired: Wilcoxon")
        .member("margin", comparison.margin())
        .member("merit", kMeritFormula)
        .end_object();
    json.key("choices").begin_object();
    for (const ReplayChoice& choice : first.choices) json.member(choice.name, choice.value);
    json.end_object();
    json.key("reports").begin_array();
    for (const MachineReport& report : comparison.reports) put_compared_report(json, report);
    json.end_array();
    json.key("calls_by_size").begin_array();
    for (const ComparedCalls& calls : comparison.calls) {
        json.begin_object()
            .member("function", calls.function)
            .member("from_bytes", *calls.from_bytes);
        put_compared_calls(json, calls);
        json.end_object();
    }
    json.end_array();
    if (comparison.non_blocking) {
        json.key("non_blocking").begin_object();
        put_compared_calls(json, *comparison.non_blocking);
        json.end_object();
    }
    json.key("differences").begin_array();
    for (const Explanation& explanation : comparison.explanations)
        put_parts(json, comparison, explanation);
    json.end_array().end_object();
}

namespace {

constexpr std::size_t kMostParts = 10;

void print_spreads(const Comparison& comparison, Console& console) {
    Table table({{"time per rank"},
                 {""},
                 {"min", kRight},
                 {"mean", kRight},
                 {"max", kRight},
                 {"std", kRight}});
    for (const MachineReport& report : comparison.reports) {
        std::string name = report.name;
        report.times.for_each([&](const std::string& what, const Spread& spread) {
            std::vector<std::string> row = spread_cells(what, spread);
            row.insert(row.begin(), std::exchange(name, ""));
            table.add_row(row);
        });
    }
    table.print(console);
}

void add_calls(Table& table, const Comparison& comparison, const ComparedCalls& calls) {
    for (std::size_t i = 0; i < calls.reports.size(); ++i) {
        table.add_row(call_cells(comparison, calls, i, "-"));
    }
}

void print_compared_calls(const Comparison& comparison, Console& console) {
    std::vector<Table::Column> columns;
    for (const char* title : kCallTitles) columns.push_back({title, kRight});
    columns[0].align = columns[2].align = columns.back().align = Table::Align::left;
    const auto dispense = [&columns](std::string_view title, unsigned order) {
        std::ranges::find(columns, title, &Table::Column::title)->dispensable = order;
    };
    dispense("calls", 3);
    dispense("shortest", 2);
    dispense("bandwidth", 1);
    Table table(columns);
    for (const ComparedCalls& calls : comparison.calls) add_calls(table, comparison, calls);
    if (comparison.non_blocking) add_calls(table, comparison, *comparison.non_blocking);
    console.text() << '\n';
    table.print(console);
    console.text() << kCallNote << '\n';
}

void print_explanation(const Comparison& comparison, const Explanation& explanation,
                       Console& console) {
    console.text() << '\n' << printable(explanation_words(comparison, explanation)) << '\n';
    Table table({{""},
                 {comparison.reports.front().name, kRight},
                 {comparison.reports[explanation.report].name, kRight},
                 {"difference", kRight},
                 {"shortest call", kRight},
                 {"waiting", kRight}});
    for (const DifferencePart& part : large_parts(explanation, kMostParts)) {
        const bool is_call = !part.function.empty();
        table.add_row({part_words(part), format_time(part.first), format_time(part.other),
                       change_words(part.difference()),
                       is_call ? change_words(part.by_shortest) : "",
                       is_call ? change_words(part.by_waiting()) : ""});
    }
    table.print(console, 2);
}

void print_rows(std::span<const char* const> titles,
                const std::vector<std::vector<std::string>>& rows, Console& console) {
    std::vector<Table::Column> columns;
    for (const std::string_view title : titles) {
        const unsigned order = title == "tracefold" ? 2 : title == "repetitions" ? 1 : 0;
        columns.push_back({std::string(title), Table::Align::left, order});
    }
    Table table(columns);
    for (const std::vector<std::string>& row : rows) table.add_row(row);
    table.print(console);
}

}  // namespace

void print_comparison(const Comparison& comparison, Console& console) {
    for (const std::string& warning : comparison_warnings(comparison)) console.warning(warning);
    print_rows(kMachineTitles, machine_rows(comparison), console);
    console.text() << '\n';
    print_spreads(comparison, console);
    print_compared_calls(comparison, console);
    for (const Explanation& explanation : comparison.explanations) {
        print_explanation(comparison, explanation, console);
    }
    console.text() << '\n';
    for (const std::string& line : outlier_words(comparison))
        console.text() << printable(line) << '\n';
    print_rows(kJudgementTitles, judgement_rows(comparison), console);
    for (const std::string& line : method_words(comparison)) console.text() << line << '\n';
    const MachineReport& first = comparison.reports.front();
    console.summary(first.input + ": " + std::to_string(comparison.reports.size()) +
                    " replays of " + std::to_string(first.ranks) + " ranks, " +
                    format_count(first.calls) + " calls");
}

}  // namespace tracefold
