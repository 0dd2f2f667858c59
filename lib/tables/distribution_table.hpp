// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/table_sink.hpp"
#include "stats/distribution.hpp"

namespace tracefold::inline tables {

/// One row per row of the distribution, column of iterations and bin with its number of samples;
/// at timing level histogram per logarithmic bin that has some.
void put_distribution(const Distribution& distribution, TableSink& table);

}  // namespace tracefold::inline tables
