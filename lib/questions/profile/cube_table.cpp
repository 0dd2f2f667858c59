// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/cube_table.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace tracefold {

std::vector<std::string> remove_unsupported(CubeProfile& profile) {
    std::vector<std::string> sentences;
    std::vector<u32> numbers;
    std::vector<CubeProfile::Metric> kept;
    for (CubeProfile::Metric& metric : profile.metrics) {
        // The children of a metric that goes become those of its parent.
        if (metric.parent != kNone) metric.parent = numbers[metric.parent];
        if (!metric.is_derived() && !metric.unsupported) {
            numbers.push_back(static_cast<u32>(kept.size()));
            kept.push_back(std::move(metric));
            continue;
        }
        numbers.push_back(metric.parent);
        sentences.push_back("metric " + metric.name + " is left out: " +
                            (metric.is_derived() ? "it is an expression over other metrics"
                                                 : "its values are of type " + metric.type));
    }
    profile.metrics = std::move(kept);
    return sentences;
}

namespace {

using Row = std::vector<double>;
/// Inclusive and exclusive.
using Sides = std::array<double, 2>;
using SideRows = std::array<Row, 2>;

/// The rows of call paths, children first.
class CubeWalk {
  public:
    /// Values for a set of locations at the current node, by metric.
    using Values = std::vector<Sides>;

    explicit CubeWalk(const CubeProfile& profile)
        : profile_(profile),
          locations_(profile.locations().size()),
          rows_(profile.metrics.size()),
          below_(profile.nodes.size()) {
        for (const CubeProfile::Metric& metric : profile.metrics) {
            types_.push_back(cube_value_type(metric.type));
        }
    }

    /// Each node once, by descending number.
    void visit(u32 node) {
        std::vector<Row> below = std::move(below_[node]);
        below.resize(rows_.size());
        const u32 parent = profile_.nodes[node].parent;
        if (parent != kNone) below_[parent].resize(rows_.size());
        for (u32 metric = 0; metric < rows_.size(); ++metric) {
            set_rows(metric, node, below[metric]);
            if (parent != kNone) add(metric, below_[parent][metric], rows_[metric][0]);
        }
    }

    /// Cost: linear in metrics and locations.
    [[nodiscard]] Values of(std::span<const u32> set) const {
        Values values(rows_.size());
        for (u32 metric = 0; metric < rows_.size(); ++metric) {
            for (const std::size_t side : {0U, 1U}) {
                values[metric][side] = sum_of(metric, rows_[metric][side], set);
            }
        }
        return values;
    }

  private:
    [[nodiscard]] double sum_of(u32 metric, const Row& row, std::span<const u32> set) const {
        const CubeValueType& type = *types_[metric];
        std::array<double, 8> parts{};
        for (std::size_t part = 0; !row.empty() && part < type.parts(); ++part) {
            parts[part] = type.neutral(part);
            for (const u32 location : set) {
                parts[part] = type.add(part, parts[part], row[part * locations_ + location]);
            }
        }
        return type.shown(parts);
    }

    /// `below`: the sum of the inclusive rows of the children.
    void set_rows(u32 metric, u32 node, const Row& below) {
        const CubeProfile::Metric& it = profile_.metrics[metric];
        const auto found = it.rows.find(node);
        const Row own = found == it.rows.end() ? Row() : found->second;
        rows_[metric] = {own, own};
        auto& [inclusive, exclusive] = rows_[metric];
        if (!it.is_inclusive()) return add(metric, inclusive, below);
        if (!below.empty()) exclusive.resize(below.size());
        for (std::size_t i = 0; i < below.size(); ++i) {
            if (types_[metric]->sum(i / locations_) == '+') exclusive[i] -= below[i];
        }
    }

    void add(u32 metric, Row& to, const Row& from) const {
        if (to.empty()) {
            to = from;
            return;
        }
        for (std::size_t i = 0; i < from.size(); ++i) {
            to[i] = types_[metric]->add(i / locations_, to[i], from[i]);
        }
    }

    const CubeProfile& profile_;
    std::size_t locations_;
    std::vector<const CubeValueType*> types_;
    std::vector<SideRows> rows_;           ///< by metric, of the current node
    std::vector<std::vector<Row>> below_;  ///< by node and metric: sums of children
};

/// The selected locations, and those of each group.
struct CubeSystem {
    std::vector<u32> selected;
    std::vector<std::string> types;  ///< by location
    std::vector<std::vector<u32>> groups;
    std::vector<std::string> names;
};

CubeSystem cube_system_of(const CubeProfile& profile, const CubeTableRequest& request) {
    CubeSystem system;
    const std::vector<u32> places = profile.locations();
    std::unordered_map<u32, u32> numbers;
    std::unordered_map<u32, u32> threads;
    for (const u32 place : places) {
        system.types.push_back(profile.places[place].type);
        if (system.types.back() != "metric") ++threads[profile.places[place].parent];
    }
    for (u32 location = 0; location < places.size(); ++location) {
        const CubeProfile::Place& it = profile.places[places[location]];
        const bool inside = it.parent != kNone;
        const bool ranked = inside && profile.places[it.parent].type == "process";
        const i64 rank = ranked ? profile.places[it.parent].rank : -1;
        if (it.type == "metric") continue;
        if (request.selects && (!ranked || !request.selects(static_cast<u64>(rank)))) continue;
        system.selected.push_back(location);
        u32 place = ranked && request.by == ProfileGroups::rank ? it.parent : places[location];
        std::string name = ranked ? std::to_string(rank) : it.name;
        if (request.by == ProfileGroups::location && ranked && threads[it.parent] > 1) {
            name += "." + std::to_string(it.rank);
        }
        if (request.by == ProfileGroups::node && inside) {
            const u32 node = profile.places[it.parent].parent;
            place = node == kNone ? it.parent : node;
            name = profile.places[place].name;
        }
        const auto next = static_cast<u32>(system.groups.size());
        const auto [found, fresh] = numbers.try_emplace(place, next);
        if (fresh) {
            system.groups.emplace_back();
            system.names.push_back(name);
        }
        system.groups[found->second].push_back(location);
    }
    return system;
}

/// Figures over the locations of the types on which the metric is not zero.
MetricFigures figures_over(const Row& values, const CubeSystem& system, double total) {
    std::unordered_map<std::string_view, bool> occurs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != 0) occurs[system.types[system.selected[i]]] = true;
    }
    Row numbers;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool counts = occurs.contains(system.types[system.selected[i]]);
        if (counts && !std::isnan(values[i])) numbers.push_back(values[i]);
    }
    MetricFigures figures{.sum = total};
    if (numbers.empty()) return figures;
    const auto count = static_cast<double>(numbers.size());
    figures.min = std::ranges::min(numbers);
    figures.max = std::ranges::max(numbers);
    figures.mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
    for (const double number : numbers) {
        figures.deviation += (number - figures.mean) * (number - figures.mean) / count;
    }
    figures.deviation = std::sqrt(figures.deviation);
    return figures;
}

}  // namespace

TraceProfile cube_table(const CubeProfile& profile, const CubeTableRequest& request) {
    constexpr u64 kMostValues = u64{1} << 24U;
    const CubeSystem system = cube_system_of(profile, request);
    const u64 metrics = profile.metrics.size();
    if (metrics * std::max(profile.nodes.size(), system.types.size()) > kMostValues) {
        throw Error(ErrorKind::unsupported,
                    "{} metrics of {} call paths and {} locations are too many for a table",
                    metrics, profile.nodes.size(), system.types.size());
    }
    TraceProfile table;
    table.profile.locations = static_cast<u32>(system.selected.size());
    table.profile.nodes.resize(profile.nodes.size());
    if (request.by != ProfileGroups::none) table.groups = system.names;
    for (u32 node = 0; node < profile.nodes.size(); ++node) {
        const CubeProfile::Node& it = profile.nodes[node];
        // Call paths of one region differ by their parameters, so each has a number of its own.
        table.profile.tree.add(it.parent, CallTree::Kind::region, node, node);
        table.names.push_back(profile.node_name(node));
        table.is_mpi.push_back(profile.regions[it.region].paradigm == "mpi");
    }
    for (const CubeProfile::Metric& metric : profile.metrics) {
        table.columns.push_back({metric.name, metric.unit});
        table.has_times = table.has_times || metric.name == metric_name(ProfileMetric::time);
    }
    CubeWalk walk(profile);
    for (auto node = static_cast<u32>(profile.nodes.size()); node-- > 0;) {
        walk.visit(node);
        std::vector<SideRows> values(metrics);
        for (const u32 location : system.selected) {
            const CubeWalk::Values one = walk.of({&location, 1});
            for (u32 metric = 0; metric < metrics; ++metric) {
                for (const std::size_t side : {0U, 1U})
                    values[metric][side].push_back(one[metric][side]);
            }
        }
        const CubeWalk::Values total = walk.of(system.selected);
        std::vector<CubeWalk::Values> groups;
        if (!table.groups.empty() && table.profile.tree[node].depth <= request.group_depth) {
            for (const std::vector<u32>& group : system.groups) groups.push_back(walk.of(group));
        }
        for (u32 metric = 0; metric < metrics; ++metric) {
            const auto is_zero = [](const Row& row) {
                return std::ranges::all_of(row, [](double value) { return value == 0; });
            };
            const bool nothing =
                total[metric] == Sides{} && std::ranges::all_of(values[metric], is_zero);
            if (profile.metrics[metric].ghost || nothing) continue;
            auto& sides = table.columns[metric].nodes[node];
            for (const std::size_t side : {0U, 1U}) {
                sides[side].figures =
                    figures_over(values[metric][side], system, total[metric][side]);
                for (const auto& group : groups) sides[side].groups.push_back(group[metric][side]);
            }
        }
    }
    return table;
}

}  // namespace tracefold
