// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/metric_catalogue.hpp"
#include "file/record_source.hpp"
#include "file/trace_file.hpp"
#include "model/definition_index.hpp"
#include "questions/profile/call_tree.hpp"
#include "questions/profile/metric_profile.hpp"
#include "questions/system/system_tree.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// Escapes element text or an attribute value.
std::string xml_text(std::string_view text);

/// <tag>text</tag>
std::string xml_element(std::string_view tag, std::string_view text);

/// A number as a quoted attribute value.
inline std::string xml_id(i64 number) { return "\"" + std::to_string(number) + "\""; }

/// A metric definition for Cube.
struct CubexMetric {
    std::string name;  ///< unique
    std::string title;
    std::string_view type;
    std::string unit;
    /// Formula over other metrics in Cube's language; empty: a stored metric.
    std::string formula = {};
};

/// Profile metrics by ProfileMetric, time directly after visits. Without times, no time metric.
std::vector<std::pair<ProfileMetric, CubexMetric>> cubex_metrics(bool with_times);

/// Cube metrics of a trace metric: the stored sum; for an absolute metric also the stored number of
/// values, and the mean as a formula.
std::vector<CubexMetric> cubex_metrics(const MetricMember& member, u32 number);

/// The text of anchor.xml: metrics, regions, call tree, and the system tree of the selected
/// locations, numbered in order of selection. Throws Error(corrupt).
std::string cubex_anchor(TraceFile& file, const CallTree& tree, const std::vector<bool>& selected,
                         const std::vector<CubexMetric>& metrics);

/// Attributes of a region in Score-P's terms.
struct CubexRegion {
    std::string mangled_name;
    std::string file = {};
    i64 begin = -1;  ///< lines of the file; -1: unknown
    i64 end = -1;
    std::string_view paradigm = {};
    std::string_view role = {};
};

/// Regions of call paths as the trace defines them. Memory: linear in its regions.
class CubexRegions {
  public:
    /// `records`: the global definitions behind `definitions`, which must outlive this object.
    /// Throws Error(corrupt).
    CubexRegions(const DefinitionIndex& definitions, RecordSource& records);

    [[nodiscard]] CubexRegion of(const CallTree::Node& node) const;

  private:
    struct Definition {
        u64 canonical_name;
        u64 role;
        u64 paradigm;
        u64 flags;
        u64 file;
        u64 begin;
        u64 end;
    };

    [[nodiscard]] CubexRegion of_region(u64 region) const;
    [[nodiscard]] std::string_view paradigm_of(u64 region, u64 paradigm) const;

    const DefinitionIndex& definitions_;
    std::unordered_map<u64, Definition> regions_;  ///< by id
};

/// The <system> element of a Cube file: the selected locations, numbered in this order, with their
/// processes and nodes, named as in Score-P's profiles.
std::string cubex_system(const SystemTree& system, const std::vector<bool>& selected);

}  // namespace tracefold
