// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tables/profile_table.hpp"

#include <cmath>
#include <limits>

namespace tracefold {

namespace {

/// The cells that say which call path a row is of.
class PathCells {
  public:
    explicit PathCells(const TraceProfile& profile)
        : profile_(profile), depths_(profile.profile.tree.depths()) {}

    void put(u32 node, TableSink& table) const {
        const u32 parent = profile_.profile.tree[node].parent;
        table.whole(node);
        parent == kNone ? table.none() : table.whole(parent);
        table.whole(depths_[node]);
        table.text(profile_.path(node));
    }

  private:
    const TraceProfile& profile_;
    std::vector<u32> depths_;
};

void put_side(const MetricFigures& side, TableSink& table) {
    for (const double number : {side.sum, side.min, side.max, side.mean, side.deviation}) {
        std::isnan(number) ? table.none() : table.real(number);
    }
}

void put_value(const TraceProfile& profile, ProfileMetric metric, std::span<const u64> values,
               std::size_t group, TableSink& table) {
    const u64 number = values.empty() ? 0 : values[group];
    if (number == kOverflow) {
        table.none();
    } else if (metric == ProfileMetric::time) {
        table.real(in_units(profile, metric, static_cast<double>(number)));
    } else {
        table.whole(number);
    }
}

}  // namespace

double in_units(const TraceProfile& profile, ProfileMetric metric, double value) {
    if (metric != ProfileMetric::time) return value;
    return profile.rate.seconds(value);
}

MetricFigures figures(const TraceProfile& profile, u32 node, ProfileMetric metric, bool inclusive) {
    const Moments moments = profile.profile.moments(node, metric, inclusive);
    const auto units = [&](double value) { return in_units(profile, metric, value); };
    const auto one = [&](u64 value) {
        return value == kOverflow ? std::numeric_limits<double>::quiet_NaN()
                                  : units(static_cast<double>(value));
    };
    return {units(moments.real_sum()), one(moments.min()), one(moments.max()),
            units(moments.mean()), units(moments.deviation())};
}

std::vector<u32> nodes_down_to(const TraceProfile& profile, u32 depth) {
    const std::vector<u32> depths = profile.profile.tree.depths();
    std::vector<u32> nodes;
    for (u32 node = 0; node < depths.size(); ++node) {
        if (depths[node] <= depth) nodes.push_back(node);
    }
    return nodes;
}

void put_profile(const TraceProfile& profile, std::span<const u32> nodes, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"id", Type::whole},
                 {"parent", Type::whole},
                 {"depth", Type::whole},
                 {"path"},
                 {"metric"},
                 {"inclusive_sum", Type::real},
                 {"inclusive_min", Type::real},
                 {"inclusive_max", Type::real},
                 {"inclusive_mean", Type::real},
                 {"inclusive_std", Type::real},
                 {"exclusive_sum", Type::real},
                 {"exclusive_min", Type::real},
                 {"exclusive_max", Type::real},
                 {"exclusive_mean", Type::real},
                 {"exclusive_std", Type::real}});
    const PathCells paths(profile);
    for (const u32 node : nodes) {
        for (const ProfileMetric metric : profile.metrics(node)) {
            paths.put(node, table);
            table.text(metric_name(metric));
            put_side(figures(profile, node, metric, true), table);
            put_side(figures(profile, node, metric, false), table);
        }
    }
}

void put_profile_by(const TraceProfile& profile, std::span<const u32> nodes, std::string_view group,
                    TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"id", Type::whole},
                 {"parent", Type::whole},
                 {"depth", Type::whole},
                 {"path"},
                 {group},
                 {"metric"},
                 {"inclusive", Type::real},
                 {"exclusive", Type::real}});
    const PathCells paths(profile);
    for (const u32 node : nodes) {
        for (std::size_t i = 0; i < profile.groups.size(); ++i) {
            for (const ProfileMetric metric : profile.metrics(node)) {
                const NodeSummary& summary = profile.profile.nodes[node];
                paths.put(node, table);
                table.text(profile.groups[i]);
                table.text(metric_name(metric));
                put_value(profile, metric, summary.inclusive.groups(metric), i, table);
                put_value(profile, metric, summary.exclusive.groups(metric), i, table);
            }
        }
    }
}

}  // namespace tracefold
