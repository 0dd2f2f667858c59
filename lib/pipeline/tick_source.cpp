// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/tick_source.hpp"

#include "core/error.hpp"
#include "pipeline/trace_file.hpp"

#include <utility>

namespace tracefold {

namespace {

__extension__ using u128 = unsigned __int128;

/// value * numerator / denominator; value if the denominator is 0.
u64 scaled(u64 value, u64 numerator, u64 denominator) {
    if (denominator == 0) return value;
    return static_cast<u64>(static_cast<u128>(value) * numerator / denominator);
}

}  // namespace

MeanClock::MeanClock(const TimingModel& model, u32 location, std::size_t symbols)
    : steps_(symbols), edges_(symbols) {
    for (const TimingModel::Node& node : model.nodes) {
        const u64 mine = mean_of(node.durations, location);
        for (const TimingModel::Step& step : node.steps) {
            const u64 mean = step.count == 0 ? 0 : step.sum / step.count;
            steps_[node.symbol].push_back(scaled(mean, mine, node.durations.all.mean()));
        }
    }
    for (const TimingModel::Edge& edge : model.edges) {
        edges_[edge.to].push_back({edge.from, mean_of(edge.durations, location)});
    }
}

u64 MeanClock::next(RecordPlace place) {
    if (place.element != 0) return steps_[place.symbol].at(place.element);
    const u32 from = std::exchange(symbol_, place.symbol);
    std::vector<Edge>& edges = edges_[place.symbol];
    for (Edge& edge : edges) {
        if (edge.from != from) continue;
        std::swap(edge, edges.front());
        return edges.front().ticks;
    }
    if (from == kNone) return 0;
    throw Error(ErrorKind::corrupt, "the durations do not fit the script");
}

TickSource::TickSource(const TraceFile& file, u32 location) {
    const TimingLevel timing = file.summary().timing;
    if (!keeps_every_time(timing)) {
        time_ = file.definitions().clock_offset();
        if (timing == TimingLevel::histogram) {
            means_.emplace(file.durations(), location, file.structure().symbols.size());
        }
        return;
    }
    const Section* section = file.container().find(SectionKind::ticks, location);
    if (section != nullptr) bytes_ = file.container().content(*section);
    const std::string name =
        "section ticks (location " + std::to_string(location) + ") of " + file.container().path();
    if (timing == TimingLevel::exact) {
        exact_.emplace(bytes_, name);
    } else {
        quantised_.emplace(bytes_, file.summary().time_error_ppm, name);
    }
}

u64 TickSource::ticks(u32 group, const std::vector<RecordPlace>& places) {
    if (exact_) return exact_->next(group);
    if (quantised_) return quantised_->next(group);
    return means_ ? means_->next(places[group]) : 1;
}

void TickSource::stamp(RecordBatch& batch, const std::vector<u32>& groups,
                       const std::vector<RecordPlace>& places) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
        time_ += ticks(groups[i], places);
        batch.set_time(i, time_);
    }
}

void TickSource::expect_end() const {
    if (exact_) exact_->expect_end();
    if (quantised_) quantised_->expect_end();
}

}  // namespace tracefold
