// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/call_profile.hpp"

namespace tracefold {

/// Brings the values of locations to the owners of their nodes. Collective; throws what `produce`
/// throws, after all messages have arrived. Cost: every value once over the network.
void distribute_rows(Communicator& comm, const std::vector<u32>& owners,
                     const std::function<void(const LocationSink&)>& produce, NodeRows& rows);

/// Passes the rows of all nodes to `sink` on process 0, depth first. Collective; throws what `sink`
/// throws, after all rows have come. Memory: one node's rows.
void collect_rows(Communicator& comm, const std::vector<u32>& owners, const NodeRows& rows,
                  const std::function<void(u32 node, const ProfileOptions::Rows& rows)>& sink);

}  // namespace tracefold
