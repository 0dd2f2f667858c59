// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/run_models.hpp"

#include "core/json_writer.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr double kRoundingOfMeans = 1e-9;

/// Sums of others say nothing new.
constexpr std::size_t kModelled = kStoredMetrics;

/// As a JSON string.
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

/// Leaves out what is zero everywhere.
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

/// A number of what a function sends or receives.
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
