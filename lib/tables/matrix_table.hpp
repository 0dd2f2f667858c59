// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/traffic_matrix.hpp"
#include "core/table_sink.hpp"

namespace tracefold::inline tables {

/// One row per pair: from, to, calls, bytes.
void put_matrix(const TrafficMatrix& matrix, TableSink& table);

}  // namespace tracefold::inline tables
