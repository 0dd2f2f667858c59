// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "common/html_page.hpp"
#include "common/text.hpp"
#include "replay/rank_detail.hpp"
#include "replay/report.hpp"
#include "replay/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Charts as inline SVG, on a page of begin_page().

/// A bar of communication and computation for every rank, recorded above replayed.
void draw_ranks(std::ostream& out, const std::vector<RankDetail>& ranks, bool recorded);

/// Counts by size.
void draw_sizes(std::ostream& out, std::string_view title, const MeasuredSizes& histogram);

/// Bytes from each of `ranks` (down) to each of `columns` ranks (across), darker for more.
void draw_matrix(std::ostream& out, const std::vector<RankDetail>& ranks, u64 columns);

namespace {

/// Communication and computation of one rank, as a stacked bar.
void put_times(std::ostream& out, const RankTimes& times, const ChartBox& whole, double longest,
               const std::string& tip, std::string_view style) {
    const double per_second = longest > 0 ? whole.width / longest : 0;
    ChartBox box = whole;
    box.width = times.communication * per_second;
    put_chart_box(out, box, "communication" + std::string(style),
                  tip + ", communication: " + format_time(times.communication));
    box.x += box.width;
    box.width = std::max(times.computation(), 0.0) * per_second;
    put_chart_box(out, box, "computation" + std::string(style),
                  tip + ", computation: " + format_time(times.computation()));
}

std::string size_label(std::size_t bucket) {
    return bucket == 0 ? "0 B" : format_size(MeasuredSizes::lower_bound(bucket));
}

}  // namespace

void draw_ranks(std::ostream& out, const std::vector<RankDetail>& ranks, bool recorded) {
    constexpr double kBar = 9;
    const double row = recorded ? 2 * kBar + 6 : kBar + 6;
    double longest = 0;
    for (const RankDetail& rank : ranks) {
        longest = std::max(longest, rank.replayed.wall);
        if (recorded) longest = std::max(longest, rank.recorded.wall);
    }
    begin_chart(out, "Time per rank",
                static_cast<int>(row * static_cast<double>(ranks.size())) + 16);
    double y = 0;
    for (const RankDetail& rank : ranks) {
        const std::string name = "rank " + std::to_string(rank.rank);
        put_chart_text(out, kChartLabel - 8, y + row / 2 + 2, "end", name);
        ChartBox box{kChartLabel, y, kChartWidth - kChartLabel, kBar};
        if (recorded) {
            put_times(out, rank.recorded, box, longest, name + " recorded", " faint");
            box.y += kBar;
        }
        put_times(out, rank.replayed, box, longest, name + " replayed", "");
        y += row;
    }
    put_chart_text(out, kChartLabel, y + 10, "start", "0 s");
    put_chart_text(out, kChartWidth, y + 10, "end", format_time(longest));
    out << "</svg>\n";
}

void draw_sizes(std::ostream& out, std::string_view title, const MeasuredSizes& histogram) {
    constexpr double kHeight = 130;
    const auto& buckets = histogram.buckets();
    std::size_t last = 0;
    u64 most = 1;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        if (buckets[i].count != 0) last = i;
        most = std::max(most, buckets[i].count);
    }
    const double step = static_cast<double>(kChartWidth) / static_cast<double>(last + 1);
    begin_chart(out, title, static_cast<int>(kHeight) + 34);
    for (std::size_t i = 0; i <= last; ++i) {
        const double x = step * static_cast<double>(i);
        const double part = static_cast<double>(buckets[i].count) / static_cast<double>(most);
        const double height = buckets[i].count == 0 ? 0 : std::max(1.0, part * kHeight);
        put_chart_box(out, {x + 1, kHeight + 14 - height, step - 2, height}, "bar",
                      "from " + size_label(i) + ": " + std::to_string(buckets[i].count) + ", " +
                          format_size(buckets[i].bytes));
        if (last < 12 || i % 2 == 0) {
            put_chart_text(out, x + step / 2, kHeight + 28, "middle", size_label(i));
        }
    }
    put_chart_text(out, 0, 10, "start", "at most " + format_count(most) + " of one size");
    out << "</svg>\n";
}

void draw_matrix(std::ostream& out, const std::vector<RankDetail>& ranks, u64 columns) {
    constexpr double kLargestCell = 26;
    const double cell = std::min(kLargestCell, static_cast<double>(kChartWidth - kChartLabel) /
                                                   static_cast<double>(columns));
    u64 most = 1;
    for (const RankDetail& rank : ranks) {
        for (const PeerMessages& peer : rank.peers) most = std::max(most, peer.bytes);
    }
    begin_chart(out, "Bytes between ranks",
                static_cast<int>(cell * static_cast<double>(ranks.size())) + 20);
    double y = 0;
    for (const RankDetail& rank : ranks) {
        put_chart_text(out, kChartLabel - 8, y + cell / 2 + 4, "end",
                       "rank " + std::to_string(rank.rank));
        for (const PeerMessages& peer : rank.peers) {
            const double depth =
                std::log1p(static_cast<double>(peer.bytes)) / std::log1p(static_cast<double>(most));
            put_chart_box(out,
                          {kChartLabel + cell * static_cast<double>(peer.peer), y,
                           std::max(cell - 1, 0.5), std::max(cell - 1, 0.5)},
                          "cell",
                          std::to_string(rank.rank) + " to " + std::to_string(peer.peer) + ": " +
                              std::to_string(peer.messages) + " messages, " +
                              format_size(peer.bytes),
                          0.15 + 0.84 * depth);
        }
        y += cell;
    }
    put_chart_text(out, kChartLabel, y + 14, "start", "to rank 0");
    put_chart_text(out, kChartLabel + cell * static_cast<double>(columns), y + 14, "end",
                   std::to_string(columns - 1));
    out << "</svg>\n";
}

namespace {

/// Maximum ranks of a legible matrix.
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
        << (lacking.empty() ? "The replay issued what was requested."
                            : "The replay did not issue what was requested.")
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

void put_sized_calls(std::ostream& out, const ReplayResult& result, double scale) {
    begin_section(out, "Calls by size");
    out << "<p class=\"soft\">A call may wait for its partners; the shortest one waited least. "
           "Bandwidth is that of the median call.</p>\n<table>\n";
    put_row(out, "th", {"", "bytes from", "calls", "mean", "median", "shortest", "bandwidth"});
    for (const CallsOfSize& calls : calls_by_size(result, scale)) {
        put_row(out, "td",
                {calls.function, format_size(calls.from_bytes), std::to_string(calls.calls),
                 format_time(calls.mean()), format_time(calls.median), format_time(calls.shortest),
                 calls.bytes == 0 ? "" : format_bandwidth(calls.bandwidth(calls.median))});
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
    if (result.has_recorded_times) out << "; pale: recorded, below: replayed";
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
    out << "<p class=\"soft\">rows send, columns receive; darker: more bytes</p>\n";
    draw_matrix(out, ranks, result.ranks);
    out << "</section>\n";
}

void put_inferences(std::ostream& out, const ReplayResult& result) {
    begin_section(out, "Inferences");
    bool any = false;
    for (std::size_t i = 0; i < kInferences; ++i) {
        if (result.inferences[i] == 0) continue;
        out << "<p>" << result.inferences[i] << " &times; " << markup_text(kInferenceTexts[i])
            << "</p>\n";
        any = true;
    }
    if (!any) out << "<p>Nothing was inferred.</p>\n";
    out << "</section>\n";
}

}  // namespace

void write_html(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result) {
    begin_page(out, "Replay of " + arguments.input.name());
    put_head(out, arguments, result);
    put_fidelity(out, arguments, result);
    put_times(out, result);
    put_calls(out, result);
    put_sized_calls(out, result, arguments.options.bytes_scale);
    put_ranks(out, result);
    if (arguments.options.hosts) put_hosts(out, result);
    put_sizes(out, "Sizes of messages", result.measurements.messages);
    put_sizes(out, "Sizes of collective calls", result.measurements.collectives);
    put_matrix(out, result);
    put_inferences(out, result);
    end_page(out);
}

}  // namespace tracefold
