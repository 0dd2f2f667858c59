// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/detail/sampler.hpp"

#include "file/location_blocks.hpp"
#include "questions/stats/detail/call_walk.hpp"

namespace tracefold {

std::vector<u32> selected_block(const TraceFile& file, const std::vector<bool>& selected, int rank,
                                int size) {
    std::vector<u32> block = location_block(file.definitions().locations(), rank, size);
    if (!selected.empty()) {
        std::erase_if(block, [&selected](u32 location) { return !selected[location]; });
    }
    return block;
}

bool knows_durations(const TraceFile& file, const SampleRequest& request) {
    return file.summary().timing == TimingLevel::histogram && request.selected.empty() &&
           request.rows.by == RowRequest::By::call && !request.rows.group;
}

Sampler::Sampler(TraceFile& file, const SampleRequest& request)
    : file_(file),
      request_(request),
      source_(file),
      chooser_(file.definitions(), request_.rows, rows_),
      own_steps_(file),
      iterations_(file, source_, request.steps == nullptr ? own_steps_ : *request.steps,
                  request.loop),
      timed_(keeps_every_time(file.summary().timing)),
      folded_(!timed_ && !request.iterations && request.rows.by == RowRequest::By::call &&
              transfers_stand_in_calls(file)) {}

void Sampler::pass(const std::vector<u32>& locations, SampleSink& sink) {
    if (folded_) {
        walk_folded(file_, source_.counts(), locations, chooser_, sink);
        return;
    }
    const bool paths = request_.rows.by == RowRequest::By::path;
    std::optional<TraceThreads> threads;
    if (paths) threads.emplace(file_);
    const IoCrossings crossings(file_);
    for (const u32 location : paths ? forking_first(file_, locations) : locations) {
        if (file_.index().script(Stream::events, location) == kNone) continue;
        if (request_.rows.by == RowRequest::By::loop) {
            unknown_sizes_ +=
                walk_loops(file_, source_.calls(), location, chooser_, crossings, sink);
            continue;
        }
        CallWalk walk(file_, location, request_.iterations ? iterations_.of(location) : nullptr,
                      chooser_, sink, threads ? &*threads : nullptr, crossings);
        walk.run();
        backwards_ += walk.backwards();
        unknown_sizes_ += walk.unknown_sizes();
    }
}

std::vector<LogHistogram> Sampler::durations() {
    std::vector<LogHistogram> durations(rows_.size());
    for (const TimingModel::Node& node : file_.durations().nodes) {
        const Symbol& symbol = file_.structure().symbols[node.symbol];
        if (call_kind(symbol) != CallKind::call) continue;
        const u64 region = source_.calls().region_id(node.symbol, symbol.elements.front());
        const RowChooser::Choice choice = chooser_.region(RowTree::kRoot, RowTree::kRoot, region);
        if (choice.wanted && choice.row < durations.size()) {
            durations[choice.row].merge(node.durations.all);
        }
    }
    return durations;
}

}  // namespace tracefold
