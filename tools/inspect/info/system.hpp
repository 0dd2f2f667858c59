// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/system_outline.hpp"
#include "common/console.hpp"

#include <vector>

namespace tracefold {

struct SystemReport {
    const SystemTree& tree;
    u64 ranks;  ///< of MPI
    std::string file;
};

/// Each prints text, or one JSON object if the console wants JSON.

/// Types and copies.
void print_outline(const SystemReport& report, const std::vector<SystemOutline>& lines,
                   Console& console);
/// Every item.
void print_tree(const SystemReport& report, Console& console);
/// The way from the root to each of these items, and the ranks there.
void print_places(const SystemReport& report, const std::vector<u32>& items, Console& console);

/// What the functions of system.hpp print if the console wants JSON.
void print_outline_json(const SystemReport& report, const std::vector<SystemOutline>& lines,
                        Console& console);
void print_tree_json(const SystemReport& report, Console& console);
void print_places_json(const SystemReport& report, const std::vector<u32>& items, Console& console);

}  // namespace tracefold
