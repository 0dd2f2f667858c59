// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/matrix/matrix.hpp"
#include "inspect/stats/stats.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t kHistogramWidth = 40;
constexpr std::size_t kLeastCells = 8;

class DistributionPrinter {
  public:
    DistributionPrinter(const Distribution& distribution, const DistributionTitle& title,
                        Console& console)
        : distribution_(distribution), title_(title), console_(console) {}

    void run() {
        console_.out() << console_.paint(Style::bold, title_.file) << "  "
                       << quantity_name(distribution_.quantity) << " over "
                       << over_name(distribution_.over) << ", " << printable(title_.what) << '\n';
        if (distribution_.rows.empty()) console_.out() << "  no samples\n";
        for (const Distribution::Row& row : distribution_.rows) print(row);
        if (distribution_.backwards != 0) {
            console_.out() << "  " << format_count(distribution_.backwards)
                           << " calls have no time, since their clock ran backwards\n";
        }
    }

  private:
    void print(const Distribution::Row& row) {
        console_.out() << "  " << console_.paint(Style::bold, printable(path_text(row.path)));
        if (row.durations.count() != 0) return print_log_bins(row.durations);
        const Moments& moments = row.moments;
        console_.out() << "  " << format_count(moments.count()) << " samples, mean "
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
        table.print(console_.out(), 4);
        console_.out() << "    up to " << text(static_cast<double>(distribution_.bins.max()))
                       << '\n';
    }

    void print_log_bins(const LogHistogram& durations) {
        console_.out() << "  " << format_count(durations.count())
                       << " samples, in the bins that the file keeps\n";
        u64 most = 1;
        for (const u64 count : durations.buckets()) most = std::max(most, count);
        Table table({{"from", kRight}, {"samples", kRight}, {""}});
        for (u32 bucket = 0; bucket < durations.buckets().size(); ++bucket) {
            const u64 count = durations.buckets()[bucket];
            if (count == 0) continue;
            add_bar(text(static_cast<double>(log_bucket_start(bucket))), count, most, table);
        }
        table.print(console_.out(), 4);
        console_.out() << "    up to " << text(static_cast<double>(durations.max())) << '\n';
    }

    /// Long ones on top, iterations from left to right; columns that do not fit share one.
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
            console_.out() << "    " << std::string(margin - label.size(), ' ') << label << " |"
                           << line << "|\n";
        }
        console_.out() << "    iterations 0 to " << distribution_.iterations - 1 << ", "
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
