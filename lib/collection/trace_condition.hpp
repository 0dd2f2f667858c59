// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collection/trace_record.hpp"

#include <string_view>
#include <vector>

namespace tracefold {

/// The field of a name. Throws Error(usage), which lists the names.
TraceField trace_field(std::string_view name);

/// A condition on the fields of a trace, such as "ranks>=64 and not (efficiency>80% or
/// program~lulesh)": docs/reference/list.md, "Conditions". A comparison with an unknown value does
/// not hold, except with "-", the unknown value.
class TraceCondition {
  public:
    /// Throws Error(usage) with the position of the fault. Cost: linear.
    explicit TraceCondition(std::string_view text);

    [[nodiscard]] bool holds(const TraceRecord& record) const { return holds(root_, record); }

    struct Node {
        enum class Kind : u8 { any, all, none, comparison };

        Kind kind = Kind::comparison;
        std::vector<Node> parts;  ///< of a comparison: none
        TraceField field{};
        unsigned relation = 0;  ///< a sum of orders for which it holds, or `contains`
        FieldValue value;       ///< of the field's type, or none: unknown
    };

  private:
    static bool holds(const Node& node, const TraceRecord& record);

    Node root_;
};

}  // namespace tracefold
