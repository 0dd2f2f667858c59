// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/finding_list.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr FindingInfo kInfos[] = {
#define TRACEFOLD_INFO(name, hinders, what, done) {#name, hinders, what, done},
    TRACEFOLD_FINDINGS(TRACEFOLD_INFO)
#undef TRACEFOLD_INFO
};

}  // namespace

const FindingInfo& finding_info(FindingKind kind) { return kInfos[static_cast<std::size_t>(kind)]; }

bool can_be_skipped(FindingKind kind) {
    return kind == FindingKind::unsupported || kind == FindingKind::pending_collective ||
           kind == FindingKind::neighbour;
}

std::vector<Finding> FindingList::found() const {
    std::vector<Finding> list;
    for (std::size_t kind = 0; kind < all_.size(); ++kind) {
        if (all_[kind].count == 0) continue;
        list.push_back(all_[kind]);
        list.back().kind = static_cast<FindingKind>(kind);
    }
    return list;
}

bool FindingList::can_repeat(const FindingList& before) const {
    return std::ranges::equal(all_, before.all_, [](const Finding& now, const Finding& was) {
        return now.count == was.count || now.examples.size() == Finding::kExamples;
    });
}

void FindingList::add(const FindingList& before, u64 times) {
    for (std::size_t kind = 0; kind < all_.size(); ++kind) {
        all_[kind].count += (all_[kind].count - before.all_[kind].count) * times;
    }
}

const Finding* CheckResult::find(FindingKind kind) const {
    const auto found =
        std::find_if(findings.begin(), findings.end(),
                     [kind](const Finding& finding) { return finding.kind == kind; });
    return found == findings.end() ? nullptr : &*found;
}

bool CheckResult::can_be_replayed() const {
    return std::ranges::none_of(
        findings, [](const Finding& finding) { return finding_info(finding.kind).hinders; });
}

const Finding* CheckResult::hindrance() const {
    const auto found = std::ranges::find_if(findings, [](const Finding& finding) {
        return finding_info(finding.kind).hinders && !can_be_skipped(finding.kind);
    });
    return found == findings.end() ? nullptr : &*found;
}

}  // namespace tracefold
