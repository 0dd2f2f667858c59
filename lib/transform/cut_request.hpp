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

/// Selects a part of a trace. Unset members do not restrict it.
struct CutRequest {
    using Names = std::function<bool(std::string_view name)>;

    std::string text;             ///< description, stored with the part
    std::vector<bool> locations;  ///< empty: all
    /// Seconds since the begin of the trace, on the common clock; `to` excluded.
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    /// Iterations, from 0, of each rank's main loop.
    std::function<bool(u64 iteration)> iterations;
    Names regions;       ///< events in regions of these names
    Names calls;         ///< only calls of these names, without their callees
    RecordKindSet drop;  ///< record kinds to leave out
    /// Leave out messages and collective operations with partners outside of the part.
    bool closed = false;
    bool marks_edges = true;  ///< with MeasurementOnOff records

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

/// The position of an event with respect to a part.
enum class Side : u8 {
    inside,
    outside,   ///< of its time or iterations
    filtered,  ///< in its time, but excluded by name or kind
};

}  // namespace tracefold
