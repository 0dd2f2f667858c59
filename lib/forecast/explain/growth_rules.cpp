// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/rule.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr double kGrowthTau = 0.5;
constexpr double kGrowth = 0.2;  ///< from the first step to the last, over the median

/// Rules over what grows from step to step.
class GrowthRules : Rule {
  public:
    using Rule::Rule;

    void find() {
        if (graph_.steps < kStepsForTrend) return;
        find_growing_work();
        find_growing_messages();
    }

  private:
    void find_growing_work() {
        std::vector<double> work;
        for (u32 column = 0; column < cells_.columns(); ++column) {
            // A single rank that computes longer and longer is no growth of all.
            work.push_back(median(cells_.column(column)));
        }
        if (grows(work)) {
            const Trend of_work = trend(work);
            const double first = of_work.first;
            Candidate& made = add(
                Kind::growing_work, scale_computation(factors_to([&](u32 rank, u32 column) {
                    const double cell = cells_.at(rank, column);
                    return work[column] == 0 ? cell : cell * std::min(1.0, first / work[column]);
                })));
            made.cause.path = place_of_excess({}, 0, cells_.columns());
            add_steps(made);
        }
    }

    void find_growing_messages() {
        std::vector<double> bytes(cells_.columns());
        std::vector<double> times(cells_.columns());
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            const u32 column = evidence_.columns[call];
            if (column >= cells_.columns()) continue;
            bytes[column] += static_cast<double>(graph_.calls[call].bytes);
            if (!moves_data(graph_.calls[call])) continue;
            times[column] += static_cast<double>(evidence_.recorded.own[call]);
        }
        if (!grows(bytes)) return;
        // A few bytes more take no longer.
        const Trend of_times = trend(times);
        if (of_times.last - of_times.first < kGrowth / 2 * median(times)) return;
        const double first = trend(bytes).first;
        std::vector<double> factor;
        for (const double of_step : bytes) {
            factor.push_back(of_step == 0 ? 1 : std::min(1.0, first / of_step));
        }
        Candidate& made = add(
            Kind::growing_messages,
            [columns = evidence_.columns, factor](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    if (columns[call] >= factor.size() || !moves_data(graph.calls[call])) continue;
                    durations.own[call] = scaled(durations.own[call], factor[columns[call]]);
                }
            });
        add_sizes(made, call_with_most_bytes());
    }

    [[nodiscard]] static bool grows(const std::vector<double>& values) {
        const Trend line = trend(values);
        return kendall_tau(values) >= kGrowthTau &&
               line.last - line.first >= kGrowth * median(values);
    }

    [[nodiscard]] u32 call_with_most_bytes() const {
        const auto found = std::ranges::max_element(graph_.calls, {}, &Call::bytes);
        return found == graph_.calls.end() ? kNone : static_cast<u32>(found - graph_.calls.begin());
    }
};

}  // namespace

void find_growth_causes(const RunEvidence& evidence, std::vector<Candidate>& found) {
    GrowthRules(evidence, found).find();
}

}  // namespace tracefold
