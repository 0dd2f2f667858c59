// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "inspect/predict/predict.hpp"

namespace tracefold {

namespace {

double seconds(double picoseconds) { return picoseconds / kPicosecondsPerSecond; }

class PredictionJson {
  public:
    PredictionJson(const PredictView& view, JsonWriter& json) : view_(view), json_(json) {}

    void run() {
        const Prediction& data = view_.data;
        begin_document(json_, "predict")
            .member("file", view_.file)
            .member("recorded_run_time", data.recorded_run_time)
            .member("calls", data.calls)
            .member("messages", data.messages)
            .member("nodes", view_.placement.nodes)
            .member("nodes_recorded", view_.placement.is_recorded);
        json_.key("networks").begin_array();
        for (const NetworkPrediction& network : data.networks) write(network);
        json_.end_array();
        write_calls("taken_as_recorded", data.unmodelled);
        write_calls("order_as_recorded", data.held_order);
        json_.end_object();
    }

  private:
    void write_calls(std::string_view name, const UnmodelledByKind& all) {
        write_objects(name, all, json_, [&](const auto& one) {
            const auto& [kind, calls] = one;
            json_.member("kind", kind)
                .member("calls", calls.calls)
                .member("seconds", calls.seconds)
                .member("share", view_.share_of_ranks(calls.seconds));
        });
    }

    void write(const NetworkPrediction& it) {
        json_.begin_object().member("name", it.network.name).member("source", it.network.source);
        write_link("between_nodes", it.network.link(LinkClass::between_nodes));
        write_link("within_node", it.network.link(LinkClass::within_node));
        json_.key("rendezvous");
        if (it.network.rendezvous == Network::kNever) {
            json_.null();
        } else {
            json_.value(it.network.rendezvous);
        }
        json_.member("run_time", it.run_time).member("ideal_run_time", it.ideal_run_time);
        if (it.faster_run_time) {
            json_.member("faster", view_.faster).member("faster_run_time", *it.faster_run_time);
        }
        write_derivatives(it);
        write_tolerances(it);
        write_curve("over_latency", "latency", it.over_latency);
        write_curve("over_per_byte", "per_byte", it.over_bytes);
        write_path(it);
        if (view_.has_steps) write_steps(it);
        if (view_.has_delays) write_delays(it);
        json_.end_object();
    }

    void write_link(std::string_view name, const LinkParameters& link) {
        json_.key(name)
            .begin_object()
            .member("latency", seconds(static_cast<double>(link.latency)))
            .member("overhead", seconds(static_cast<double>(link.overhead)))
            .member("gap", seconds(static_cast<double>(link.gap)))
            .member("per_byte", seconds(link.per_byte))
            .member("overhead_per_byte", seconds(link.overhead_per_byte))
            .end_object();
    }

    void write_derivatives(const NetworkPrediction& it) {
        json_.key("derivatives")
            .begin_object()
            .member("latency", it.latencies)
            .member("overhead", it.overheads)
            .member("per_byte", it.bytes)
            .end_object();
    }

    void write_optional(std::string_view name, const std::optional<double>& value) {
        json_.key(name);
        if (value) {
            json_.value(*value);
        } else {
            json_.null();
        }
    }

    void write_tolerances(const NetworkPrediction& it) {
        write_objects("tolerances", it.tolerances, json_, [&](const auto& tolerance) {
            json_.member("slowdown", tolerance.slowdown);
            write_optional("latency", tolerance.latency);
            write_optional("per_byte", tolerance.per_byte);
        });
    }

    void write_curve(std::string_view name, std::string_view parameter,
                     const std::vector<NetworkPrediction::CurvePoint>& curve) {
        write_objects(name, curve, json_, [&](const NetworkPrediction::CurvePoint& point) {
            json_.member(parameter, point.value)
                .member("run_time", point.run_time)
                .member("derivative", point.gradient);
        });
    }

    void write_delays(const NetworkPrediction& it) {
        json_.key("delays").begin_object().member("waited", it.waited);
        write_objects("causes", it.delays, json_, [&](const DelayCost& cost) {
            json_.member("rank", cost.rank)
                .member("path", view_.path(cost.node))
                .member("kind", cost_name(cost.kind))
                .member("direct", seconds(cost.direct))
                .member("propagated", seconds(cost.propagated));
        }).end_object();
    }

    void write_steps(const NetworkPrediction& it) {
        const std::vector<StepRow> rows = rows_by_step(it.path_by_step);
        write_objects("critical_path_by_step", rows, json_, [&](const StepRow& row) {
            json_.key("step");
            if (row.step == kNone) {
                json_.null();
            } else {
                json_.value(u64{row.step});
            }
            json_.member("seconds", seconds(static_cast<double>(row.time)));
            json_.key("parts").begin_array();
            for (std::size_t kind = 0; kind < kCostKinds; ++kind) {
                if (row.kinds[kind] == 0) continue;
                json_.begin_object()
                    .member("kind", cost_name(static_cast<CostKind>(kind)))
                    .member("seconds", row.kinds[kind])
                    .end_object();
            }
            json_.end_array();
            json_.key("ranks").begin_array();
            for (const auto& [rank, time] : row.ranks) json_.value(u64{rank});
            json_.end_array();
        });
    }

    void write_path(const NetworkPrediction& it) {
        json_.key("critical_path").begin_object().member("last_rank", it.last_rank);
        write_objects("parts", it.path, json_, [&](const PathCost& cost) {
            json_.member("rank", cost.rank)
                .member("path", view_.path(cost.node))
                .member("kind", cost_name(cost.kind))
                .member("picoseconds", cost.time);
        }).end_object();
        write_objects("gains", it.gains, json_, [&](const NetworkPrediction::Gain& gain) {
            json_.member("path", view_.path(gain.node))
                .member("on_critical_path", gain.on_path)
                .member("gain", gain.gain);
        });
    }

    const PredictView& view_;
    JsonWriter& json_;
};

}  // namespace

void write_prediction_json(const PredictView& view, Console& console) {
    JsonWriter json(console.out(), console.json_layout());
    PredictionJson(view, json).run();
}

}  // namespace tracefold
