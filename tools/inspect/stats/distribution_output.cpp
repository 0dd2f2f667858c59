// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/csv_table.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/matrix/matrix.hpp"
#include "inspect/stats/stats.hpp"
#include "inspect/svg.hpp"
#include "questions/stats/statistics_table.hpp"

#include <algorithm>

namespace tracefold {

namespace {

void write_bound(const Distribution& distribution, std::string_view name, u64 value,
                 JsonWriter& json) {
    if (distribution.quantity == Quantity::time) {
        json.member(name, distribution.rate.seconds(value));
    } else {
        json.member(name, value);
    }
}

void write_counts(const Distribution& distribution, const Distribution::Row& row,
                  JsonWriter& json) {
    json.key("counts").begin_array();
    for (u32 column = 0; column < distribution.columns; ++column) {
        json.begin_array();
        for (u32 bin = 0; bin < distribution.bins.count(); ++bin) {
            json.value(distribution.at(row, column, bin));
        }
        json.end_array();
    }
    json.end_array();
}

}  // namespace

void write_distribution_row(const Distribution& distribution, const Distribution::Row& row,
                            JsonWriter& json) {
    json.begin_object();
    write_list("path", row.path, json);
    if (row.durations.count() != 0) {
        json.key("durations").begin_object();
        write_log_bins(row.durations, distribution.rate, json);
        json.end_object();
    } else {
        json.key("samples").begin_object();
        write_moments(row.moments, distribution.quantity, distribution.rate, json);
        json.end_object();
        write_counts(distribution, row, json);
    }
    json.end_object();
}

void write_bins(const Distribution& distribution, JsonWriter& json) {
    json.key("bins").begin_array();
    for (u32 bin = 0; bin < distribution.bins.count(); ++bin) {
        json.begin_object();
        write_bound(distribution, "from", distribution.bins.first(bin), json);
        write_bound(distribution, "to", distribution.bins.last(bin), json);
        json.end_object();
    }
    json.end_array();
}

void write_distribution_csv(const Distribution& distribution, std::ostream& out) {
    CsvTable table(out);
    put_distribution(distribution, table);
}

void write_distribution_json(const Distribution& distribution, const DistributionTitle& title,
                             Console& console) {
    JsonWriter json = begin_document(console, "histogram");
    json.member("file", title.file)
        .member("what", title.what)
        .member("timing", timing_name(distribution.timing))
        .member("metric", quantity_name(distribution.quantity))
        .member("over", scope_name(distribution.over))
        .member("iterations", distribution.iterations)
        .member("columns", distribution.columns);
    if (distribution.columns > 1) {
        json.member("iterations_per_column", distribution.per_column);
    }
    json.member("backwards", distribution.backwards);
    write_bins(distribution, json);
    json.key("rows").begin_array();
    for (const Distribution::Row& row : distribution.rows) {
        write_distribution_row(distribution, row, json);
    }
    json.end_array().end_object();
}

namespace {

constexpr double kDistributionLeft = 110;
constexpr double kFirstLine = 64;
constexpr double kDistributionWidth = 640;
constexpr double kLine = 16;
constexpr double kDistributionLegendWidth = 100;
constexpr double kPalestCell = 0.12;  ///< of a single sample: visible on white
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
                      std::string(scope_name(distribution_.over)) + ", " + title_.what);
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

    /// Heading, bins, iteration labels, a gap.
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

    /// Iterations from left to right, long times on top.
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

namespace {

constexpr std::size_t kHistogramWidth = 40;
constexpr std::size_t kLeastCells = 8;

class DistributionPrinter {
  public:
    DistributionPrinter(const Distribution& distribution, const DistributionTitle& title,
                        Console& console)
        : distribution_(distribution), title_(title), console_(console) {}

    void run() {
        console_.text() << console_.paint(Style::bold, title_.file) << "  "
                        << quantity_name(distribution_.quantity) << " over "
                        << scope_name(distribution_.over) << ", " << printable(title_.what) << '\n';
        if (distribution_.rows.empty()) console_.text() << "  no samples\n";
        for (const Distribution::Row& row : distribution_.rows) print(row);
        if (distribution_.backwards != 0) {
            console_.text() << "  " << format_count(distribution_.backwards)
                            << " calls have no time: their clock ran backwards\n";
        }
    }

  private:
    void print(const Distribution::Row& row) {
        console_.text() << "  " << console_.paint(Style::bold, printable(path_text(row.path)));
        if (row.durations.count() != 0) return print_log_bins(row.durations);
        const Moments& moments = row.moments;
        console_.text() << "  " << format_count(moments.count()) << " samples, mean "
                        << text(moments.mean()) << ", deviation " << text(moments.deviation())
                        << '\n';
        if (distribution_.columns == 1) {
            print_bars(row);
        } else {
            print_map(row);
        }
    }

    [[nodiscard]] std::string text(double value) const {
        return quantity_text(distribution_.quantity, value, distribution_.rate);
    }

    static void add_bar(const std::string& label, u64 count, u64 most, Table& table) {
        const double share = static_cast<double>(count) / static_cast<double>(most);
        const auto length = static_cast<std::size_t>(share * kHistogramWidth);
        const std::size_t least = count == 0 ? 0 : 1;
        table.add_row({label, format_count(count), std::string(std::max(length, least), '#')});
    }

    [[nodiscard]] std::string bin_text(u32 bin) const {
        return text(static_cast<double>(distribution_.bins.first(bin)));
    }

    void print_bars(const Distribution::Row& row) {
        const u64 most = *std::max_element(row.counts.begin(), row.counts.end());
        Table table({{"from", kRight}, {"samples", kRight}, {""}});
        for (u32 bin = 0; bin < distribution_.bins.count(); ++bin) {
            add_bar(bin_text(bin), row.counts[bin], most, table);
        }
        table.print(console_, 4);
        console_.text() << "    up to " << text(static_cast<double>(distribution_.bins.max()))
                        << '\n';
    }

    void print_log_bins(const LogHistogram& durations) {
        console_.text() << "  " << format_count(durations.count())
                        << " samples, in the bins that the file keeps\n";
        u64 most = 1;
        for (const u64 count : durations.buckets()) most = std::max(most, count);
        Table table({{"from", kRight}, {"samples", kRight}, {""}});
        for (u32 bucket = 0; bucket < durations.buckets().size(); ++bucket) {
            const u64 count = durations.buckets()[bucket];
            if (count == 0) continue;
            add_bar(text(static_cast<double>(log_bucket_start(bucket))), count, most, table);
        }
        table.print(console_, 4);
        console_.text() << "    up to " << text(static_cast<double>(durations.max())) << '\n';
    }

    /// Iterations from left to right, long times on top; merges columns that do not fit.
    void print_map(const Distribution::Row& row) {
        std::size_t margin = 0;
        for (u32 bin = 0; bin < distribution_.bins.count(); ++bin) {
            margin = std::max(margin, bin_text(bin).size());
        }
        const std::size_t room =
            std::max<std::size_t>(console_.width(), margin + 6 + kLeastCells) - margin - 6;
        const std::size_t per = (distribution_.columns + room - 1) / room;
        const std::size_t columns = (distribution_.columns + per - 1) / per;
        const std::size_t bins = distribution_.bins.count();
        std::vector<u64> cells(columns * bins, 0);
        for (u32 column = 0; column < distribution_.columns; ++column) {
            for (u32 bin = 0; bin < bins; ++bin) {
                cells[column / per * bins + bin] += distribution_.at(row, column, bin);
            }
        }
        const u64 most = *std::max_element(cells.begin(), cells.end());
        for (std::size_t bin = bins; bin-- > 0;) {
            const std::string label = bin_text(static_cast<u32>(bin));
            std::string line;
            for (std::size_t column = 0; column < columns; ++column) {
                line += heat_character(cells[column * bins + bin], most);
            }
            console_.text() << "    " << std::string(margin - label.size(), ' ') << label << " |"
                            << line << "|\n";
        }
        console_.text() << "    iterations 0 to " << distribution_.iterations - 1 << ", "
                        << per * distribution_.per_column << " in a column; '.' to '@': up to "
                        << format_count(most) << " samples\n";
    }

    const Distribution& distribution_;
    const DistributionTitle& title_;
    Console& console_;
};

}  // namespace

void print_distribution(const Distribution& distribution, const DistributionTitle& title,
                        Console& console) {
    DistributionPrinter(distribution, title, console).run();
}

}  // namespace tracefold
