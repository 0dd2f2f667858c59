// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"
#include "model/record_kinds.hpp"
#include "model/symbol.hpp"
#include "mpi_calls/completion_kinds.hpp"

#include <array>

namespace tracefold {

/// By what a record of one location is recognised before its element is known: records with equal
/// keys have equal elements.
using RecordKey = u64;

/// Of records that have no key; never found.
inline constexpr RecordKey kNoKey = ~RecordKey{0};

/// `detail` is what the element depends on besides the type. Precondition: detail is below 2^56.
constexpr RecordKey make_key(u8 type, u64 detail) { return detail << 8U | type; }

/// What an event record is to the call model.
enum class RecordRole : u8 { plain, opens, closes, completion, uses_request };

inline constexpr u8 kNoDetail = 0xFF;

/// What the record table implies for the call model.
struct RecordTraits {
    RecordRole role = RecordRole::plain;
    bool operation = false;   ///< a call has one such record per request, RMA or I/O operation
    bool arrays = false;      ///< its second value is the length of its arrays
    bool collective = false;  ///< it has the sizes of a collective, which may be inexpressible
    bool context = false;     ///< its first field is a region or calling context
    u8 detail = kNoDetail;    ///< which value its element depends on: one of these two
    const PostingKind* posting = nullptr;
};

namespace detail {

constexpr RecordRole role_of(u8 type) {
    if (is_enter(type)) return RecordRole::opens;
    if (is_leave(type)) return RecordRole::closes;
    if (completes_request(type)) return RecordRole::completion;
    return uses_request(type) ? RecordRole::uses_request : RecordRole::plain;
}

constexpr RecordTraits traits_of(u8 type) {
    const RecordInfo& info = event_info(type);
    RecordTraits traits;
    traits.role = role_of(type);
    traits.arrays = info.has_arrays();
    traits.context = traits.role == RecordRole::opens || traits.role == RecordRole::closes;
    traits.detail = traits.context ? 0 : traits.arrays ? 1 : kNoDetail;
    traits.posting = posting_kind(type);
    for (u8 i = 0; i < info.field_count; ++i) {
        const FieldKind kind = info.fields[i].kind;
        traits.collective = traits.collective || kind == FieldKind::op;
        // True if the last field is one.
        traits.operation = kind == FieldKind::request_new || kind == FieldKind::matching_id;
    }
    if (type == static_cast<u8>(EventType::MpiImrecv)) traits.operation = true;
    return traits;
}

inline constexpr std::array<RecordTraits, kCompletions + 1> kRecordTraits = [] {
    std::array<RecordTraits, kCompletions + 1> all{};
    for (u8 type = 0; type < kEventTypes; ++type) all[type] = traits_of(type);
    return all;
}();

}  // namespace detail

/// By event type; kCompletions has no trait.
constexpr const RecordTraits& record_traits(u8 type) { return detail::kRecordTraits[type]; }

/// The key of an event; kNoKey if it has attributes. Precondition: ids are below 2^56.
inline RecordKey key_of(const RecordBatch& batch, const RecordBatch::Head& head) {
    if (head.attribute_count != 0) return kNoKey;
    const u8 detail = record_traits(head.type).detail;
    return make_key(head.type, detail == kNoDetail ? 0 : batch.values(head)[detail]);
}

}  // namespace tracefold
