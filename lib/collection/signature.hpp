// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/trace_file.hpp"

#include <compare>
#include <vector>

namespace tracefold {

/// A program's structure as two weighted sets of hashed features, to compare programs by. The sets
/// do not depend on the number of ranks, on trip counts, or on names other than those of MPI
/// functions. docs/reference/list.md, "Distance", defines the features.
struct StructureSignature {
    struct Feature {
        u32 hash = 0;
        u8 weight = 0;  ///< from 1 to 16, by the square root of the share of calls

        auto operator<=>(const Feature&) const = default;
    };
    /// Larger sets keep the features with the smallest hashes: a coordinated sample (Broder, 1997;
    /// Cohen and Kaplan, 2007).
    static constexpr std::size_t kMostFeatures = 256;

    std::vector<Feature> communication;  ///< operations, depths, partners, sizes; by rising hash
    std::vector<Feature> loops;          ///< loop bodies, and pairs of operations; by rising hash

    bool operator==(const StructureSignature&) const = default;
};

/// Cost: the symbols and scripts, and the transfers of at most 32 locations, all in folded form.
/// Throws Error(corrupt).
StructureSignature structure_signature(TraceFile& file);

/// 1 - (J1 + J2) / 2 with the weighted Jaccard indices of both sets: 0 for equal structures, 1 for
/// structures with nothing in common. Exact up to kMostFeatures, else with a standard error of
/// about 0.03. Cost: linear in the features.
double distance(const StructureSignature& a, const StructureSignature& b);

}  // namespace tracefold
