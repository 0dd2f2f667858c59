// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/files/pending_transfers.hpp"

#include <algorithm>

namespace tracefold {

std::optional<u32> PendingTransfers::target_of(u64 id) const {
    if (id == 0) return std::nullopt;
    for (const Ids& ids : ids_) {
        if (last_ < ids.size() && ids[last_] == id) return last_;
    }
    for (const Ids& ids : ids_) {
        const auto found = std::find(ids.begin(), ids.end(), id);
        if (found != ids.end()) return static_cast<u32>(found - ids.begin());
    }
    return std::nullopt;
}

}  // namespace tracefold
