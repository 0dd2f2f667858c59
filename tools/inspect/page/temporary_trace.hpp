// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/input_kind.hpp"
#include "base/temporary.hpp"
#include "common/trace_input.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// A folded file that can be opened repeatedly: the given one, or a folded archive in a temporary
/// folder, which this object removes.
class TemporaryTrace {
  public:
    /// Collective; throws the same Error on all: io, corrupt, unsupported; usage as TraceInput.
    TemporaryTrace(const TraceInput& input, Communicator& comm, Console& console);

    [[nodiscard]] const std::string& path() const { return path_; }
    /// The user's name of the trace.
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    std::vector<InputClaim> claims_;
    std::optional<ScratchFolder> folder_;
    std::string path_;
    std::string name_;
};

}  // namespace tracefold
