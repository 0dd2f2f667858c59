// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/text_stream.hpp"
#include "common/command_line.hpp"
#include "inspect/graph/graph.hpp"
#include "tables.hpp"

namespace tracefold::python {

std::string graph_text(const std::shared_ptr<OpenTrace>& trace, const Part& part,
                       const std::string& signature, bool regions, bool times) {
    SignatureParts parts;
    try {
        if (!signature.empty()) parse_signature(signature, parts);
    } catch (const UnknownWord& unknown) {
        throw Error(ErrorKind::usage, unknown.what());
    }
    parts.regions = regions;
    FlowSelection selection;
    if (!part.ranks.empty()) selection.ranks = RankList::parse(part.ranks);
    return trace->use([&](TraceFile& file) {
        const LoadedGraph loaded(file, trace->path(), selection, parts, times);
        TextStream out;
        write_graph_json(loaded, whole_view(loaded.graph()), out, JsonLayout::one_line);
        return out.str();
    });
}

}  // namespace tracefold::python
