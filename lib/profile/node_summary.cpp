// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/node_summary.hpp"

#include "core/saturating.hpp"

#include <bit>

namespace tracefold {

namespace {

Moments moments_of(std::span<const u64> values, const LocationKinds& kinds) {
    u32 occurring = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (values[i] != 0) occurring |= 1U << kinds[i];
    }
    Moments moments;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (kinds.empty() || (occurring >> kinds[i] & 1U) != 0) moments.add(values[i]);
    }
    return moments;
}

}  // namespace

void MetricSummary::take(const NodeRows& rows, u32 node, const LocationGroups* groups,
                         const LocationKinds& kinds) {
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        add(static_cast<ProfileMetric>(metric), rows.row(node, metric), groups, kinds);
    }
    const auto both = [&](ProfileMetric sum, ProfileMetric a, ProfileMetric b) {
        const std::span<const u64> one = rows.row(node, index_of(a));
        const std::span<const u64> two = rows.row(node, index_of(b));
        if (one.empty() || two.empty()) return add(sum, one.empty() ? two : one, groups, kinds);
        std::vector<u64> values(one.begin(), one.end());
        for (std::size_t i = 0; i < values.size(); ++i) add_saturated(values[i], two[i]);
        add(sum, values, groups, kinds);
    };
    both(ProfileMetric::sent, ProfileMetric::sent_messages, ProfileMetric::sent_collective);
    both(ProfileMetric::received, ProfileMetric::received_messages,
         ProfileMetric::received_collective);
}

void MetricSummary::add(ProfileMetric metric, std::span<const u64> values,
                        const LocationGroups* groups, const LocationKinds& kinds) {
    if (values.empty()) return;
    mask_ |= static_cast<u16>(1U << index_of(metric));
    moments_.push_back(moments_of(values, kinds));
    if (groups == nullptr) return;
    const std::size_t first = groups_.size();
    groups_.resize(first + groups->count, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        add_saturated(groups_[first + groups->of_location[i]], values[i]);
    }
}

std::size_t MetricSummary::place(ProfileMetric metric) const {
    const u32 bit = 1U << index_of(metric);
    if ((mask_ & bit) == 0) return kNone;
    return static_cast<std::size_t>(std::popcount(mask_ & (bit - 1)));
}

const Moments* MetricSummary::moments(ProfileMetric metric) const {
    const std::size_t at = place(metric);
    return at == kNone ? nullptr : &moments_[at];
}

std::span<const u64> MetricSummary::groups(ProfileMetric metric) const {
    const std::size_t at = place(metric);
    if (at == kNone || groups_.empty()) return {};
    const std::size_t count = groups_.size() / moments_.size();
    return {groups_.data() + at * count, count};
}

}  // namespace tracefold
