// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tables/matrix_table.hpp"

namespace tracefold::inline tables {

void put_matrix(const TrafficMatrix& matrix, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"from"}, {"to"}, {"calls", Type::whole}, {"bytes", Type::whole}});
    for (const auto& [place, cell] : matrix.cells) {
        table.text(matrix.rows[place.row]);
        table.text(matrix.columns[place.column]);
        table.whole(cell.calls);
        table.whole(cell.bytes);
    }
}

}  // namespace tracefold::inline tables
