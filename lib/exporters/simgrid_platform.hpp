// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/export_format.hpp"

#include <filesystem>

namespace tracefold::inline exporters {

/// Writes platform.xml, a cluster with one node for each rank, and the hostfile that goes with it,
/// to be changed by hand. Returns their bytes.
u64 write_simgrid_platform(const std::filesystem::path& folder, u32 ranks,
                           const ExportOptions& options);

}  // namespace tracefold::inline exporters
