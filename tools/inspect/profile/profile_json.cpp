// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/losses.hpp"
#include "inspect/gaps.hpp"
#include "inspect/profile/profile.hpp"

namespace tracefold {

namespace {

class JsonPrinter {
  public:
    JsonPrinter(const ProfileView& view, JsonWriter& json)
        : profile_(view.data),
          depths_(profile_.profile.tree.depths()),
          by_group_(!view.by.empty()),
          json_(json) {}

    void add(u32 node) {
        const u32 parent = profile_.profile.tree[node].parent;
        json_.begin_object().member("node", node);
        if (parent != kNone) json_.member("parent", parent);
        json_.member("depth", depths_[node])
            .member("call", profile_.names[node])
            .member("mpi", static_cast<bool>(profile_.is_mpi[node]))
            .key("metrics")
            .begin_array();
        for (const ProfileMetric metric : profile_.metrics(node)) add(node, metric);
        json_.end_array().end_object();
    }

  private:
    void add(u32 node, ProfileMetric metric) {
        const NodeSummary& summary = profile_.profile.nodes[node];
        json_.begin_object().member("metric", metric_name(metric));
        side("inclusive", figures(profile_, node, metric, true));
        side("exclusive", figures(profile_, node, metric, false));
        groups("inclusive_groups", metric, summary.inclusive);
        groups("exclusive_groups", metric, summary.exclusive);
        json_.end_object();
    }

    void side(std::string_view name, const MetricFigures& f) {
        json_.key(name).begin_object();
        json_.member("sum", f.sum).member("min", f.min).member("max", f.max);
        json_.member("mean", f.mean).member("std", f.deviation).end_object();
    }

    void groups(std::string_view name, ProfileMetric metric, const MetricSummary& values) {
        const std::span<const u64> groups = values.groups(metric);
        if (groups.empty() || !by_group_) return;
        json_.key(name).begin_array();
        for (const u64 value : groups) {
            if (value == kOverflow) {
                json_.null();
            } else if (metric == ProfileMetric::time) {
                json_.value(in_units(profile_, metric, static_cast<double>(value)));
            } else {
                json_.value(value);
            }
        }
        json_.end_array();
    }

    const TraceProfile& profile_;
    std::vector<u32> depths_;
    bool by_group_;
    JsonWriter& json_;
};

}  // namespace

void write_profile_json(const ProfileView& view, Console& console) {
    JsonWriter json = begin_document(console, "profile");
    json.member("file", view.file)
        .member("locations", view.data.profile.locations)
        .member("times", view.data.has_times);
    add_gaps(json, view.gaps, GapScope::events);
    write_nesting(view.data.nesting, json);
    if (!view.by.empty()) {
        json.member("by", view.by);
        write_list("groups", view.data.groups, json);
    }
    json.key("nodes").begin_array();
    JsonPrinter printer(view, json);
    for (const u32 node : view.shown()) printer.add(node);
    json.end_array().end_object();
}

}  // namespace tracefold
