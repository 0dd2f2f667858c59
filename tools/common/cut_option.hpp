// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/folded_input.hpp"
#include "common/console.hpp"
#include "common/part_options.hpp"
#include "transform/cut_trace.hpp"

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// The options of a part that is cut out of a trace, identical in all tools.
struct CutOption {
    RankList ranks;
    TimeWindow window;
    RankList iterations;
    NameFilter regions;
    std::vector<const CLI::Option*> options;  ///< the options of a part, in the order of the manual

    /// `this` must outlive APP.
    void add_options(CLI::App& app);
    /// Of a file; refers to `this`. Throws Error: usage, corrupt.
    CutRequest request(TraceFile& file);
    /// If requested, replaces the input by the part, folded at this level. Collective. Throws the
    /// same Error on all processes, as cut_trace().
    void apply(Communicator& comm, FoldedInput& input, int level, Console& console);

  private:
    /// Options as given.
    [[nodiscard]] std::string text() const;
};

/// Of a filter, which must outlive the result; null if it is empty. Throws Error(usage) if no name
/// in the file matches.
CutRequest::Names names_of(NameFilter& names, TraceFile& file);

/// Writes a part of a trace, and shows the progress.
CutReport write_part(TraceFile& file, const CutRequest& request, CutOutput output,
                     Console& console);

}  // namespace tracefold
