// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/csv_table.hpp"
#include "batches.hpp"
#include "open_trace.hpp"
#include "selection.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tracefold::python {

// The tables of trace_inspect with --csv, of an open trace. `ranks` and `match` are those of Part.
// All throw Error: usage, corrupt, unsupported.

Batches matrix_table(const std::shared_ptr<OpenTrace>& trace, const Part& part,
                     const std::string& kind, const std::string& by);
/// Labels of rows and columns, and the dense arrays' cells as (row, column, calls, bytes).
pybind11::dict matrix_parts(const std::shared_ptr<OpenTrace>& trace, const Part& part,
                            const std::string& kind, const std::string& by);
Batches messages_table(const std::shared_ptr<OpenTrace>& trace, const Part& part, std::size_t top);
Batches sizes_table(const std::shared_ptr<OpenTrace>& trace, const Part& part, bool exact);

/// How samples are made and counted, for statistics() and classes().
struct Sampling {
    std::string by = "call";
    std::vector<std::string> histogram;
    std::string over = "calls";
    std::string metric = "time";
    u32 bins = 20;
    u32 loop = 0;
    bool over_time = false;      ///< a column of bins for each iteration
    bool per_iteration = false;  ///< classes: what becomes of them
};
Batches statistics_table(const std::shared_ptr<OpenTrace>& trace, const Part& part,
                         const Sampling& sampling);
Batches classes_table(const std::shared_ptr<OpenTrace>& trace, const Part& part,
                      const Sampling& sampling);
Batches profile_table(const std::shared_ptr<OpenTrace>& trace, const Part& part, u32 depth,
                      const std::string& by, bool times);
Batches efficiency_table(const std::shared_ptr<OpenTrace>& trace, bool focus);
/// The document of trace_inspect explain --json.
std::string explanation(const std::shared_ptr<OpenTrace>& trace);
Batches findings_table(const std::shared_ptr<OpenTrace>& trace);
/// The structure as a JSON text: {"scripts": [...]} as trace_inspect structure --json has them.
std::string structure_text(const std::shared_ptr<OpenTrace>& trace, const Part& part, bool times,
                           std::size_t depth);
/// The event flow graph as the JSON text of trace_inspect graph --json. `signature`: the words of
/// its option, empty for those it takes by itself; `times`: the exact ones are read.
std::string graph_text(const std::shared_ptr<OpenTrace>& trace, const Part& part,
                       const std::string& signature, bool regions, bool times);

}  // namespace tracefold::python
