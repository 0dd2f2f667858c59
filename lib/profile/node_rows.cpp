// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/node_rows.hpp"

#include "core/error.hpp"
#include "core/saturating.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tracefold {

namespace {

struct Head {
    u32 node = 0;
    u32 mask = 0;
};

}  // namespace

NodeRows::NodeRows(const std::vector<u32>& owners, u32 owner, u32 locations)
    : locations_(locations), slots_(owners.size(), kNone) {
    for (u32 node = 0; node < owners.size(); ++node) {
        if (owners[node] != owner) continue;
        slots_[node] = static_cast<u32>(nodes_.size());
        nodes_.push_back(node);
    }
    rows_.resize(nodes_.size());
}

NodeRows::Row& NodeRows::filled(u32 node, std::size_t metric) {
    Row& row = rows_[slots_[node]][metric];
    if (row.empty()) {
        row.assign(locations_, 0);
        bytes_ += u64{locations_} * sizeof(u64);
        peak_bytes_ = std::max(peak_bytes_, bytes_);
    }
    return row;
}

void NodeRows::drop(Row& row) {
    bytes_ -= row.size() * sizeof(u64);
    row = Row();
}

void NodeRows::add(u32 node, u32 location, const MetricValues& values) {
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        if (values[metric] != 0) add_saturated(filled(node, metric)[location], values[metric]);
    }
}

void NodeRows::add(u32 node, std::size_t metric, std::span<const u64> values) {
    Row& row = filled(node, metric);
    for (std::size_t i = 0; i < row.size(); ++i) add_saturated(row[i], values[i]);
}

void NodeRows::move(u32 from, u32 to) {
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        Row& source = rows_[slots_[from]][metric];
        Row& target = rows_[slots_[to]][metric];
        if (source.empty()) continue;
        if (target.empty()) {
            target = std::exchange(source, Row());
        } else {
            add(to, metric, source);
            drop(source);
        }
    }
}

void NodeRows::release(u32 node) {
    for (Row& row : rows_[slots_[node]]) drop(row);
}

std::string rows_to_bytes(const NodeRows& rows, u32 node) {
    Head head{node, 0};
    std::string bytes(sizeof head, '\0');
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        const std::span<const u64> row = rows.row(node, metric);
        if (row.empty()) continue;
        head.mask |= 1U << metric;
        const std::size_t at = bytes.size();
        bytes.resize(at + row.size_bytes());
        std::memcpy(bytes.data() + at, row.data(), row.size_bytes());
    }
    std::memcpy(bytes.data(), &head, sizeof head);
    return bytes;
}

NumberedRows rows_from_bytes(std::string_view bytes, u32 locations) {
    Head head;
    const auto take = [&bytes](void* to, std::size_t size) {
        if (bytes.size() < size) {
            throw Error(ErrorKind::internal, "a message with the values of a call path is cut off");
        }
        std::memcpy(to, bytes.data(), size);
        bytes.remove_prefix(size);
    };
    take(&head, sizeof head);
    NumberedRows result;
    result.node = head.node;
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        if ((head.mask >> metric & 1U) == 0) continue;
        result.rows[metric].resize(locations);
        take(result.rows[metric].data(), locations * sizeof(u64));
    }
    return result;
}

}  // namespace tracefold
