// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "inspect/matrix/heat_map.hpp"

namespace tracefold {

/// A matrix and what it is.
struct MatrixView {
    TrafficMatrix matrix;
    HeatMapTitle title;
};

/// Totals, a map of characters as wide as the terminal, the busiest pairs.
void print_matrix(const MatrixView& view, Console& console);

/// One line per pair: from,to,calls,bytes.
void write_matrix_csv(const MatrixView& view, std::ostream& out);

void write_matrix_json(const MatrixView& view, Console& console);

}  // namespace tracefold
