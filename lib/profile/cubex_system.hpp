// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/system_tree.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// The element <system> of a file for Cube: the selected locations (by their definitions), numbered
/// in this order, and what they are on, with the names that Score-P gives it in its profiles.
std::string cubex_system(const SystemTree& system, const std::vector<bool>& selected);

}  // namespace tracefold
