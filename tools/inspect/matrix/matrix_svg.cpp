// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/matrix/matrix.hpp"
#include "inspect/svg.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t kMostCells = 128;
constexpr std::size_t kMostLabels = 16;
constexpr double kLeft = 130;
constexpr double kMapTop = 74;
constexpr double kMapWidth = 512;
constexpr double kLegendWidth = 90;
constexpr double kPale = 0.12;  ///< of the least traffic, to be seen on white
constexpr std::size_t kLongestLabel = 18;

std::string label_of(const std::vector<std::string>& labels, std::size_t cell, std::size_t per) {
    std::string label = labels[cell * per];
    const std::size_t last = std::min(labels.size(), (cell + 1) * per) - 1;
    if (last != cell * per) label += "-" + labels[last];
    if (label.size() > kLongestLabel) label = label.substr(0, kLongestLabel - 3) + "...";
    return label;
}

class MatrixPicture {
  public:
    MatrixPicture(const TrafficMatrix& matrix, const HeatMapTitle& title, std::ostream& out)
        : matrix_(matrix),
          title_(title),
          map_(make_heat_map(matrix, title.metric, kMostCells)),
          cell_(kMapWidth /
                static_cast<double>(std::max<std::size_t>({map_.rows, map_.columns, 1}))),
          svg_(out, kLeft + kMapWidth + kLegendWidth, kMapTop + kMapWidth + 20) {}

    void draw() {
        titles();
        for (std::size_t row = 0; row < map_.rows; ++row) {
            for (std::size_t column = 0; column < map_.columns; ++column) cell(row, column);
        }
        labels();
        legend();
    }

  private:
    void titles() {
        svg_.text(kLeft, 18, title_.file, 14);
        std::string what(title_.what);
        what.append(title_.metric == Metric::bytes ? ", bytes" : ", calls").append(" by ");
        what.append(title_.by).append("; rows send, columns receive");
        svg_.text(kLeft, 36, what);
    }

    void cell(std::size_t row, std::size_t column) {
        const u64 value = map_.at(row, column);
        if (value == 0) return;
        const double share = static_cast<double>(value) / static_cast<double>(map_.largest);
        const std::string tip = label_of(matrix_.rows, row, map_.per_row) + " to " +
                                label_of(matrix_.columns, column, map_.per_column) + ": " +
                                metric_text(title_.metric, value);
        svg_.rectangle(kLeft + static_cast<double>(column) * cell_,
                       kMapTop + static_cast<double>(row) * cell_, cell_, cell_,
                       heat_color(kPale + (1 - kPale) * share), tip);
    }

    void labels() {
        const auto step = [](std::size_t cells) { return (cells + kMostLabels - 1) / kMostLabels; };
        for (std::size_t row = 0; row < map_.rows; row += step(map_.rows)) {
            svg_.text(kLeft - 6, kMapTop + (static_cast<double>(row) + 0.5) * cell_ + 4,
                      label_of(matrix_.rows, row, map_.per_row), 11, Anchor::end);
        }
        for (std::size_t column = 0; column < map_.columns; column += step(map_.columns)) {
            // Two heights, so that long neighbours do not meet.
            const bool high = column / step(map_.columns) % 2 == 1;
            svg_.text(kLeft + (static_cast<double>(column) + 0.5) * cell_,
                      kMapTop - (high ? 18 : 6), label_of(matrix_.columns, column, map_.per_column),
                      9, Anchor::middle);
        }
    }

    void legend() {
        constexpr int kSteps = 8;
        constexpr double kHeight = 16;
        const double x = kLeft + kMapWidth + 12;
        for (int i = 0; i <= kSteps; ++i) {
            const double share = static_cast<double>(i) / kSteps;
            svg_.rectangle(x, kMapTop + i * kHeight, 14, kHeight,
                           i == 0 ? "#ffffff" : heat_color(kPale + (1 - kPale) * share));
            const auto value = static_cast<u64>(share * static_cast<double>(map_.largest));
            if (i % 2 == 0) {
                svg_.text(x + 20, kMapTop + i * kHeight + 12, metric_text(title_.metric, value));
            }
        }
    }

    const TrafficMatrix& matrix_;
    const HeatMapTitle& title_;
    HeatMap map_;
    double cell_;
    SvgWriter svg_;
};

}  // namespace

void write_svg(const TrafficMatrix& matrix, const HeatMapTitle& title, std::ostream& out) {
    MatrixPicture(matrix, title, out).draw();
}

}  // namespace tracefold
