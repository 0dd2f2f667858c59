// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/table_sink.hpp"
#include "stats/distribution.hpp"
#include "stats/statistics.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// "main / solve / MPI_Send".
std::string path_text(const std::vector<std::string>& path);

/// One row per row of the statistics, kind of sample and quantity; seconds and bytes.
void put_statistics(const Statistics& statistics, TableSink& table);

/// One row per row of the distribution, column of iterations and bin with its number of samples;
/// at timing level histogram per logarithmic bin that has some.
void put_distribution(const Distribution& distribution, TableSink& table);

}  // namespace tracefold
