// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"

#include <bitset>
#include <optional>
#include <string_view>

namespace tracefold {

/// The subject of event records; `attributes` for their attribute lists.
enum class RecordKind : u8 {
    attributes,
    collectives,
    communicators,
    io,
    measurement,
    messages,
    metrics,
    parameters,
    program,
    regions,
    rma,
    samples,
    threads,
};
inline constexpr std::size_t kRecordKinds = 13;

using RecordKindSet = std::bitset<kRecordKinds>;

std::string_view name_of(RecordKind kind);
/// Returns nothing for an unknown name.
std::optional<RecordKind> find_record_kind(std::string_view name);

namespace detail {

/// Compile-time check: every event type must have a kind.
constexpr RecordKind record_kind_of(std::string_view name) {
    struct Start {
        std::string_view text;
        RecordKind kind;
    };
    // The first matching prefix decides.
    constexpr Start starts[] = {
        {"MpiCollective", RecordKind::collectives},
        {"NonBlockingCollective", RecordKind::collectives},
        {"Mpi", RecordKind::messages},
        {"Comm", RecordKind::communicators},
        {"Rma", RecordKind::rma},
        {"Io", RecordKind::io},
        {"Omp", RecordKind::threads},
        {"Thread", RecordKind::threads},
        {"Metric", RecordKind::metrics},
        {"Parameter", RecordKind::parameters},
        {"Program", RecordKind::program},
        {"CallingContextSample", RecordKind::samples},
        {"CallingContext", RecordKind::regions},
        {"Enter", RecordKind::regions},
        {"Leave", RecordKind::regions},
        {"BufferFlush", RecordKind::measurement},
        {"MeasurementOnOff", RecordKind::measurement},
    };
    for (const Start& start : starts) {
        if (name.starts_with(start.text)) return start.kind;
    }
    throw "an event type without a kind";
}

inline constexpr std::array<RecordKind, kEventTypes> kKindsOfRecords = [] {
    std::array<RecordKind, kEventTypes> kinds{};
    for (u8 type = 0; type < kEventTypes; ++type) {
        kinds[type] = record_kind_of(event_info(type).name);
    }
    return kinds;
}();

}  // namespace detail

/// The kind of an event type. Precondition: type < kEventTypes.
constexpr RecordKind record_kind(u8 type) { return detail::kKindsOfRecords[type]; }
constexpr RecordKind record_kind(EventType type) { return record_kind(static_cast<u8>(type)); }

/// True for records that enter a region or calling context.
constexpr bool is_enter(u8 type) {
    return type == static_cast<u8>(EventType::Enter) ||
           type == static_cast<u8>(EventType::CallingContextEnter);
}
/// True for records that leave a region or calling context.
constexpr bool is_leave(u8 type) {
    return type == static_cast<u8>(EventType::Leave) ||
           type == static_cast<u8>(EventType::CallingContextLeave);
}

/// True for a record that begins a copy: on an accelerator stream, a copy is a window access
/// outside any region. A get copies from the host, a put to it; both last until they complete.
constexpr bool begins_copy(u8 type) {
    return type == static_cast<u8>(EventType::RmaGet) || type == static_cast<u8>(EventType::RmaPut);
}
constexpr bool ends_copy(u8 type) {
    return type == static_cast<u8>(EventType::RmaOpCompleteBlocking) ||
           type == static_cast<u8>(EventType::RmaOpCompleteNonBlocking);
}

}  // namespace tracefold
