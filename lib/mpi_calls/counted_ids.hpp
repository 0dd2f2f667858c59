// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "model/event_table.hpp"

#include <array>

namespace tracefold {

/// The counters from which recorders take ids; `ended` are ids of `request`, of requests that
/// ended.
enum class IdCounter : u8 { request, matching, message, ended };

/// One number per counter: the last id of each, or how far the ids went on. Modulo 2^64.
class CountedIds {
  public:
    static constexpr std::size_t kCounters = 4;

    u64& operator[](IdCounter counter) { return ids_[static_cast<std::size_t>(counter)]; }
    u64 operator[](IdCounter counter) const { return ids_[static_cast<std::size_t>(counter)]; }

    CountedIds& operator+=(const CountedIds& other) {
        for (std::size_t i = 0; i < kCounters; ++i) ids_[i] += other.ids_[i];
        return *this;
    }
    friend CountedIds operator-(CountedIds a, const CountedIds& b) {
        for (std::size_t i = 0; i < kCounters; ++i) a.ids_[i] -= b.ids_[i];
        return a;
    }
    friend CountedIds operator*(u64 times, CountedIds ids) {
        for (u64& id : ids.ids_) id *= times;
        return ids;
    }
    bool operator==(const CountedIds&) const = default;

  private:
    std::array<u64, kCounters> ids_{};
};

/// A new request id as a step from the last one; 0 if the request that ended last begins again (a
/// persistent one), which changes places with the step that leads there.
constexpr u64 encode_request(u64 id, u64 last, u64 ended) {
    if (id == ended) return 0;
    return id == last ? ended - last : id - last;
}
constexpr u64 decode_request(u64 code, u64 last, u64 ended) {
    if (code == 0) return ended;
    return code == ended - last ? last : last + code;
}

/// The id of a message that MPI_Probe or MPI_Iprobe saw: OTF2_UNDEFINED_UINT64.
inline constexpr u64 kUndefinedMessage = ~u64{0};

/// A new message id as a step from the last one; the undefined id has the code that no counter
/// gives, and changes places with the id that would have had it, so that every id has one code.
constexpr u64 encode_message(u64 id, u64 last) {
    if (id == kUndefinedMessage) return kUndefinedMessage;
    return id - last == kUndefinedMessage ? kUndefinedMessage - last : id - last;
}
constexpr u64 decode_message(u64 code, u64 last) {
    if (code == kUndefinedMessage) return kUndefinedMessage;
    return code == kUndefinedMessage - last ? last + kUndefinedMessage : last + code;
}

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

}  // namespace tracefold
