// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <filesystem>

namespace tracefold::inline exporters {

/// Writes network.yml, system.json and memory.json, which describe a machine for the analytical
/// network of ASTRA-sim, into a folder; returns their bytes.
u64 write_chakra_platform(const std::filesystem::path& folder, u32 ranks);

}  // namespace tracefold::inline exporters
