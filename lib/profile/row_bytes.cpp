// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/row_bytes.hpp"

#include "core/error.hpp"

#include <cstring>

namespace tracefold::inline profile {

namespace {

struct Head {
    u32 node = 0;
    u32 mask = 0;
};

}  // namespace

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

}  // namespace tracefold::inline profile
