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

/// A metric as Cube is told of it.
struct CubexMetric {
    std::string name;  ///< unique
    std::string title;
    std::string_view type;
    std::string unit;
    /// How Cube works it out from others, in its own language; empty: it is stored.
    std::string formula = {};
};

/// Of a profile, by ProfileMetric: time first after visits. Without times there is none of time.
std::vector<std::pair<ProfileMetric, CubexMetric>> cubex_metrics(bool with_times);

/// Of a metric of the trace: what is stored is its sum, and of an absolute one the number of its
/// values too, after which comes the mean as a formula.
std::vector<CubexMetric> cubex_metrics(const MetricMember& member, u32 number);

/// The text of anchor.xml: metrics, regions, call tree, and the system tree of the selected
/// locations, which are numbered as they are selected. Throws Error(corrupt).
std::string cubex_anchor(TraceFile& file, const CallTree& tree, const std::vector<bool>& selected,
                         const std::vector<CubexMetric>& metrics);

/// What Cube is told of a region besides its name, in the words of Score-P's profiles.
struct CubexRegion {
    std::string mangled_name;
    std::string file = {};
    i64 begin = -1;  ///< lines of the file; -1: unknown
    i64 end = -1;
    std::string_view paradigm = {};
    std::string_view role = {};
};

/// The regions of call paths as the trace defines them. Memory: linear in its regions.
class CubexRegions {
  public:
    /// `records`: the global definitions that `definitions` was made of; `definitions` must outlive
    /// this object. Throws Error(corrupt).
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

/// The element <system> of a file for Cube: the selected locations (by their definitions), numbered
/// in this order, and what they are on, with the names that Score-P gives it in its profiles.
std::string cubex_system(const SystemTree& system, const std::vector<bool>& selected);

}  // namespace tracefold
