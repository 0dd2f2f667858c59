// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// A profile as Cube 4 stores it: metrics by call path and location, stored or derived.
struct CubeProfile {
    /// How values of a metric are stored or derived: exclusive ones are summed up the call tree.
    enum class Kind : u8 { exclusive, inclusive, derived };

    struct Metric {
        std::string name = {};  ///< unique
        std::string title = {};
        std::string type = "DOUBLE";
        std::string unit = {};
        std::string url = {};
        std::string description = {};
        Kind kind = Kind::exclusive;
        u32 parent = kNone;        ///< in the tree of metrics
        bool unsupported = false;  ///< of an unknown type
        bool ghost = false;        ///< hidden: only other metrics use it
        /// By node: for each part of a value, one number per location; nodes without are zero.
        std::map<u32, std::vector<double>> rows = {};

        [[nodiscard]] bool is_derived() const { return kind == Kind::derived; }
        [[nodiscard]] bool is_inclusive() const { return kind == Kind::inclusive; }
    };

    struct Region {
        std::string name = {};
        std::string mangled_name = {};
        std::string paradigm = {};
        std::string role = {};
        std::string url = {};
        std::string description = {};
        std::string file = {};
        i64 begin = -1;
        i64 end = -1;

        bool operator==(const Region&) const = default;
    };

    struct Parameter {
        std::string key = {};
        std::string value = {};
        bool is_number = false;

        bool operator==(const Parameter&) const = default;
    };

    /// A call path.
    struct Node {
        u32 region = 0;
        u32 parent = kNone;
        std::string module = {};
        i64 line = -1;
        std::vector<Parameter> parameters = {};
    };

    /// A part of the machine, depth first.
    struct Place {
        enum class Kind : u8 { node, group, location };
        Kind kind = Kind::node;
        u32 parent = kNone;
        std::string name = {};
        std::string type = {};  ///< "process", "thread"; of a node its class
        i64 rank = 0;
        u32 location = kNone;  ///< of a location its number, which is its place in rows
    };

    std::vector<Metric> metrics;
    std::vector<Region> regions;
    std::vector<Node> nodes;  ///< depth first
    std::vector<Place> places;
    std::vector<std::string> mirrors;

    /// By number: the index of the location's place.
    [[nodiscard]] std::vector<u32> locations() const;
    /// A call path's region and parameters: "solve (n=3)".
    [[nodiscard]] std::string node_name(u32 node) const;
    [[nodiscard]] u32 find_metric(std::string_view name) const;  ///< kNone: missing
    /// By row of a metric: its node. Cube numbers those of inclusive metrics with siblings
    /// together.
    [[nodiscard]] std::vector<u32> row_nodes(bool inclusive) const;
};

/// A type of values of Cube: the numbers that it consists of.
struct CubeValueType {
    std::string_view name;
    /// Letter of each stored number: b, h, i, q as in Python's struct, upper case unsigned, d real.
    std::string_view layout;
    std::string_view sums = {};  ///< of each number: + (or none), < minimum, > maximum

    [[nodiscard]] std::size_t parts() const { return layout.size(); }
    [[nodiscard]] char sum(std::size_t part) const { return sums.empty() ? '+' : sums[part]; }
    /// Adds up two numbers of a part.
    [[nodiscard]] double add(std::size_t part, double a, double b) const;
    /// The number of nothing: 0, or an infinite one for extremes.
    [[nodiscard]] double neutral(std::size_t part) const;
    /// The number that stands for a value: of TAU_ATOMIC the mean, of COMPLEX the amount.
    [[nodiscard]] double shown(std::span<const double> parts) const;
    [[nodiscard]] bool is_whole() const { return layout.find('d') == std::string_view::npos; }
    [[nodiscard]] bool is_unsigned() const { return is_whole() && layout[0] < 'a'; }
    [[nodiscard]] u64 bytes() const;
};

/// Null: an unknown type, or one without a fixed number of parts.
const CubeValueType* cube_value_type(std::string_view name);

/// Reads a file of Cube 4 (docs/reference/profile.md). Throws Error: io; corrupt; unsupported for
/// one that expands by far more than profiles do. Memory: 8 bytes per number, and the tree.
CubeProfile read_cubex(const std::string& path);

/// Writes a profile. Throws Error(io), also if the file exists without `force`; unsupported above
/// 8 GiB per metric.
void write_cubex(const CubeProfile& profile, const std::string& path, bool force);

/// What to do with several profiles.
enum class CubeOperation : u8 {
    diff,   ///< the first minus the second
    mean,   ///< over all profiles; a missing value counts 0
    merge,  ///< metrics and call paths of all; the last profile that has a value counts
    max,    ///< greatest value
};

/// Unites profiles. Metrics match by unique name. Call paths match below matching parents: equal
/// ones, then those of one name and parameters; roots without partners by position if all have as
/// many. Locations match by type and ranks. Whole numbers of a mean become real, those of a
/// difference get a sign. Precondition: at least one profile, of a difference two. Throws
/// Error(unsupported) if a metric has different types of values.
CubeProfile combine(const std::vector<CubeProfile>& profiles, CubeOperation operation);

}  // namespace tracefold
