// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/rank_views.hpp"

namespace tracefold {

RankViews::RankViews(const DefinitionIndex& definitions, const MappingTables& tables,
                     const LocationDefinition& location)
    : definitions_(definitions), tables_(tables), world_rank_(definitions.world_rank(location)) {}

const RankView& RankViews::learn(Cache& cache, u64 raw, u64 global_communicator) {
    const RankView view =
        world_rank_ ? definitions_.view(global_communicator, *world_rank_) : RankView{};
    if (raw >= kCachedIds) return far_ = view;
    if (raw >= cache.size()) cache.resize(raw + 1);
    cache[raw] = view;
    return *cache[raw];
}

const RankView& RankViews::learn_communicator(u64 raw) {
    return learn(communicators_, raw, tables_.global(FieldKind::comm, raw));
}

const RankView& RankViews::learn_window(u64 raw) {
    const u64 window = tables_.global(FieldKind::rma_win, raw);
    return learn(windows_, raw, definitions_.window_communicator(window));
}

}  // namespace tracefold
