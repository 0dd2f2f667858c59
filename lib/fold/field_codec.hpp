// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/memory.hpp"
#include "base/types.hpp"
#include "fold/mapping_tables.hpp"
#include "model/definition_index.hpp"
#include "model/event_table.hpp"
#include "model/symbol.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// The peer field of a record type, and the field of the communicator or window of the peer's rank.
struct PeerFields {
    static constexpr u8 kNoField = 0xFF;

    u8 peer = kNoField;
    u8 scope = kNoField;
    bool window = false;  ///< the scope is a window

    [[nodiscard]] constexpr bool exist() const { return peer != kNoField; }
};

namespace detail {

constexpr PeerFields find_peer_fields(const RecordInfo& info) {
    PeerFields found;
    for (u8 i = 0; i < info.field_count; ++i) {
        const FieldKind kind = info.fields[i].kind;
        if (kind == FieldKind::peer) found.peer = i;
        if (kind == FieldKind::comm || kind == FieldKind::rma_win) {
            found.scope = i;
            found.window = kind == FieldKind::rma_win;
        }
    }
    return found;
}

inline constexpr std::array<PeerFields, kEventTypes> kPeerFields = [] {
    std::array<PeerFields, kEventTypes> all{};
    for (u8 type = 0; type < kEventTypes; ++type) all[type] = find_peer_fields(event_info(type));
    return all;
}();

}  // namespace detail

constexpr const PeerFields& peer_fields(u8 type) { return detail::kPeerFields[type]; }

/// The location's views of communicators and windows by raw (local) id, each looked up once.
class RankViews {
  public:
    RankViews(const DefinitionIndex& definitions, const MappingTables& tables,
              const LocationDefinition& location);

    const RankView& of_communicator(u64 raw) {
        const bool known = raw < communicators_.size() && communicators_[raw];
        return known ? *communicators_[raw] : learn_communicator(raw);
    }
    const RankView& of_window(u64 raw) {
        const bool known = raw < windows_.size() && windows_[raw];
        return known ? *windows_[raw] : learn_window(raw);
    }
    /// Returns the view of the record's scope. Precondition: fields.exist().
    const RankView& of_scope(const PeerFields& fields, u64 raw) {
        return fields.window ? of_window(raw) : of_communicator(raw);
    }

  private:
    using Cache = std::vector<std::optional<RankView>>;

    const RankView& learn_communicator(u64 raw);
    const RankView& learn_window(u64 raw);
    const RankView& learn(Cache& cache, u64 raw, u64 global_communicator);

    const DefinitionIndex& definitions_;
    const MappingTables& tables_;
    std::optional<u32> world_rank_;
    Cache communicators_;
    Cache windows_;
    RankView far_;  ///< of the last id beyond the caches
};

/// The counters of recorder ids; `ended` holds ids of ended requests.
enum class IdCounter : u8 { request, matching, message, ended };

/// One number per counter: its last id, or an increment. Modulo 2^64.
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

/// Encodes a new request id as a step from the last one; code 0 is a restart of the request that
/// ended last (a persistent one) and is swapped with the step to that id.
constexpr u64 encode_request(u64 id, u64 last, u64 ended) {
    if (id == ended) return 0;
    return id == last ? ended - last : id - last;
}
constexpr u64 decode_request(u64 code, u64 last, u64 ended) {
    if (code == 0) return ended;
    return code == ended - last ? last : last + code;
}

/// The message id recorded by MPI_Probe and MPI_Iprobe: OTF2_UNDEFINED_UINT64.
inline constexpr u64 kUndefinedMessage = ~u64{0};

/// Encodes a new message id as a step from the last one; the undefined id is swapped with an
/// otherwise unused code, so every id has one code.
constexpr u64 encode_message(u64 id, u64 last) {
    if (id == kUndefinedMessage) return kUndefinedMessage;
    return id - last == kUndefinedMessage ? kUndefinedMessage - last : id - last;
}
constexpr u64 decode_message(u64 code, u64 last) {
    if (code == kUndefinedMessage) return kUndefinedMessage;
    return code == kUndefinedMessage - last ? last + kUndefinedMessage : last + code;
}

/// The fields of a record, at most two, with counted ids, which differ in every iteration.
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

/// Encodes the fields of event records for folding and decodes them: peers relative to the own
/// rank, request and matching ids as steps, sizes of collectives as payload and residual,
/// references through the mapping tables. Encoder and decoder are the same state machine: pass both
/// the same records in the same order.
class FieldCodec {
  public:
    FieldCodec(const DefinitionIndex& definitions, const MappingTables& tables,
               const LocationDefinition& location)
        : tables_(tables), views_(definitions, tables, location) {}

    /// Appends the column values of a record's `fields`, except counts of fixed arrays, context
    /// fields and the request id of a completion, which the caller encodes. Returns false (with
    /// nothing appended and no state changed) if the values cannot be expressed.
    bool encode(u8 type, std::span<const u64> fields, AppendBuffer<u64>& out);

    /// The exact inverse of encode(). `array_count` and `context` are the element's. Appends to
    /// `fields`. Precondition: `values` is long enough.
    void decode(u8 type, const Element& element, std::span<const u64> values,
                AppendBuffer<u64>& fields);

    /// Marks a request as ended; it may restart.
    void end_request(u64 id) { last_[IdCounter::ended] = id; }
    /// From now on, a request that restarts directly after its end has code 0 and is not the base
    /// of later steps; no effect if there were restarts before. A decoder must call it before the
    /// first record if has_restarts() of the encoder is true at the end.
    void expect_restarts() { expects_restarts_ = expects_restarts_ || !had_restarts_; }
    [[nodiscard]] bool expects_restarts() const { return expects_restarts_; }
    [[nodiscard]] bool has_restarts() const { return expects_restarts_ && had_restarts_; }

    [[nodiscard]] const MappingTables& tables() const { return tables_; }
    RankViews& views() { return views_; }
    /// The bases of the next id steps: the complete state of the id encoding.
    [[nodiscard]] const CountedIds& last_ids() const { return last_; }
    void set_last_ids(const CountedIds& ids) { last_ = ids; }

  private:
    template <EventType kType>
    struct Coder;

    u64 encode_request_id(u64 id);
    u64 decode_request_id(u64 code);
    void begin_request(u64 id);

    const MappingTables& tables_;
    RankViews views_;
    CountedIds last_;
    bool expects_restarts_ = false;
    bool had_restarts_ = false;  ///< expected or not
};

/// OTF2's special ranks are the largest 32-bit numbers, equal on every rank.
inline constexpr u64 kSpecialRanks = 0xFFFFFFF0U;
inline constexpr u64 kAbsolutePeer = u64{1} << 33U;

/// Encodes a peer relative to the own rank; OTF2's special ranks stay absolute.
constexpr u64 encode_peer(u64 peer, u32 me) {
    return peer >= kSpecialRanks ? peer + kAbsolutePeer : peer - me;
}
constexpr u64 decode_peer(u64 value, u32 me) {
    const u64 special = value - kAbsolutePeer;
    return special >= kSpecialRanks && special <= kNone ? special : value + me;
}

/// True for the kinds whose column holds a ReferenceCode.
constexpr bool is_reference_code(FieldKind kind) {
    switch (kind) {
        case FieldKind::string:
        case FieldKind::attribute:
        case FieldKind::region:
        case FieldKind::parameter:
        case FieldKind::source_code_location:
        case FieldKind::calling_context:
        case FieldKind::interrupt_generator:
            return true;
        default:
            return false;
    }
}

}  // namespace tracefold
