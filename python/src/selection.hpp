// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/part_options.hpp"
#include "questions/calls/selected_calls.hpp"

#include <string>
#include <vector>

namespace tracefold::python {

/// A part of a trace as Python names it: texts in the form of the command line's options, empty
/// where all is meant.
struct Part {
    std::string ranks;
    std::string time;
    std::string iterations;
    std::vector<std::string> match;

    /// Throws Error(usage).
    [[nodiscard]] CallSelection selection(TraceFile& file) const;
    /// True for the locations of the ranks.
    [[nodiscard]] std::vector<bool> locations(TraceFile& file) const;
    [[nodiscard]] NameFilter names() const;
};

}  // namespace tracefold::python
