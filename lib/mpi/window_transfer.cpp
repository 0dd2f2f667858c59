// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/window_transfer.hpp"

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

std::optional<u64> recorded_window(const MpiCall& call) {
    for (const Action& action : call.actions) {
        if (action.kind != Action::Kind::record) continue;
        const RecordInfo& info = event_info(action.type);
        for (u8 i = 0; i < info.field_count; ++i) {
            if (info.fields[i].kind == FieldKind::rma_win) return action.fields[i];
        }
    }
    return std::nullopt;
}

std::optional<WindowTransfer> read_transfer(const MpiCall& mpi_call) {
    for (const Action& action : mpi_call.actions) {
        if (action.kind != Action::Kind::record) continue;
        const auto& f = action.fields;
        const auto target = static_cast<u32>(f[1]);
        if (action.type == EventType::RmaPut) return WindowTransfer{f[0], target, f[2], 0, f[3]};
        if (action.type == EventType::RmaGet) return WindowTransfer{f[0], target, 0, f[2], f[3]};
        if (action.type == EventType::RmaAtomic)
            return WindowTransfer{f[0], target, f[3], f[4], f[5]};
    }
    return std::nullopt;
}

}  // namespace tracefold
