// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/model_durations.hpp"

namespace tracefold::inline stats {

bool knows_durations(const TraceFile& file, const SampleRequest& request) {
    return file.summary().timing == TimingLevel::histogram && request.selected.empty() &&
           request.rows.by == RowRequest::By::call && !request.rows.group;
}

std::vector<LogHistogram> durations_by_row(TraceFile& file, Sampler& sampler,
                                           const RowRequest& request) {
    RowTree& rows = sampler.rows();
    RowChooser chooser(file.definitions(), request, rows);
    std::vector<LogHistogram> durations(rows.size());
    for (const TimingModel::Node& node : file.durations().nodes) {
        const Symbol& symbol = file.structure().symbols[node.symbol];
        if (call_kind(symbol) != CallKind::call) continue;
        const u64 region = sampler.source().calls().region_id(node.symbol, symbol.elements.front());
        const RowChooser::Choice choice = chooser.region(RowTree::kRoot, RowTree::kRoot, region);
        if (choice.wanted && choice.row < durations.size()) {
            durations[choice.row].merge(node.durations.all);
        }
    }
    return durations;
}

}  // namespace tracefold::inline stats
