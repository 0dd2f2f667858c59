// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/html_page.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "replay/fidelity.hpp"
#include "replay/html_charts.hpp"
#include "replay/report.hpp"
#include "replay/spread_output.hpp"
#include "replay/statistics.hpp"

#include <initializer_list>

namespace tracefold {

namespace {

/// Ranks of which a matrix is still to be read.
constexpr u64 kLargestMatrix = 256;

void put_head(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result) {
    const std::string name = arguments.input.name();
    out << "<h1>Replay of " << markup_text(name) << "</h1>\n<p class=\"soft\">" << result.ranks
        << (result.ranks == 1 ? " rank, " : " ranks, ") << result.calls << " calls, deltas "
        << word_of(arguments.options.deltas);
    if (arguments.options.compute_scale != 1.0)
        out << ", computation x " << arguments.options.compute_scale;
    if (arguments.options.bytes_scale != 1.0) out << ", bytes x " << arguments.options.bytes_scale;
    out << ", " << result.runs.size() << (result.runs.size() == 1 ? " repetition" : " repetitions")
        << "</p>\n";
}

void put_fidelity(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result) {
    const std::vector<std::string> lacking = shortfalls(arguments, result);
    out << "<section class=\"panel\">\n<p class=\"" << (lacking.empty() ? "good" : "bad") << "\">"
        << (lacking.empty() ? "The replay did what was asked for."
                            : "The replay did not do what was asked for.")
        << "</p>\n";
    for (const std::string& sentence : lacking) {
        out << "<p class=\"bad\">" << markup_text(sentence) << "</p>\n";
    }
    for (const std::string& line : fidelity_statement(arguments, result)) {
        out << "<p>" << markup_text(line) << "</p>\n";
    }
    out << "</section>\n";
}

void put_times(std::ostream& out, const ReplayResult& result) {
    begin_section(out, "Time over the ranks");
    out << "<table>\n";
    put_row(out, "th", {"", "min", "mean", "max", "std"});
    if (result.has_recorded_times) put_spreads(out, "recorded", result.recorded);
    put_spreads(out, "replayed", result.replayed);
    out << "</table>\n</section>\n";
    if (result.runs.size() < 2) return;
    begin_section(out, "Time over the repetitions");
    out << "<table>\n";
    put_row(out, "th", {"", "min", "mean", "max", "std"});
    const TimeSpreads runs = spreads_of_runs(result);
    put_row(out, "td", spread_cells("wall, longest of all ranks", runs.wall));
    put_row(out, "td", spread_cells("communication, mean", runs.communication));
    put_row(out, "td", spread_cells("computation, mean", runs.computation));
    out << "</table>\n</section>\n";
}

void put_calls(std::ostream& out, const ReplayResult& result) {
    begin_section(out, "Calls of all ranks");
    out << "<table>\n";
    std::vector<std::string> titles = {"", "calls", "sent", "received"};
    if (result.has_recorded_times) titles.emplace_back("recorded");
    titles.emplace_back("replayed");
    if (result.has_recorded_times) titles.emplace_back("ratio");
    put_row(out, "th", titles);
    for (const CallTotals& call : result.totals) {
        std::vector<std::string> cells = {std::string(name_of(call.function)),
                                          std::to_string(call.calls), format_size(call.sent),
                                          format_size(call.received)};
        if (result.has_recorded_times) cells.push_back(format_time(call.recorded));
        cells.push_back(format_time(call.replayed));
        if (result.has_recorded_times) {
            const double ratio = call.recorded > 0 ? call.replayed / call.recorded : 0;
            cells.push_back(call.recorded > 0 ? std::to_string(ratio).substr(0, 5) : "");
        }
        put_row(out, "td", cells);
    }
    out << "</table>\n</section>\n";
}

void put_sized_calls(std::ostream& out, const ReplayResult& result) {
    begin_section(out, "Calls by size");
    out << "<p class=\"soft\">A call may wait for its partners; the shortest one waited least. "
           "Bandwidth is that of all calls together.</p>\n<table>\n";
    put_row(out, "th", {"", "bytes from", "calls", "mean", "shortest", "bandwidth"});
    for (const CallsOfSize& calls : calls_by_size(result)) {
        put_row(out, "td",
                {calls.function, format_size(calls.from_bytes), std::to_string(calls.calls),
                 format_time(calls.mean()), format_time(calls.shortest),
                 calls.bytes == 0 ? "" : format_bandwidth(calls.bandwidth())});
    }
    out << "</table>\n</section>\n";
}

void put_ranks(std::ostream& out, const ReplayResult& result) {
    const std::vector<RankDetail>& ranks = result.measurements.ranks.ranks();
    if (ranks.empty()) return;
    begin_section(out, "Time per rank");
    if (ranks.size() < result.ranks) {
        out << "<p class=\"soft\">" << ranks.size() << " of " << result.ranks
            << " ranks: the first and the slowest ones</p>\n";
    }
    out << "<p class=\"soft\"><span class=\"key communication\"></span>communication"
           "<span class=\"key computation\"></span>computation";
    if (result.has_recorded_times) out << "; recorded pale, replayed below it";
    out << "</p>\n";
    draw_ranks(out, ranks, result.has_recorded_times);
    out << "</section>\n";
}

void put_hosts(std::ostream& out, const ReplayResult& result) {
    begin_section(out, "Hosts");
    out << "<table>\n";
    put_row(out, "th", {"rank", "host"});
    for (const RankDetail& rank : result.measurements.ranks.ranks()) {
        put_row(out, "td", {std::to_string(rank.rank), rank.host});
    }
    out << "</table>\n</section>\n";
}

bool is_empty(const MeasuredSizes& histogram) {
    for (const MeasuredSizes::Bucket& bucket : histogram.buckets()) {
        if (bucket.count != 0) return false;
    }
    return true;
}

void put_sizes(std::ostream& out, std::string_view title, const MeasuredSizes& histogram) {
    if (is_empty(histogram)) return;
    begin_section(out, title);
    draw_sizes(out, title, histogram);
    out << "</section>\n";
}

void put_matrix(std::ostream& out, const ReplayResult& result) {
    const std::vector<RankDetail>& ranks = result.measurements.ranks.ranks();
    if (ranks.empty() || result.ranks > kLargestMatrix || is_empty(result.measurements.messages)) {
        return;
    }
    begin_section(out, "Messages between ranks");
    out << "<p class=\"soft\">from the ranks at the left to those across; darker: more bytes</p>\n";
    draw_matrix(out, ranks, result.ranks);
    out << "</section>\n";
}

void put_inferences(std::ostream& out, const ReplayResult& result) {
    begin_section(out, "What the trace does not say");
    bool any = false;
    for (std::size_t i = 0; i < kInferences; ++i) {
        if (result.inferences[i] == 0) continue;
        out << "<p>" << result.inferences[i] << " &times; " << markup_text(kInferenceTexts[i])
            << "</p>\n";
        any = true;
    }
    if (!any) out << "<p>Nothing had to be inferred.</p>\n";
    out << "</section>\n";
}

}  // namespace

void write_html(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result) {
    begin_page(out, "Replay of " + arguments.input.name());
    put_head(out, arguments, result);
    put_fidelity(out, arguments, result);
    put_times(out, result);
    put_calls(out, result);
    put_sized_calls(out, result);
    put_ranks(out, result);
    if (arguments.options.hosts) put_hosts(out, result);
    put_sizes(out, "Sizes of messages", result.measurements.messages);
    put_sizes(out, "Sizes of collective calls", result.measurements.collectives);
    put_matrix(out, result);
    put_inferences(out, result);
    end_page(out);
}

}  // namespace tracefold
