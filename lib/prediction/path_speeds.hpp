// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "profile/call_tree.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tracefold {

/// How many times as fast the computation of a call path becomes, by its names.
using SpeedOfPath = std::function<double(const std::string& path)>;

/// The same by node of a call tree, which may grow. Each node is asked for once.
class PathSpeeds {
  public:
    /// All must outlive this object.
    PathSpeeds(const DefinitionIndex& definitions, const CallTree& tree, const SpeedOfPath& speed)
        : definitions_(definitions), tree_(tree), speed_(speed) {}

    /// What a time becomes. Precondition: the node is one of the tree, or kNone.
    [[nodiscard]] i64 of(u32 node, i64 time);

  private:
    const DefinitionIndex& definitions_;
    const CallTree& tree_;
    const SpeedOfPath& speed_;
    std::vector<double> known_;  ///< by node, from 0 for kNone
};

}  // namespace tracefold
