// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay_mpi/measure/measured_sizes.hpp"
#include "replay_mpi/measure/rank_detail.hpp"

#include <ostream>
#include <string_view>
#include <vector>

namespace tracefold {

/// Charts as inline SVG, on a page of begin_page().

/// A bar of communication and computation for every rank, recorded above replayed.
void draw_ranks(std::ostream& out, const std::vector<RankDetail>& ranks, bool recorded);

/// Counts by size.
void draw_sizes(std::ostream& out, std::string_view title, const MeasuredSizes& histogram);

/// Bytes from every one of `ranks` (down) to every of `columns` ranks (across), darker for more.
void draw_matrix(std::ostream& out, const std::vector<RankDetail>& ranks, u64 columns);

}  // namespace tracefold
