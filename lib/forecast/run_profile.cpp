// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/run_profile.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/json_writer.hpp"
#include "file/call_names.hpp"
#include "questions/matrix/transfers.hpp"
#include "questions/profile/trace_profile.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

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

/// By function name, receives first.
std::vector<CallTraffic> traffic_of(TraceFile& file) {
    ExecutionCounts counts(file.index());
    CallNames names(file, counts);
    std::map<std::pair<std::string, bool>, TrafficSums> calls;
    std::map<u32, std::string> known;  // names by symbol
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

namespace {

void expect_times(const std::vector<RunProfile>& runs) {
    for (const RunProfile& run : runs) {
        if (run.has_times) continue;
        throw Error(ErrorKind::usage, "{} has no times to compare", run.name);
    }
}

/// By rank: a hash over all paths of its position among each path's distinct visit counts.
std::vector<u64> keys_of_ranks(const RunProfile& run) {
    std::vector<u64> keys(run.ranks, 0);
    for (const RunProfile::Path& path : run.paths) {
        std::vector<u64> different = path.visits;
        std::ranges::sort(different);
        different.erase(std::unique(different.begin(), different.end()), different.end());
        const u64 name = checksum(path.name);
        for (std::size_t rank = 0; rank < path.visits.size(); ++rank) {
            if (path.visits[rank] == 0) continue;
            const auto from_below = std::ranges::lower_bound(different, path.visits[rank]) -
                                    different.begin() - (different.front() == 0 ? 1 : 0);
            // A sum is independent of the order of paths, which differs between runs.
            keys[rank] += mix(mix(name) + static_cast<u64>(from_below));
        }
    }
    return keys;
}

/// By run and rank: its class, numbered by first appearance; `ranks`: number per class.
std::vector<std::vector<u32>> classes_of(const std::vector<RunProfile>& runs,
                                         std::vector<std::vector<u64>>& ranks) {
    std::map<u64, u32> numbers;
    std::vector<std::vector<u32>> classes;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        auto& of_run = classes.emplace_back();
        for (const u64 key : keys_of_ranks(runs[run])) {
            const auto [known, is_new] = numbers.try_emplace(key, static_cast<u32>(numbers.size()));
            if (is_new) ranks.emplace_back(runs.size(), 0);
            ++ranks[known->second][run];
            of_run.push_back(known->second);
        }
    }
    return classes;
}

/// Sums times by path and class.
class Collector {
  public:
    explicit Collector(std::size_t runs) : runs_(runs) {}

    void add(std::size_t run, const std::string& path, u32 rank_class, double seconds) {
        const auto [known, is_new] = numbers_.try_emplace({rank_class, path}, paths_.size());
        if (is_new) paths_.push_back({path, rank_class, std::vector<double>(runs_, 0), 0});
        paths_[known->second].seconds[run] += seconds;
    }

    std::vector<ComparedPath> take() { return std::move(paths_); }

  private:
    std::size_t runs_;
    std::map<std::pair<u32, std::string>, std::size_t> numbers_;
    std::vector<ComparedPath> paths_;
};

}  // namespace

RunComparison compare_runs(const std::vector<RunProfile>& runs, bool by_class) {
    expect_times(runs);
    RunComparison result;
    std::vector<std::vector<u32>> classes;
    if (by_class) classes = classes_of(runs, result.class_ranks);
    Collector collector(runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run) {
        for (const RunProfile::Path& path : runs[run].paths) {
            if (!by_class) {
                const double sum = path.totals[index_of(ProfileMetric::time)];
                collector.add(run, path.name, 0, sum / runs[run].ranks);
                continue;
            }
            for (std::size_t rank = 0; rank < path.seconds.size(); ++rank) {
                collector.add(run, path.name, classes[run][rank],
                              path.seconds[rank] / runs[run].ranks);
            }
        }
    }
    result.paths = collector.take();
    result.seconds.assign(runs.size(), 0);
    for (ComparedPath& path : result.paths) {
        for (std::size_t run = 0; run < runs.size(); ++run)
            result.seconds[run] += path.seconds[run];
        path.change = path.seconds.back() - path.seconds.front();
    }
    result.change = result.seconds.back() - result.seconds.front();
    std::ranges::stable_sort(result.paths, [](const ComparedPath& a, const ComparedPath& b) {
        return std::abs(a.change) > std::abs(b.change);
    });
    return result;
}

namespace {

constexpr double kRoundingOfMeans = 1e-9;

/// Sums of stored metrics need no models.
constexpr std::size_t kModelled = kStoredMetrics;

/// Formats a path as a JSON string.
std::string extra_p_path(const std::string& path) {
    std::string text;
    for (const char c : path) text += c == '/' ? std::string("->") : std::string(1, c);
    std::string quoted;
    append_json_string(text, quoted);
    return quoted;
}

Unit unit_of(ProfileMetric metric) {
    if (metric == ProfileMetric::time) return Unit::seconds;
    return metric == ProfileMetric::visits ? Unit::count : Unit::bytes;
}

/// Skips models that are zero everywhere.
void add(PathModel model, std::vector<PathModel>& models) {
    const auto is_zero = [](const Measurement& measurement) { return measurement.value == 0; };
    if (std::ranges::all_of(model.measured, is_zero)) return;
    model.growth = fit_growth(model.measured);
    models.push_back(std::move(model));
}

void add_paths(const std::vector<RunProfile>& runs, std::vector<PathModel>& models) {
    const AlignedPaths aligned = align_paths(runs);
    for (std::size_t path = 0; path < aligned.names.size(); ++path) {
        for (std::size_t m = 0; m < kModelled; ++m) {
            const auto metric = static_cast<ProfileMetric>(m);
            PathModel model{
                aligned.names[path], std::string(metric_name(metric)), unit_of(metric), {}, {}};
            for (std::size_t run = 0; run < runs.size(); ++run) {
                const PathTotals* totals = aligned.totals[run][path];
                if (totals == nullptr) continue;
                model.measured.push_back({runs[run].size, (*totals)[m] / runs[run].ranks});
            }
            add(std::move(model), models);
        }
    }
}

struct TrafficMetric {
    const char* sent;
    const char* received;
    Unit unit;
    double (*value)(const CallTraffic& traffic, double ranks);
};

constexpr TrafficMetric kTrafficMetrics[] = {
    {"messages_sent", "messages_received", Unit::count,
     [](const CallTraffic& traffic, double ranks) {
         return static_cast<double>(traffic.transfers) / ranks;
     }},
    {"partners_sent_to", "partners_received_from", Unit::count,
     [](const CallTraffic& traffic, double ranks) {
         return static_cast<double>(traffic.partners) / ranks;
     }},
    {"message_size_sent", "message_size_received", Unit::bytes,
     [](const CallTraffic& traffic, double) {
         return static_cast<double>(traffic.bytes) /
                static_cast<double>(std::max(traffic.transfers, u64{1}));
     }}};

void add_traffic(const std::vector<RunProfile>& runs, std::vector<PathModel>& models) {
    std::set<std::pair<std::string, bool>> calls;
    for (const RunProfile& run : runs) {
        for (const CallTraffic& traffic : run.traffic) calls.emplace(traffic.call, traffic.sends);
    }
    for (const auto& [call, sends] : calls) {
        for (const TrafficMetric& metric : kTrafficMetrics) {
            PathModel model{call, sends ? metric.sent : metric.received, metric.unit, {}, {}};
            for (const RunProfile& run : runs) {
                for (const CallTraffic& traffic : run.traffic) {
                    if (traffic.call != call || traffic.sends != sends) continue;
                    model.measured.push_back({run.size, metric.value(traffic, run.ranks)});
                }
            }
            add(std::move(model), models);
        }
    }
}

}  // namespace

bool PathModel::is_exact() const {
    return std::ranges::all_of(measured, [&](const Measurement& measurement) {
        const double scale = std::max(std::abs(measurement.value), 1e-300);
        return std::abs(evaluate(growth, measurement.size) - measurement.value) <=
               kRoundingOfMeans * scale;
    });
}

std::vector<PathModel> model_paths(const std::vector<RunProfile>& runs) {
    std::vector<PathModel> models;
    add_paths(runs, models);
    add_traffic(runs, models);
    return models;
}

std::string to_extra_p(const std::vector<PathModel>& models, const std::string& parameter) {
    std::string name;
    append_json_string(parameter, name);
    std::string text;
    for (const PathModel& model : models) {
        for (const Measurement& measurement : model.measured) {
            text += fmt::format(
                "{{\"params\":{{{}:{}}},\"callpath\":{},\"metric\":\"{}\",\"value\":{}}}\n", name,
                measurement.size, extra_p_path(model.path), model.metric, measurement.value);
        }
    }
    return text;
}

}  // namespace tracefold
