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

void unify_roots(std::vector<RunProfile>& runs) {
    const auto root_of = [](const RunProfile::Path& path) {
        return path.name.substr(0, path.name.find('/'));
    };
    for (const RunProfile& run : runs) {
        const auto has_root = [&](const RunProfile::Path& path) {
            return root_of(path) == root_of(run.paths.front());
        };
        if (run.paths.empty() || !std::ranges::all_of(run.paths, has_root)) return;
    }
    const std::string root = root_of(runs.front().paths.front());
    for (RunProfile& run : runs) {
        for (RunProfile::Path& path : run.paths) {
            path.name.replace(0, root_of(path).size(), root);
        }
    }
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
        throw Error(ErrorKind::unsupported, "{} has no times to compare", run.name);
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
constexpr double kConfidence = 0.9;
/// Smaller sizes of a prediction; two, through which only a constant is fitted, where there are no
/// more.
constexpr std::size_t kLeastAhead = 3;
constexpr std::size_t kLastErrors = 2;
constexpr std::size_t kLargestSizes = 3;
constexpr double kLeastQuotient = 0.01;  ///< of predictions, which are negative for some sizes

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

/// Sizes in ascending order.
std::vector<double> sizes_of(const PathModel& model) {
    std::set<double> sizes;
    for (const Measurement& measurement : model.measured) sizes.insert(measurement.size);
    return {sizes.begin(), sizes.end()};
}

/// The logarithm of the quotient of the mean at a size and its prediction from smaller sizes.
double error_ahead(const PathModel& model, double size) {
    std::vector<Measurement> smaller;
    double sum = 0;
    u64 count = 0;
    for (const Measurement& measurement : model.measured) {
        if (measurement.size < size) smaller.push_back(measurement);
        if (measurement.size != size) continue;
        sum += measurement.value;
        ++count;
    }
    const double least = kLeastQuotient * sum / static_cast<double>(count);
    const double predicted = std::max(evaluate(fit_growth(smaller), size), least);
    return predicted > 0 ? std::log(sum / static_cast<double>(count) / predicted) : 0;
}

/// Errors ahead of one call path, by ascending size; each size predicted from two smaller ones at
/// least.
struct ErrorsAhead {
    std::vector<double> sizes;
    std::vector<double> errors;  ///< amounts of logarithms

    /// The error to expect after the first `count` ones: the mean of the last two and `common`.
    [[nodiscard]] double expected(std::size_t count, double common) const {
        double sum = common;
        const std::size_t used = std::min(count, kLastErrors);
        for (std::size_t i = count - used; i < count; ++i) sum += errors[i];
        return sum / static_cast<double>(used + 1);
    }
};

/// Precondition: not empty.
double quantile(std::vector<double> values, double share) {
    std::ranges::sort(values);
    const auto place =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size() + 1)));
    return values[std::clamp(place, std::size_t{1}, values.size()) - 1];
}

/// The intervals of times: errors ahead by the error that the earlier ones let expect, in all call
/// paths at the three largest sizes; nine of ten of these are covered (split conformal prediction:
/// Papadopoulos, Proedrou, Vovk, Gammerman: ECML 2002).
void validate_times(std::vector<PathModel>& models) {
    std::vector<ErrorsAhead> ahead(models.size());
    std::set<double> all_sizes;
    std::vector<double> all_errors;
    for (std::size_t m = 0; m < models.size(); ++m) {
        if (models[m].unit != Unit::seconds) continue;
        const std::vector<double> sizes = sizes_of(models[m]);
        all_sizes.insert(sizes.begin(), sizes.end());
        if (sizes.size() < kLeastAhead) continue;
        for (std::size_t i = std::min(kLeastAhead, sizes.size() - 1); i < sizes.size(); ++i) {
            const double error = error_ahead(models[m], sizes[i]);
            ahead[m].sizes.push_back(sizes[i]);
            ahead[m].errors.push_back(std::abs(error));
            all_errors.push_back(std::abs(error));
            models[m].hold_out_error = std::abs(std::expm1(-error));
        }
    }
    if (all_errors.empty()) return;
    const double common = quantile(all_errors, 0.5);
    const double least_size = *std::next(all_sizes.rbegin(), kLargestSizes - 1);
    std::vector<double> scores;
    for (const ErrorsAhead& of_path : ahead) {
        for (std::size_t i = 0; i < of_path.errors.size(); ++i) {
            if (of_path.sizes[i] < least_size) continue;
            const double expected = of_path.expected(i, common);
            scores.push_back(expected > 0 ? of_path.errors[i] / expected : 0);
        }
    }
    const double score = quantile(scores, kConfidence);
    for (std::size_t m = 0; m < models.size(); ++m) {
        if (models[m].unit != Unit::seconds) continue;
        const double expected = ahead[m].expected(ahead[m].errors.size(), common);
        models[m].widening = std::exp(score * expected);
    }
}

}  // namespace

std::optional<PathModel::Interval> PathModel::interval(double size) const {
    if (widening == 0) return std::nullopt;
    const std::vector<double> sizes = sizes_of(*this);
    double steps = 1;
    if (sizes.size() > 1 && size > sizes.back()) {
        const double step =
            std::log(sizes.back() / sizes.front()) / static_cast<double>(sizes.size() - 1);
        steps = std::max(std::log(size / sizes.back()) / step, 1.0);
    }
    const double factor = std::pow(widening, std::sqrt(steps));
    const double value = evaluate(growth, size);
    return Interval{value / factor, value * factor};
}

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
    validate_times(models);
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
