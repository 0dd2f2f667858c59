// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/collective_arguments.hpp"
#include "replay/communicator_table.hpp"

#include <unordered_map>

namespace tracefold {

/// How one process sees the communicators of its collectives. Cost: one look-up after the first.
class CollectiveScopes {
  public:
    /// The table must outlive this object.
    explicit CollectiveScopes(const CommunicatorTable& table) : table_(table) {}

    /// Throws Error(corrupt) if the process is no member. References hold for ever.
    const CollectiveScope& of(u64 comm) {
        const auto found = scopes_.find(comm);
        return found != scopes_.end() ? found->second : add(comm);
    }

  private:
    const CollectiveScope& add(u64 comm);

    const CommunicatorTable& table_;
    std::unordered_map<u64, CollectiveScope> scopes_;
};

}  // namespace tracefold
