// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/export_report.hpp"

namespace tracefold {

std::string_view fate_name(Fate fate) {
    constexpr std::string_view kNames[kFates] = {"written", "expanded", "approximated", "merged",
                                                 "dropped"};
    return kNames[static_cast<std::size_t>(fate)];
}

void ExportReport::add(Counts& counts, std::string_view thing, u64 times) {
    if (times == 0) return;
    const auto found = counts.find(thing);
    if (found != counts.end()) {
        found->second += times;
    } else {
        counts.emplace(thing, times);
    }
}

void ExportReport::add(const ExportReport& other) {
    for (const auto& [thing, times] : other.contents_) add(contents_, thing, times);
    for (std::size_t fate = 0; fate < kFates; ++fate) {
        for (const auto& [thing, times] : other.counts_[fate]) add(counts_[fate], thing, times);
    }
    calls += other.calls;
    bytes += other.bytes;
}

u64 ExportReport::total(Fate fate) const {
    u64 sum = 0;
    for (const auto& [thing, times] : of(fate)) sum += times;
    return sum;
}

}  // namespace tracefold
