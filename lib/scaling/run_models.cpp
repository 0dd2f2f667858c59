// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/run_models.hpp"

#include "core/json_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr double kRounding = 1e-9;

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

}  // namespace

bool PathModel::is_exact() const {
    return std::ranges::all_of(measured, [&](const Measurement& measurement) {
        const double scale = std::max(std::abs(measurement.value), 1e-300);
        return std::abs(evaluate(growth, measurement.size) - measurement.value) <=
               kRounding * scale;
    });
}

std::vector<PathModel> model_paths(const std::vector<RunProfile>& runs) {
    const AlignedPaths aligned = align_paths(runs);
    std::vector<PathModel> models;
    for (std::size_t path = 0; path < aligned.names.size(); ++path) {
        for (std::size_t m = 0; m < kModelled; ++m) {
            PathModel model{aligned.names[path], static_cast<ProfileMetric>(m), {}, {}};
            double largest = 0;
            for (std::size_t run = 0; run < runs.size(); ++run) {
                const PathTotals* totals = aligned.totals[run][path];
                if (totals == nullptr) continue;
                const double mean = (*totals)[m] / runs[run].ranks;
                largest = std::max(largest, mean);
                model.measured.push_back({static_cast<double>(runs[run].ranks), mean});
            }
            if (largest == 0) continue;
            model.growth = fit_growth(model.measured);
            models.push_back(std::move(model));
        }
    }
    return models;
}

std::string to_extra_p(const std::vector<PathModel>& models) {
    std::string text;
    for (const PathModel& model : models) {
        for (const Measurement& measurement : model.measured) {
            text += fmt::format(
                "{{\"params\":{{\"p\":{}}},\"callpath\":{},\"metric\":\"{}\",\"value\":{}}}\n",
                measurement.size, extra_p_path(model.path), metric_name(model.metric),
                measurement.value);
        }
    }
    return text;
}

}  // namespace tracefold
