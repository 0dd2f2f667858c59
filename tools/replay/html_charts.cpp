// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/html_charts.hpp"

#include "common/html_page.hpp"
#include "common/text.hpp"
#include "common/units.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tracefold {

namespace {

constexpr int kWidth = 900;
constexpr int kLabel = 90;  ///< width of what stands left of a chart

void begin_svg(std::ostream& out, std::string_view title, int height) {
    out << "<svg viewBox=\"0 0 " << kWidth << ' ' << height << "\" role=\"img\"><title>"
        << markup_text(title) << "</title>\n";
}

void put_text(std::ostream& out, double x, double y, std::string_view anchor,
              std::string_view text) {
    out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">"
        << markup_text(text) << "</text>\n";
}

struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// A rectangle that tells TIP when it is pointed at.
void put_box(std::ostream& out, const Box& box, std::string_view style, std::string_view tip,
             double opacity = 1) {
    out << "<rect x=\"" << box.x << "\" y=\"" << box.y << "\" width=\"" << box.width
        << "\" height=\"" << box.height << "\" class=\"" << style << '"';
    if (opacity < 1) out << " opacity=\"" << opacity << '"';
    out << "><title>" << markup_text(tip) << "</title></rect>\n";
}

/// Communication and computation of one rank, one after the other.
void put_times(std::ostream& out, const RankTimes& times, const Box& whole, double longest,
               const std::string& tip, std::string_view style) {
    const double per_second = longest > 0 ? whole.width / longest : 0;
    Box box = whole;
    box.width = times.communication * per_second;
    put_box(out, box, "communication" + std::string(style),
            tip + ", communication: " + format_time(times.communication));
    box.x += box.width;
    box.width = std::max(times.computation(), 0.0) * per_second;
    put_box(out, box, "computation" + std::string(style),
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
    begin_svg(out, "Time per rank", static_cast<int>(row * static_cast<double>(ranks.size())) + 16);
    double y = 0;
    for (const RankDetail& rank : ranks) {
        const std::string name = "rank " + std::to_string(rank.rank);
        put_text(out, kLabel - 8, y + row / 2 + 2, "end", name);
        Box box{kLabel, y, kWidth - kLabel, kBar};
        if (recorded) {
            put_times(out, rank.recorded, box, longest, name + " recorded", " faint");
            box.y += kBar;
        }
        put_times(out, rank.replayed, box, longest, name + " replayed", "");
        y += row;
    }
    put_text(out, kLabel, y + 10, "start", "0 s");
    put_text(out, kWidth, y + 10, "end", format_time(longest));
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
    const double step = static_cast<double>(kWidth) / static_cast<double>(last + 1);
    begin_svg(out, title, static_cast<int>(kHeight) + 34);
    for (std::size_t i = 0; i <= last; ++i) {
        const double x = step * static_cast<double>(i);
        const double part = static_cast<double>(buckets[i].count) / static_cast<double>(most);
        const double height = buckets[i].count == 0 ? 0 : std::max(1.0, part * kHeight);
        put_box(out, {x + 1, kHeight + 14 - height, step - 2, height}, "bar",
                "from " + size_label(i) + ": " + std::to_string(buckets[i].count) + ", " +
                    format_size(buckets[i].bytes));
        if (last < 12 || i % 2 == 0) {
            put_text(out, x + step / 2, kHeight + 28, "middle", size_label(i));
        }
    }
    put_text(out, 0, 10, "start", "at most " + format_count(most) + " of one size");
    out << "</svg>\n";
}

void draw_matrix(std::ostream& out, const std::vector<RankDetail>& ranks, u64 columns) {
    constexpr double kLargestCell = 26;
    const double cell =
        std::min(kLargestCell, static_cast<double>(kWidth - kLabel) / static_cast<double>(columns));
    u64 most = 1;
    for (const RankDetail& rank : ranks) {
        for (const PeerMessages& peer : rank.peers) most = std::max(most, peer.bytes);
    }
    begin_svg(out, "Bytes between ranks",
              static_cast<int>(cell * static_cast<double>(ranks.size())) + 20);
    double y = 0;
    for (const RankDetail& rank : ranks) {
        put_text(out, kLabel - 8, y + cell / 2 + 4, "end", "rank " + std::to_string(rank.rank));
        for (const PeerMessages& peer : rank.peers) {
            const double depth =
                std::log1p(static_cast<double>(peer.bytes)) / std::log1p(static_cast<double>(most));
            put_box(out,
                    {kLabel + cell * static_cast<double>(peer.peer), y, std::max(cell - 1, 0.5),
                     std::max(cell - 1, 0.5)},
                    "cell",
                    std::to_string(rank.rank) + " to " + std::to_string(peer.peer) + ": " +
                        std::to_string(peer.messages) + " messages, " + format_size(peer.bytes),
                    0.15 + 0.84 * depth);
        }
        y += cell;
    }
    put_text(out, kLabel, y + 14, "start", "to rank 0");
    put_text(out, kLabel + cell * static_cast<double>(columns), y + 14, "end",
             std::to_string(columns - 1));
    out << "</svg>\n";
}

}  // namespace tracefold
