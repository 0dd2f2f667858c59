// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "questions/profile/cube_profile.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tracefold {

namespace {

using PlaceKind = CubeProfile::Place::Kind;

/// Numbers in the result, by number in an operand.
struct CubeNumbers {
    std::vector<u32> metrics;
    std::vector<u32> nodes;
    std::vector<u32> locations;
};

/// Collects the definitions of operands.
class CubeUnion {
  public:
    explicit CubeUnion(CubeOperation operation) : operation_(operation) {}

    CubeNumbers add(const CubeProfile& profile) {
        for (const std::string& mirror : profile.mirrors) {
            const bool known = std::ranges::find(result_.mirrors, mirror) != result_.mirrors.end();
            if (!known) result_.mirrors.push_back(mirror);
        }
        return {add_metrics(profile), add_nodes(profile), add_places(profile)};
    }

    /// Call paths of later operands were appended: numbers them depth first.
    CubeProfile finish(std::vector<CubeNumbers>& all) {
        std::vector<std::vector<u32>> children(result_.nodes.size());
        std::vector<u32> open;
        for (u32 node = 0; node < result_.nodes.size(); ++node) {
            const u32 parent = result_.nodes[node].parent;
            (parent == kNone ? open : children[parent]).push_back(node);
        }
        std::ranges::reverse(open);
        std::vector<u32> numbers(result_.nodes.size());
        std::vector<CubeProfile::Node> nodes;
        while (!open.empty()) {
            const u32 node = open.back();
            open.pop_back();
            numbers[node] = static_cast<u32>(nodes.size());
            CubeProfile::Node& made = nodes.emplace_back(std::move(result_.nodes[node]));
            if (made.parent != kNone) made.parent = numbers[made.parent];
            open.insert(open.end(), children[node].rbegin(), children[node].rend());
        }
        result_.nodes = std::move(nodes);
        for (CubeNumbers& operand : all) {
            for (u32& node : operand.nodes) node = numbers[node];
        }
        return std::move(result_);
    }

  private:
    std::vector<u32> add_metrics(const CubeProfile& profile) {
        std::vector<u32> numbers;
        for (const CubeProfile::Metric& it : profile.metrics) {
            u32 number = result_.find_metric(it.name);
            if (number == kNone) {
                number = static_cast<u32>(result_.metrics.size());
                CubeProfile::Metric& made = result_.metrics.emplace_back(it);
                made.rows.clear();
                made.parent = it.parent == kNone ? kNone : numbers[it.parent];
                const bool whole = cube_value_type(it.type)->is_whole();
                if (whole && operation_ == CubeOperation::mean) made.type = "DOUBLE";
                if (whole && operation_ == CubeOperation::diff) made.type = "INT64";
            }
            const CubeProfile::Metric& made = result_.metrics[number];
            const bool alike = made.kind == it.kind &&
                               cube_value_type(made.type)->sums == cube_value_type(it.type)->sums;
            if (!alike) {
                throw Error(ErrorKind::unsupported,
                            "the metric {} has values of different types in these profiles",
                            it.name);
            }
            numbers.push_back(number);
        }
        return numbers;
    }

    /// What makes call paths equal: in Cube, or but for the place in the source.
    std::string key_of(const CubeProfile& profile, u32 node, u32 parent, bool exact) const {
        const CubeProfile::Node& it = profile.nodes[node];
        const CubeProfile::Region& region = profile.regions[it.region];
        std::string key = std::to_string(parent) + '\0' + profile.node_name(node) + '\0';
        if (!exact) return key;
        key += region.file + '\0' + it.module;
        for (const i64 line : {region.begin, region.end, it.line})
            key += ':' + std::to_string(line);
        return key;
    }

    /// Matches call paths level by level: equal ones, then those of the same name; roots by
    /// position if as many are left on both sides.
    std::vector<u32> add_nodes(const CubeProfile& profile) {
        std::vector<u32> numbers(profile.nodes.size(), kNone);
        std::vector<bool> taken(result_.nodes.size(), false);
        std::vector<u32> depths;
        std::vector<std::vector<u32>> levels;
        for (u32 node = 0; node < profile.nodes.size(); ++node) {
            const u32 parent = profile.nodes[node].parent;
            depths.push_back(parent == kNone ? 0 : depths[parent] + 1);
            if (depths.back() == levels.size()) levels.emplace_back();
            levels[depths.back()].push_back(node);
        }
        for (std::vector<u32>& level : levels) {
            const auto parent_of = [&](u32 node) {
                const u32 parent = profile.nodes[node].parent;
                return parent == kNone ? kNone : numbers[parent];
            };
            const auto match = [&](u32 node, u32 found) {
                if (numbers[node] != kNone || found >= taken.size() || taken[found]) return;
                numbers[node] = found;
                taken[found] = true;
            };
            for (const bool exact : {true, false}) {
                for (const u32 node : level) {
                    if (numbers[node] != kNone) continue;
                    for (const u32 found : known_[key_of(profile, node, parent_of(node), exact)]) {
                        match(node, found);
                    }
                }
            }
            std::erase_if(level, [&](u32 node) { return numbers[node] != kNone; });
            if (!level.empty() && profile.nodes[level[0]].parent == kNone) {
                std::vector<u32> left;
                for (u32 node = 0; node < taken.size(); ++node) {
                    if (result_.nodes[node].parent == kNone && !taken[node]) left.push_back(node);
                }
                for (std::size_t i = 0; left.size() == level.size() && i < left.size(); ++i) {
                    match(level[i], left[i]);
                }
            }
            for (const u32 node : level) {
                if (numbers[node] == kNone)
                    numbers[node] = add_node(profile, node, parent_of(node));
            }
        }
        return numbers;
    }

    u32 add_node(const CubeProfile& profile, u32 node, u32 parent) {
        const auto number = static_cast<u32>(result_.nodes.size());
        CubeProfile::Node made = profile.nodes[node];
        const CubeProfile::Region& region = profile.regions[made.region];
        const auto key = std::tuple(region.name, region.file, region.begin, region.end);
        const auto next = static_cast<u32>(result_.regions.size());
        const auto [found, fresh] = regions_.try_emplace(key, next);
        if (fresh) result_.regions.push_back(region);
        for (const bool exact : {true, false}) {
            known_[key_of(profile, node, parent, exact)].push_back(number);
        }
        made.region = found->second;
        made.parent = parent;
        result_.nodes.push_back(std::move(made));
        return number;
    }

    /// Processes match by type and rank, on any node; locations in them likewise, nodes of the
    /// machine by name. Returns numbers of locations.
    std::vector<u32> add_places(const CubeProfile& profile) {
        std::vector<u32> places;
        std::vector<u32> locations(profile.locations().size());
        std::map<std::tuple<u32, PlaceKind, std::string, i64>, u32> used;
        for (const CubeProfile::Place& it : profile.places) {
            const u32 above = it.parent == kNone ? kNone : places[it.parent];
            const u32 parent = it.kind == PlaceKind::group ? kNone : above;
            const std::string& word = it.kind == PlaceKind::node ? it.name : it.type;
            const u32 nth = used[{parent, it.kind, word, it.rank}]++;
            const auto next = static_cast<u32>(result_.places.size());
            const auto [found, fresh] =
                places_.try_emplace({parent, it.kind, word, it.rank, nth}, next);
            if (fresh) {
                CubeProfile::Place& made = result_.places.emplace_back(it);
                made.parent = above;
                if (it.kind == PlaceKind::location) made.location = locations_++;
            }
            places.push_back(found->second);
            if (it.kind != PlaceKind::location) continue;
            locations[it.location] = result_.places[found->second].location;
        }
        return locations;
    }

    CubeOperation operation_;
    CubeProfile result_;
    std::map<std::string, std::vector<u32>> known_;  ///< nodes by their keys
    std::map<std::tuple<std::string, std::string, i64, i64>, u32> regions_;
    std::map<std::tuple<u32, PlaceKind, std::string, i64, u32>, u32> places_;
    u32 locations_ = 0;
};

}  // namespace

CubeProfile combine(const std::vector<CubeProfile>& profiles, CubeOperation operation) {
    CubeUnion united(operation);
    std::vector<CubeNumbers> numbers;
    for (const CubeProfile& profile : profiles) numbers.push_back(united.add(profile));
    CubeProfile result = united.finish(numbers);
    const std::size_t locations = result.locations().size();
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        const std::size_t own = numbers[i].locations.size();
        for (u32 m = 0; m < profiles[i].metrics.size(); ++m) {
            CubeProfile::Metric& target = result.metrics[numbers[i].metrics[m]];
            for (const auto& [node, row] : profiles[i].metrics[m].rows) {
                const CubeValueType& type = *cube_value_type(target.type);
                std::vector<double>& to = target.rows[numbers[i].nodes[node]];
                for (std::size_t part = to.size() / locations; part < type.parts(); ++part) {
                    to.insert(to.end(), locations, type.neutral(part));
                }
                for (std::size_t at = 0; at < row.size(); ++at) {
                    const std::size_t part = at / own;
                    double& value = to[part * locations + numbers[i].locations[at % own]];
                    const bool adds = type.sum(part) == '+';
                    if (operation == CubeOperation::merge) {
                        value = row[at];
                    } else if (operation == CubeOperation::max) {
                        value = std::max(value, row[at]);
                    } else if (operation == CubeOperation::diff) {
                        value = type.add(part, value, i == 0 ? row[at] : -row[at]);
                    } else {
                        // An extreme value of all profiles is no mean.
                        const double count = adds ? static_cast<double>(profiles.size()) : 1;
                        value = type.add(part, value, row[at] / count);
                    }
                }
            }
        }
    }
    return result;
}

}  // namespace tracefold
