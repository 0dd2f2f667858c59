// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "file/recording_gaps.hpp"
#include "questions/matrix/traffic_matrix.hpp"

#include <ostream>

namespace tracefold {

/// Which number of a matrix is shown.
enum class Metric : u8 { bytes, calls };

/// "12 kB" or "5.1 k".
std::string metric_text(Metric metric, u64 value);

/// A matrix small enough to look at: groups that lie side by side share a cell.
struct HeatMap {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t per_row = 1;     ///< groups in a row of cells
    std::size_t per_column = 1;  ///< groups in a column of cells
    std::vector<u64> cells;      ///< row by row
    u64 largest = 0;

    [[nodiscard]] u64 at(std::size_t row, std::size_t column) const {
        return cells[row * columns + column];
    }
};

/// At most `most` cells in each direction.
HeatMap make_heat_map(const TrafficMatrix& matrix, Metric metric, std::size_t most);

/// From '.' for the least to '@' for the largest; a blank is nothing at all.
char heat_character(u64 value, u64 largest);

/// What is drawn beside the map.
struct HeatMapTitle {
    std::string file;
    std::string_view what;  ///< "point-to-point"
    std::string by;         ///< "rank"
    Metric metric{};
};

/// A picture of its own: rows send, columns receive, the darker the more.
void write_svg(const TrafficMatrix& matrix, const HeatMapTitle& title, std::ostream& out);

/// A matrix and what it is.
struct MatrixView {
    TrafficMatrix matrix;
    HeatMapTitle title;
    RecordingGaps gaps;
};

/// Totals, a map of characters as wide as the terminal, the busiest pairs.
void print_matrix(const MatrixView& view, Console& console);

/// One line per pair: from,to,calls,bytes.
void write_matrix_csv(const MatrixView& view, std::ostream& out);

void write_matrix_json(const MatrixView& view, Console& console);

}  // namespace tracefold
