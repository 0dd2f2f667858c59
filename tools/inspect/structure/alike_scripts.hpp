// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/structure/structure.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Scripts that were told in full, and others that need not be since they are much like one of
/// them: as of ranks at the border of a domain.
class AlikeScripts {
  public:
    void add(const ScriptText& told) { told_.push_back(told); }

    /// "as rank 0 but for 3 of 20 lines: MPI_Send, MPI_Recv"; nothing if less than half of the
    /// lines are those of any script that was added. Cost: see align(), for each of these.
    [[nodiscard]] std::optional<std::string> difference(const ScriptText& script) const;

  private:
    std::vector<ScriptText> told_;
};

}  // namespace tracefold
