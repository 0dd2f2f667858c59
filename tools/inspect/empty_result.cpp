// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/empty_result.hpp"

#include "common/suggest.hpp"
#include "query/call_names.hpp"
#include "replay/mpi_call_reader.hpp"

#include <fmt/core.h>

namespace tracefold {

bool warn_if_nothing_matches(NameFilter& names, TraceFile& file, Console& console) {
    if (names.empty()) return false;
    const ExecutionCounts counts(file.index());
    CallNames calls(file, counts);
    std::vector<std::string> present;
    const Structure& structure = file.structure();
    for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
        if (structure.symbol_streams[symbol] != Stream::events) continue;
        if (structure.symbols[symbol].elements.empty()) continue;
        present.push_back(calls.name(symbol));
        if (names.matches(present.back())) return false;
    }
    const std::string advice = suggestion(names.text(), present);
    console.warning(
        fmt::format("nothing in the trace is called {}; {}", names.text(),
                    advice.empty() ? "trace_inspect info --all lists the names" : advice));
    return true;
}

std::string without_records(TraceFile& file) {
    if (!may_lack_collectives(file)) return {};
    return "; the recorder left no record of what collective functions sent";
}

}  // namespace tracefold
