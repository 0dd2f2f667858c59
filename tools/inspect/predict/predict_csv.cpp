// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/csv_table.hpp"
#include "inspect/predict/predict.hpp"

namespace tracefold {

namespace {

/// network,what,item,rank,value
class PredictionCsv {
  public:
    PredictionCsv(const PredictView& view, std::ostream& out) : view_(view), out_(out) {}

    void run() {
        out_ << "network,what,item,rank,value\n";
        line("recorded", "run time", "", "", view_.data.recorded_run_time);
        for (const NetworkPrediction& it : view_.data.networks) write(it);
        for (const auto& [kind, calls] : view_.data.unmodelled) {
            line("", "taken as recorded", kind, "", calls.seconds);
        }
        for (const auto& [kind, calls] : view_.data.held_order) {
            line("", "order as recorded", kind, "", calls.seconds);
        }
    }

  private:
    void line(std::string_view network, std::string_view what, std::string_view item,
              std::string_view rank, double value) {
        out_ << csv_field(network) << ',' << what << ',' << csv_field(item) << ',' << rank << ','
             << csv_number(value) << '\n';
    }

    void write(const NetworkPrediction& it) {
        const std::string& name = it.network.name;
        line(name, "run time", "", "", it.run_time);
        line(name, "ideal run time", "", "", it.ideal_run_time);
        if (it.faster_run_time) line(name, "run time", view_.faster, "", *it.faster_run_time);
        line(name, "derivative", "latency", "", static_cast<double>(it.latencies));
        line(name, "derivative", "overhead", "", static_cast<double>(it.overheads));
        line(name, "derivative", "per_byte", "", static_cast<double>(it.bytes));
        for (const NetworkPrediction::Tolerance& tolerance : it.tolerances) {
            const std::string item = csv_number(tolerance.slowdown);
            if (tolerance.latency) line(name, "latency for slowdown", item, "", *tolerance.latency);
            if (tolerance.per_byte) {
                line(name, "time per byte for slowdown", item, "", *tolerance.per_byte);
            }
        }
        for (const auto& point : it.over_latency) {
            line(name, "run time at latency", csv_number(point.value), "", point.run_time);
        }
        for (const auto& point : it.over_bytes) {
            line(name, "run time at time per byte", csv_number(point.value), "", point.run_time);
        }
        for (const PathCost& cost : it.path) {
            line(name, "critical path: " + std::string(cost_name(cost.kind)), view_.path(cost.node),
                 std::to_string(cost.rank), static_cast<double>(cost.time) / kPicosecondsPerSecond);
        }
        for (const PathCost& cost : it.path_by_step) {
            const std::string step = cost.node == kNone ? std::string() : std::to_string(cost.node);
            line(name, "critical path by step: " + std::string(cost_name(cost.kind)), step,
                 std::to_string(cost.rank), static_cast<double>(cost.time) / kPicosecondsPerSecond);
        }
        for (const DelayCost& cost : it.delays) {
            const std::string rank = std::to_string(cost.rank);
            const std::string what = "delay: " + std::string(cost_name(cost.kind));
            line(name, what + ", direct", view_.path(cost.node), rank,
                 cost.direct / kPicosecondsPerSecond);
            line(name, what + ", propagated", view_.path(cost.node), rank,
                 cost.propagated / kPicosecondsPerSecond);
        }
        for (const NetworkPrediction::Gain& gain : it.gains) {
            line(name, "gain if twice as fast", view_.path(gain.node), "", gain.gain);
        }
    }

    const PredictView& view_;
    std::ostream& out_;
};

}  // namespace

void write_prediction_csv(const PredictView& view, std::ostream& out) {
    PredictionCsv(view, out).run();
}

}  // namespace tracefold
