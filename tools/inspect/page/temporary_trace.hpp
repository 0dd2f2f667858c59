// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/input_kind.hpp"
#include "base/communicator.hpp"
#include "base/file.hpp"
#include "common/trace_input.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tracefold {

/// An open folded file: the given one, or a folded archive in a temporary file without a path.
class TemporaryTrace {
  public:
    /// Collective; throws the same Error on all: io, corrupt, unsupported; usage as TraceInput.
    TemporaryTrace(const TraceInput& input, Communicator& comm, Console& console);

    [[nodiscard]] const std::shared_ptr<const InputFile>& input() const { return input_; }
    /// True for a folded archive.
    [[nodiscard]] bool is_temporary() const { return is_temporary_; }
    /// The user's name of the trace.
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    void open(Communicator& comm, const std::string& path);

    std::vector<InputClaim> claims_;
    std::shared_ptr<const InputFile> input_;
    bool is_temporary_;
    std::string name_;
};

}  // namespace tracefold
