// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/collective_waits.hpp"

#include "replay/collective_needs.hpp"

#include <array>

namespace tracefold {

std::string_view wait_name(WaitKind kind) {
    constexpr std::array<std::string_view, kWaitKinds> kNames = {
        "late_sender", "late_receiver", "barrier",   "all_to_all",    "late_root",  "early_root",
        "prefix",      "fence",         "late_post", "late_complete", "late_unlock"};
    return kNames[static_cast<std::size_t>(kind)];
}

WaitKind collective_wait(CollectiveKind kind) {
    if (kind == CollectiveKind::barrier) return WaitKind::barrier;
    switch (collective_need(kind)) {
        case CollectiveNeed::root:
            return WaitKind::late_root;
        case CollectiveNeed::members:
            return WaitKind::early_root;
        case CollectiveNeed::lower:
            return WaitKind::prefix;
        default:
            return WaitKind::all_to_all;
    }
}

}  // namespace tracefold
