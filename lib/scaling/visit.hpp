// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/hash.hpp"
#include "scaling/point.hpp"

#include <array>

namespace tracefold::inline scaling {

/// An iteration of a loop that is apart from the others: of the innermost loop that varies, or of
/// the one around it.
enum class EdgeIteration : u8 { first, last, outer_first, outer_last };

/// A visit of a place of a script: which iteration each loop around is in.
struct Visit {
    u64 key = 0;  ///< of the loops that all examples iterate equally often
    std::array<Point::Loop, Point::kLoops> loops{};  ///< of the others, the innermost first

    bool operator==(const Visit&) const = default;

    /// True if one more loop of which the number of iterations varies can be told.
    [[nodiscard]] bool has_room() const { return loops.back().trips == 0; }

    /// The key of a visit where an edge of a loop that varies is apart: the innermost one, or the
    /// one around it.
    [[nodiscard]] u64 key_at(EdgeIteration edge) const {
        const bool outer = edge == EdgeIteration::outer_first || edge == EdgeIteration::outer_last;
        const bool first = edge == EdgeIteration::first || edge == EdgeIteration::outer_first;
        const Point::Loop& loop = loops[outer ? 1 : 0];
        const bool is_edge = loop.index == (first ? 0 : loop.trips - 1);
        return is_edge ? mix(key ^ 0x5851f42d4c957f2dULL) : key;
    }

    /// The visit within an iteration of one more loop.
    [[nodiscard]] Visit within(bool is_fixed, u64 index, u64 trips) const {
        Visit inner = *this;
        if (is_fixed) {
            inner.key = mix(key + kGolden * (index + 1));
        } else {
            inner.loops[1] = loops[0];
            inner.loops[0] = {static_cast<u32>(index), static_cast<u32>(trips)};
        }
        return inner;
    }
};

}  // namespace tracefold::inline scaling
