// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/call_times.hpp"

#include "core/error.hpp"
#include "trace/duration_collector.hpp"

namespace tracefold::inline analysis {

namespace {

void add(const TimingModel& model, CallTimes& times) {
    for (const TimingModel::Node& node : model.nodes) {
        times.inside[node.symbol] += node.durations.all.sum();
        times.total += node.durations.all.sum();
    }
    for (const TimingModel::Edge& edge : model.edges) {
        times.before[edge.to] += edge.durations.all.sum();
        times.total += edge.durations.all.sum();
    }
}

CallTimes no_times(const TraceFile& file) {
    const std::size_t symbols = file.structure().symbols.size();
    return {std::vector<u64>(symbols, 0), std::vector<u64>(symbols, 0), 0};
}

}  // namespace

std::optional<CallTimes> call_times(TraceFile& file) {
    const TimingLevel level = file.summary().timing;
    CallTimes times = no_times(file);
    if (level == TimingLevel::histogram) {
        add(file.durations(), times);
        return times;
    }
    if (!keeps_every_time(level)) return std::nullopt;
    for (u32 location = 0; location < file.location_count(); ++location) {
        add(durations_of_location(file, location), times);
    }
    return times;
}

std::optional<CallTimes> call_times_at_hand(TraceFile& file, bool wanted) {
    if (!wanted && file.summary().timing != TimingLevel::histogram) return std::nullopt;
    std::optional<CallTimes> times = call_times(file);
    if (!times) {
        throw Error(ErrorKind::usage, "there are no times to show: the file keeps none");
    }
    return times;
}

}  // namespace tracefold::inline analysis
