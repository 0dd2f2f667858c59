// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/gaps.hpp"
#include "inspect/matrix/matrix.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t kMostPairs = 10;
constexpr std::size_t kLeastMatrixCells = 8;
constexpr std::size_t kLongestCellLabel = 24;

std::string short_label(const std::string& label) {
    const std::string text = printable(label);
    return text.size() <= kLongestCellLabel ? text : text.substr(0, kLongestCellLabel - 3) + "...";
}

class MatrixPrinter {
  public:
    MatrixPrinter(const MatrixView& view, Console& console)
        : view_(view), matrix_(view.matrix), console_(console) {}

    void run() {
        console_.out() << console_.paint(Style::bold, view_.title.file) << "  " << view_.title.what
                       << ", " << matrix_.rows.size() << " x " << matrix_.columns.size() << " by "
                       << view_.title.by << '\n';
        totals();
        if (!matrix_.cells.empty()) {
            map();
            busiest();
        }
        print_gaps(view_.gaps, GapScope::counts, console_);
    }

  private:
    void totals() {
        Table table({{""}, {""}});
        const auto both = [](const TrafficMatrix::Cell& cell) {
            return format_count(cell.calls) + " calls, " + format_size(cell.bytes);
        };
        table.add_row({"sent", both(matrix_.total)});
        if (matrix_.received.calls != 0) table.add_row({"received", both(matrix_.received)});
        if (matrix_.unknown.calls != 0) table.add_row({"to unknown", both(matrix_.unknown)});
        const u64 pairs = static_cast<u64>(matrix_.rows.size()) * matrix_.columns.size();
        table.add_row(
            {"pairs", std::to_string(matrix_.cells.size()) + " of " + std::to_string(pairs)});
        table.print(console_.out(), 2);
    }

    /// Two characters a cell where there is room look more like squares.
    void map() {
        std::size_t margin = 0;
        for (const std::string& label : matrix_.rows) {
            margin = std::max(margin, display_width(short_label(label)));
        }
        const std::size_t width =
            std::max<std::size_t>(console_.width(), margin + 4 + kLeastMatrixCells);
        const std::size_t room = width - margin - 4;
        const HeatMap map = make_heat_map(matrix_, view_.title.metric, room);
        const std::size_t wide = map.columns * 2 <= room ? 2 : 1;
        const std::string line =
            "  " + std::string(margin, ' ') + " +" + std::string(map.columns * wide, '-') + "+\n";
        console_.out() << line;
        for (std::size_t row = 0; row < map.rows; ++row) {
            std::string label = short_label(matrix_.rows[row * map.per_row]);
            label.insert(0, margin - display_width(label), ' ');
            console_.out() << "  " << label << " |";
            for (std::size_t column = 0; column < map.columns; ++column) {
                console_.out() << std::string(wide,
                                              heat_character(map.at(row, column), map.largest));
            }
            console_.out() << "|\n";
        }
        console_.out() << line << "  " << std::string(margin, ' ') << " '.' to '@': up to "
                       << metric_text(view_.title.metric, map.largest);
        if (map.per_row * map.per_column > 1) {
            console_.out() << " in " << map.per_row << " x " << map.per_column << " pairs";
        }
        console_.out() << '\n';
    }

    void busiest() {
        using Entry = std::pair<TrafficMatrix::Place, TrafficMatrix::Cell>;
        const auto key = [this](const Entry& entry) {
            return view_.title.metric == Metric::bytes
                       ? std::pair(entry.second.bytes, entry.second.calls)
                       : std::pair(entry.second.calls, entry.second.bytes);
        };
        const std::size_t shown = std::min(kMostPairs, matrix_.cells.size());
        std::vector<Entry> top(shown, Entry{});
        std::partial_sort_copy(matrix_.cells.begin(), matrix_.cells.end(), top.begin(), top.end(),
                               [&key](const Entry& a, const Entry& b) {
                                   return key(a) != key(b) ? key(a) > key(b) : a.first < b.first;
                               });
        Table table({{"busiest"}, {""}, {"calls", kRight}, {"bytes", kRight}});
        for (const auto& [place, cell] : top) {
            table.add_row({short_label(matrix_.rows[place.row]),
                           "to " + short_label(matrix_.columns[place.column]),
                           format_count(cell.calls), format_size(cell.bytes)});
        }
        table.print(console_.out(), 2);
    }

    const MatrixView& view_;
    const TrafficMatrix& matrix_;
    Console& console_;
};

}  // namespace

void print_matrix(const MatrixView& view, Console& console) { MatrixPrinter(view, console).run(); }

}  // namespace tracefold
