// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/units.hpp"
#include "inspect/stats/stats.hpp"
#include "inspect/svg.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr double kDistributionLeft = 110;
constexpr double kFirstLine = 64;
constexpr double kDistributionWidth = 640;
constexpr double kLine = 16;
constexpr double kDistributionLegendWidth = 100;
constexpr double kPalestCell = 0.12;  ///< of a single sample, to be seen on white
constexpr u32 kMostDistributionLabels = 20;

class DistributionPicture {
  public:
    DistributionPicture(const Distribution& distribution, const DistributionTitle& title,
                        std::ostream& out)
        : distribution_(distribution),
          title_(title),
          svg_(out, kDistributionLeft + kDistributionWidth + kDistributionLegendWidth,
               height(distribution)) {}

    void draw() {
        svg_.text(20, 20, title_.file, 14);
        svg_.text(20, 38,
                  std::string(quantity_name(distribution_.quantity)) + " over " +
                      std::string(over_name(distribution_.over)) + ", " + title_.what);
        double y = kFirstLine;
        for (const Distribution::Row& row : distribution_.rows) {
            svg_.text(20, y, heading(row), 12);
            y += kLine;
            if (row.durations.count() != 0) {
                log_bars(row.durations, y);
            } else if (distribution_.columns == 1) {
                bars(row, y);
            } else {
                map(row, y);
            }
            y += kLine * (static_cast<double>(lines(distribution_, row)) - 1);
        }
    }

  private:
    static u64 used_buckets(const LogHistogram& durations) {
        return static_cast<u64>(std::count_if(durations.buckets().begin(),
                                              durations.buckets().end(),
                                              [](u64 count) { return count != 0; }));
    }

    /// Heading, bins, labels of iterations, a gap.
    static u64 lines(const Distribution& distribution, const Distribution::Row& row) {
        const bool log = row.durations.count() != 0;
        return 4 + (log ? used_buckets(row.durations) : distribution.bins.count());
    }

    static double height(const Distribution& distribution) {
        u64 all = 0;
        for (const Distribution::Row& row : distribution.rows) all += lines(distribution, row);
        return kFirstLine + kLine * static_cast<double>(all + 1);
    }

    [[nodiscard]] std::string text(double value) const {
        return quantity_text(distribution_.quantity, value, distribution_.rate);
    }

    [[nodiscard]] std::string heading(const Distribution::Row& row) const {
        const u64 count = row.durations.count() + row.moments.count();
        std::string text_of = path_text(row.path) + ": " + format_count(count) + " samples";
        if (row.moments.empty()) return text_of;
        return text_of + ", mean " + text(row.moments.mean()) + ", deviation " +
               text(row.moments.deviation());
    }

    [[nodiscard]] std::string bin_text(u32 bin) const {
        return text(static_cast<double>(distribution_.bins.first(bin))) + " to " +
               text(static_cast<double>(distribution_.bins.last(bin)));
    }

    void bar(double y, const std::string& label, const std::string& tip, u64 count, u64 most) {
        const double length =
            static_cast<double>(count) / static_cast<double>(most) * kDistributionWidth;
        svg_.text(kDistributionLeft - 6, y + kLine - 4, label, 10, Anchor::end);
        if (count == 0) return;
        svg_.rectangle(kDistributionLeft, y + 2, std::max(length, 1.0), kLine - 4, heat_color(0.7),
                       tip + ": " + format_count(count));
        svg_.text(kDistributionLeft + length + 6, y + kLine - 4, format_count(count), 10);
    }

    void bars(const Distribution::Row& row, double y) {
        const u64 most = *std::max_element(row.counts.begin(), row.counts.end());
        for (u32 bin = 0; bin < distribution_.bins.count(); ++bin, y += kLine) {
            bar(y, text(static_cast<double>(distribution_.bins.first(bin))), bin_text(bin),
                row.counts[bin], most);
        }
    }

    void log_bars(const LogHistogram& durations, double y) {
        const std::vector<u64>& buckets = durations.buckets();
        const u64 most = *std::max_element(buckets.begin(), buckets.end());
        for (u32 bucket = 0; bucket < buckets.size(); ++bucket) {
            if (buckets[bucket] == 0) continue;
            const auto first = static_cast<double>(log_bucket_start(bucket));
            const auto width = static_cast<double>(log_bucket_width(bucket));
            bar(y, text(first), text(first) + " to " + text(first + width), buckets[bucket], most);
            y += kLine;
        }
    }

    /// Iterations from left to right, long ones on top.
    void map(const Distribution::Row& row, double y) {
        const u32 bins = distribution_.bins.count();
        const double width = kDistributionWidth / distribution_.columns;
        const u64 most = *std::max_element(row.counts.begin(), row.counts.end());
        for (u32 bin = 0; bin < bins; ++bin) {
            const double top = y + kLine * (bins - 1 - bin);
            if (bin % ((bins + kMostDistributionLabels - 1) / kMostDistributionLabels) == 0) {
                svg_.text(kDistributionLeft - 6, top + kLine - 4,
                          text(static_cast<double>(distribution_.bins.first(bin))), 10,
                          Anchor::end);
            }
            for (u32 column = 0; column < distribution_.columns; ++column) {
                const u64 count = distribution_.at(row, column, bin);
                if (count == 0) continue;
                const double share = static_cast<double>(count) / static_cast<double>(most);
                svg_.rectangle(
                    kDistributionLeft + width * column, top, width, kLine,
                    heat_color(kPalestCell + (1 - kPalestCell) * share),
                    iteration_text(column) + ", " + bin_text(bin) + ": " + format_count(count));
            }
        }
        const double bottom = y + kLine * bins + 12;
        svg_.text(kDistributionLeft, bottom, iteration_text(0), 10);
        svg_.text(kDistributionLeft + kDistributionWidth, bottom,
                  iteration_text(distribution_.columns - 1), 10, Anchor::end);
        legend(y, most);
    }

    [[nodiscard]] std::string iteration_text(u32 column) const {
        const auto [first, last] = distribution_.iterations_of(column);
        if (first == last) return "iteration " + std::to_string(first);
        return "iterations " + std::to_string(first) + " to " + std::to_string(last);
    }

    void legend(double y, u64 most) {
        const int steps = static_cast<int>(std::min<u64>(most, 4));
        for (int i = 0; i <= steps; ++i) {
            const double share = static_cast<double>(i) / steps;
            const auto count = static_cast<u64>(share * static_cast<double>(most));
            svg_.rectangle(
                kDistributionLeft + kDistributionWidth + 12, y + i * kLine, 14, kLine,
                i == 0 ? "#ffffff" : heat_color(kPalestCell + (1 - kPalestCell) * share));
            svg_.text(kDistributionLeft + kDistributionWidth + 32, y + i * kLine + 12,
                      format_count(count), 10);
        }
    }

    const Distribution& distribution_;
    const DistributionTitle& title_;
    SvgWriter svg_;
};

}  // namespace

void write_distribution_svg(const Distribution& distribution, const DistributionTitle& title,
                            std::ostream& out) {
    DistributionPicture(distribution, title, out).draw();
}

}  // namespace tracefold
