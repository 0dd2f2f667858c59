// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/info/system.hpp"

namespace tracefold {

/// What the functions of system.hpp print if the console wants JSON.
void print_outline_json(const SystemReport& report, const std::vector<SystemOutline>& lines,
                        Console& console);
void print_tree_json(const SystemReport& report, Console& console);
void print_places_json(const SystemReport& report, const std::vector<u32>& items, Console& console);

}  // namespace tracefold
