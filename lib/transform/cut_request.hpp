// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_kinds.hpp"

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Which part of a trace is wanted. What is not said restricts nothing.
struct CutRequest {
    using Names = std::function<bool(std::string_view name)>;

    std::string text;             ///< the same in words, to be kept with the part
    std::vector<bool> locations;  ///< empty: all
    /// Seconds since the trace began, by the clock that all locations share; `to` excluded.
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    /// Iterations, from 0, of each rank's main loop.
    std::function<bool(u64 iteration)> iterations;
    Names regions;       ///< what happens in regions of these names
    Names calls;         ///< calls of these names alone, without what they call
    RecordKindSet drop;  ///< kinds of records to leave out
    /// Without messages and collective operations whose partners are not in the part.
    bool closed = false;

    [[nodiscard]] bool has_times() const {
        return from != -std::numeric_limits<double>::infinity() ||
               to != std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] bool has_window() const { return has_times() || iterations != nullptr; }
    [[nodiscard]] bool has_names() const { return regions != nullptr || calls != nullptr; }
    [[nodiscard]] bool drops(RecordKind kind) const {
        return drop.test(static_cast<std::size_t>(kind));
    }
};

/// Where an event stands towards a part.
enum class Side : u8 {
    inside,
    outside,   ///< of its time or iterations
    filtered,  ///< in its time, but left out by name or kind
};

}  // namespace tracefold
