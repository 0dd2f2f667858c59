// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_view.hpp"

#include <functional>

#include <boost/pending/disjoint_sets.hpp>

namespace tracefold {

/// Sets of the vertices of a view that become one node each.
using ViewGroups = boost::disjoint_sets_with_storage<>;

/// What the parts of a group's nodes become: they stay, or they are one part of some kind.
enum class PartRule : u8 { chain, calls, loop, others };

/// The view with one node per group. `inner` are edges within a group that are none any more. Cost:
/// linear, for every loop.
FlowView grouped(const FlowView& view, ViewGroups& groups, PartRule rule,
                 const std::function<bool(FlowEdgeId)>& inner);

}  // namespace tracefold
