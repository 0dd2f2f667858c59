// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"
#include "mpi_calls/completion_kinds.hpp"

#include <array>

namespace tracefold {

inline constexpr u8 kNoCountingField = 0xFF;

namespace detail {

constexpr u8 find_counting_field(u8 type) {
    const RecordInfo& info = event_info(type);
    if (completes_request(type)) return static_cast<u8>(info.field_count - 1);
    if (uses_request(type)) return 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        const FieldKind kind = info.fields[i].kind;
        if (kind == FieldKind::request_new || kind == FieldKind::matching_id) return i;
    }
    return kNoCountingField;
}

inline constexpr std::array<u8, kEventTypes> kCountingFields = [] {
    std::array<u8, kEventTypes> all{};
    for (u8 type = 0; type < kEventTypes; ++type) all[type] = find_counting_field(type);
    return all;
}();

}  // namespace detail

/// Which value of a record holds an id that recorders take from a counter, so that it differs in
/// every iteration of a loop: a request or a matching id.
constexpr u8 counting_field(u8 type) { return detail::kCountingFields[type]; }

/// True if that is a request.
constexpr bool counts_requests(u8 type) {
    return completes_request(type) || uses_request(type) || posting_kind(type) != nullptr;
}

}  // namespace tracefold
