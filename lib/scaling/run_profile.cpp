// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/run_profile.hpp"

#include "analysis/transfers.hpp"
#include "comm/serial.hpp"
#include "profile/trace_profile.hpp"
#include "query/call_names.hpp"

#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

double total_of(const TraceProfile& profile, u32 node, ProfileMetric metric) {
    const auto sum = static_cast<double>(profile.profile.moments(node, metric, false).sum());
    if (metric != ProfileMetric::time) return sum;
    return profile.rate.seconds(sum);
}

void add_ranks(const TraceProfile& profile, u32 node, RunProfile::Path& path) {
    const MetricSummary& own = profile.profile.nodes[node].exclusive;
    const std::span<const u64> visits = own.groups(ProfileMetric::visits);
    path.visits.assign(visits.begin(), visits.end());
    for (const u64 ticks : own.groups(ProfileMetric::time)) {
        path.seconds.push_back(profile.rate.seconds(ticks));
    }
}

struct TrafficSums {
    CallTraffic traffic;
    std::set<std::pair<u32, u32>> pairs;  ///< location and peer
};

/// By name of the function, what it receives first.
std::vector<CallTraffic> traffic_of(TraceFile& file) {
    ExecutionCounts counts(file.index());
    CallNames names(file, counts);
    std::map<std::pair<std::string, bool>, TrafficSums> calls;
    std::map<u32, std::string> known;  // names, by symbol
    visit_transfers(file, counts, std::vector<bool>(file.location_count(), true),
                    [&](const Transfer& transfer) {
                        auto [name, is_new] = known.try_emplace(transfer.symbol);
                        if (is_new) name->second = names.name(transfer.symbol);
                        const bool sends = has_sent(transfer.kind);
                        TrafficSums& sums = calls[{name->second, sends}];
                        sums.traffic.transfers += transfer.calls();
                        sums.traffic.bytes +=
                            sends ? transfer.bytes_sent() : transfer.bytes_received();
                        if (transfer.peer != kNone) {
                            sums.pairs.emplace(transfer.location, transfer.peer);
                        }
                    });
    std::vector<CallTraffic> all;
    for (auto& [key, sums] : calls) {
        std::tie(sums.traffic.call, sums.traffic.sends) = key;
        sums.traffic.partners = sums.pairs.size();
        all.push_back(std::move(sums.traffic));
    }
    return all;
}

}  // namespace

double RunProfile::total(ProfileMetric metric) const {
    double sum = 0;
    for (const Path& path : paths) sum += path.totals[index_of(metric)];
    return sum;
}

RunProfile profile_run(TraceFile& file, const std::string& name, const RunProfileRequest& request) {
    ProfileRequest wanted;
    wanted.selected.assign(file.location_count(), true);
    if (request.by_rank) wanted.by = ProfileGroups::rank;
    wanted.cubex = request.cubex;
    wanted.force = request.force;
    SerialCommunicator process;
    const TraceProfile profile = trace_profile(process, file, wanted);
    RunProfile run;
    run.name = name;
    const u32 ranks = file.definitions().world_size();
    run.ranks = ranks != 0 ? ranks : file.location_count();
    run.size = run.ranks;
    run.has_times = profile.has_times;
    if (request.traffic) run.traffic = traffic_of(file);
    for (u32 node = 0; node < profile.profile.tree.size(); ++node) {
        RunProfile::Path path{profile.path(node), {}};
        for (std::size_t m = 0; m < kProfileMetrics; ++m) {
            const auto metric = static_cast<ProfileMetric>(m);
            if (metric == ProfileMetric::time && !profile.has_times) continue;
            path.totals[m] = total_of(profile, node, metric);
        }
        if (request.by_rank) add_ranks(profile, node, path);
        run.paths.push_back(std::move(path));
    }
    return run;
}

AlignedPaths align_paths(const std::vector<RunProfile>& runs) {
    AlignedPaths aligned;
    std::unordered_map<std::string, std::size_t> numbers;
    for (const RunProfile& run : runs) {
        for (const RunProfile::Path& path : run.paths) {
            if (numbers.try_emplace(path.name, numbers.size()).second) {
                aligned.names.push_back(path.name);
            }
        }
    }
    for (const RunProfile& run : runs) {
        auto& totals = aligned.totals.emplace_back(numbers.size(), nullptr);
        for (const RunProfile::Path& path : run.paths) totals[numbers[path.name]] = &path.totals;
    }
    return aligned;
}

}  // namespace tracefold
