// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"
#include "mpi_calls/counted_ids.hpp"

#include <array>

namespace tracefold::inline mpi_calls {

/// Which values of a record hold ids that recorders take from counters, so that they differ in
/// every iteration of a loop. No record has more than two.
struct CountingFields {
    static constexpr u8 kNone = 0xFF;
    struct One {
        u8 field = kNone;
        IdCounter counter = IdCounter::request;
    };
    std::array<One, 2> fields;

    [[nodiscard]] constexpr bool has(std::size_t field) const {
        return field == fields[0].field || field == fields[1].field;
    }
};

namespace detail {

constexpr bool is_counted(FieldKind kind, IdCounter& counter) {
    switch (kind) {
        case FieldKind::request_new:
        case FieldKind::request_done:
        case FieldKind::request_used:
            counter = IdCounter::request;
            return true;
        case FieldKind::matching_id:
            counter = IdCounter::matching;
            return true;
        case FieldKind::message_new:
        case FieldKind::message_used:
            counter = IdCounter::message;
            return true;
        default:
            return false;
    }
}

constexpr CountingFields find_counting_fields(u8 type) {
    const RecordInfo& info = event_info(type);
    CountingFields found{};
    std::size_t count = 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        IdCounter counter{};
        if (is_counted(info.fields[i].kind, counter)) found.fields[count++] = {i, counter};
    }
    return found;
}

inline constexpr std::array<CountingFields, kEventTypes> kCountingFields = [] {
    std::array<CountingFields, kEventTypes> all{};
    for (u8 type = 0; type < kEventTypes; ++type) all[type] = find_counting_fields(type);
    return all;
}();

}  // namespace detail

constexpr const CountingFields& counting_fields(u8 type) { return detail::kCountingFields[type]; }

}  // namespace tracefold::inline mpi_calls
