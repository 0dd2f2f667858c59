// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/html_charts.hpp"

#include "common/html_page.hpp"
#include "common/units.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tracefold {

namespace {

/// Communication and computation of one rank, one after the other.
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

}  // namespace tracefold
