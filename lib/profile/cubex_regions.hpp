// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "profile/call_tree.hpp"
#include "trace/record_source.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace tracefold {

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

}  // namespace tracefold
