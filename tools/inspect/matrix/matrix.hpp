// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "file/recording_gaps.hpp"
#include "questions/matrix/traffic_matrix.hpp"

#include <ostream>

namespace tracefold {

/// Displayed quantity of a matrix.
enum class Metric : u8 { bytes, calls };

/// "12 kB" or "5.1 k".
std::string metric_text(Metric metric, u64 value);

/// A reduced matrix: adjacent groups share a cell.
struct HeatMap {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t per_row = 1;     ///< groups per cell, horizontally
    std::size_t per_column = 1;  ///< groups per cell, vertically
    std::vector<u64> cells;      ///< row by row
    u64 largest = 0;

    [[nodiscard]] u64 at(std::size_t row, std::size_t column) const {
        return cells[row * columns + column];
    }
};

/// At most `most` cells in each direction.
HeatMap make_heat_map(const TrafficMatrix& matrix, Metric metric, std::size_t most);

/// From '.' for the least to '@' for the largest value; a blank for 0.
char heat_character(u64 value, u64 largest);

struct HeatMapTitle {
    std::string file;
    std::string_view what;  ///< "point-to-point"
    std::string by;         ///< "rank"
    Metric metric{};
};

/// Writes a standalone picture: rows send, columns receive, darker for more.
void write_svg(const TrafficMatrix& matrix, const HeatMapTitle& title, std::ostream& out);

struct MatrixView {
    TrafficMatrix matrix;
    HeatMapTitle title;
    RecordingGaps gaps;
    std::string unrecorded;  ///< unrecorded_sentence()
};

/// Prints totals, a character map as wide as the terminal, and the largest pairs.
void print_matrix(const MatrixView& view, Console& console);

/// Writes one line per pair: from,to,calls,bytes.
void write_matrix_csv(const MatrixView& view, std::ostream& out);

void write_matrix_json(const MatrixView& view, Console& console);

}  // namespace tracefold
