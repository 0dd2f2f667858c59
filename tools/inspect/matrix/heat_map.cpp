// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/units.hpp"
#include "inspect/matrix/matrix.hpp"

#include <algorithm>

namespace tracefold {

namespace {

std::size_t groups_per_cell(std::size_t groups, std::size_t most) {
    return std::max<std::size_t>(1, (groups + most - 1) / most);
}

}  // namespace

std::string metric_text(Metric metric, u64 value) {
    return metric == Metric::bytes ? format_size(value) : format_count(value);
}

char heat_character(u64 value, u64 largest) {
    static constexpr std::string_view kShades = " .:-=+*#%@";
    if (value == 0) return kShades.front();
    const double share = static_cast<double>(value) / static_cast<double>(largest);
    const auto step = static_cast<std::size_t>(share * 9.0);
    return kShades[std::clamp<std::size_t>(step, 1, 9)];
}

HeatMap make_heat_map(const TrafficMatrix& matrix, Metric metric, std::size_t most) {
    HeatMap map;
    map.per_row = groups_per_cell(matrix.rows.size(), most);
    map.per_column = groups_per_cell(matrix.columns.size(), most);
    map.rows = (matrix.rows.size() + map.per_row - 1) / map.per_row;
    map.columns = (matrix.columns.size() + map.per_column - 1) / map.per_column;
    map.cells.resize(map.rows * map.columns);
    for (const auto& [place, cell] : matrix.cells) {
        u64& sum = map.cells[place.row / map.per_row * map.columns + place.column / map.per_column];
        add_saturated(sum, metric == Metric::bytes ? cell.bytes : cell.calls);
        map.largest = std::max(map.largest, sum);
    }
    return map;
}

}  // namespace tracefold
