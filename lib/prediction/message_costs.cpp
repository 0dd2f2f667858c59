// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/message_costs.hpp"

#include <cmath>
#include <utility>

namespace tracefold {

MessageCosts costs_of(const LinkParameters& link, u64 bytes) {
    const auto all = static_cast<double>(charged_bytes(bytes));
    const auto wire = static_cast<i64>(std::llround(all * link.per_byte));
    const auto copy = static_cast<i64>(std::llround(all * link.overhead_per_byte));
    return {link.latency, link.overhead, link.gap, wire, copy, wire >= copy};
}

CostTable::CostTable(std::vector<std::array<LinkParameters, kLinkClasses>> links)
    : links_(std::move(links)), keys_(kEntries), costs_(kEntries * links_.size()) {}

void CostTable::work_out(std::size_t entry, LinkClass link, u64 bytes) {
    keys_[entry] = {bytes, link, true};
    for (std::size_t i = 0; i < links_.size(); ++i) {
        costs_[entry * links_.size() + i] =
            costs_of(links_[i][static_cast<std::size_t>(link)], bytes);
    }
}

}  // namespace tracefold
