// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/system_tree.hpp"
#include "model/participants.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Alike items of a system tree as one line: type and number of copies, as in Score-P's sequence
/// definitions, with the names that those lose. Items are alike if they are of one type, their
/// names differ only in numbers, and their children are alike in the same order.
struct SystemOutline {
    SystemTree::Kind kind{};
    std::string type;
    u64 copies = 0;          ///< under one parent
    std::string first_name;  ///< of all items that the line stands for
    std::string last_name;
    ParticipantList ranks;                ///< MPI ranks in all of them
    std::vector<SystemOutline> children;  ///< of one copy
};

/// The outline of the roots. Alike children of one parent make one line wherever they stand, so an
/// irregular machine has one line per type. Cost: linear in the items times their depth.
std::vector<SystemOutline> outline(const SystemTree& tree);

}  // namespace tracefold
