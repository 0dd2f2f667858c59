// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/field_codec.hpp"

#include "model/event_table.hpp"
#include "mpi_calls/collective_sizes.hpp"

#include <array>
#include <utility>

namespace tracefold {

namespace {

constexpr u8 kNoField = 0xFF;
/// Local ids are small; a larger one (a producer's choice) is looked up each time.
constexpr u64 kCachedIds = 65536;
/// OTF2's special ranks are the largest 32-bit numbers; they are the same on every rank.
constexpr u64 kSpecialRanks = 0xFFFFFFF0U;
constexpr u64 kAbsolute = u64{1} << 33U;

/// What the record table implies for encoding, worked out once per type.
struct Plan {
    u8 communicator = kNoField;
    u8 window = kNoField;
    u8 operation = kNoField;
    u8 root = kNoField;
    u8 sent = kNoField;  ///< first of the two sizes of a collective
};

constexpr Plan plan_of(const RecordInfo& info) {
    Plan plan;
    for (u8 i = 0; i < info.field_count; ++i) {
        switch (info.fields[i].kind) {
            case FieldKind::comm:
                plan.communicator = i;
                break;
            case FieldKind::rma_win:
                plan.window = i;
                break;
            case FieldKind::op:
                plan.operation = i;
                break;
            case FieldKind::root:
                plan.root = i;
                break;
            case FieldKind::bytes:
                if (plan.operation != kNoField && plan.sent == kNoField) plan.sent = i;
                break;
            default:
                break;
        }
    }
    return plan;
}

constexpr std::array<Plan, kEventTypes> make_plans() {
    std::array<Plan, kEventTypes> plans{};
    for (u8 type = 0; type < kEventTypes; ++type) plans[type] = plan_of(event_info(type));
    return plans;
}

constexpr std::array<Plan, kEventTypes> kPlans = make_plans();

constexpr PeerFields peer_fields_of(const RecordInfo& info) {
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

constexpr std::array<PeerFields, kEventTypes> make_peer_fields() {
    std::array<PeerFields, kEventTypes> all{};
    for (u8 type = 0; type < kEventTypes; ++type) all[type] = peer_fields_of(event_info(type));
    return all;
}

constexpr std::array<PeerFields, kEventTypes> kPeerFields = make_peer_fields();

const RankView kNoView;

}  // namespace

const PeerFields& peer_fields(u8 type) { return kPeerFields[type]; }

u64 encode_peer(u64 peer, u32 me) { return peer >= kSpecialRanks ? peer + kAbsolute : peer - me; }

u64 decode_peer(u64 value, u32 me) {
    const u64 special = value - kAbsolute;
    return special >= kSpecialRanks && special <= kNone ? special : value + me;
}

RankViews::RankViews(const DefinitionIndex& definitions, const MappingTables& tables,
                     const LocationDefinition& location)
    : definitions_(definitions), tables_(tables), world_rank_(definitions.world_rank(location)) {}

RankView RankViews::look_up(u64 global_communicator) const {
    return world_rank_ ? definitions_.view(global_communicator, *world_rank_) : RankView{};
}

const RankView& RankViews::of_communicator(u64 raw) {
    if (raw >= kCachedIds) return far_ = look_up(tables_.global(FieldKind::comm, raw));
    if (raw >= communicators_.size()) communicators_.resize(raw + 1);
    auto& cached = communicators_[raw];
    if (!cached) cached = look_up(tables_.global(FieldKind::comm, raw));
    return *cached;
}

const RankView& RankViews::of_window(u64 raw) {
    const auto find = [this](u64 id) {
        return look_up(definitions_.window_communicator(tables_.global(FieldKind::rma_win, id)));
    };
    if (raw >= kCachedIds) return far_ = find(raw);
    if (raw >= windows_.size()) windows_.resize(raw + 1);
    auto& cached = windows_[raw];
    if (!cached) cached = find(raw);
    return *cached;
}

const RankView& FieldCodec::view(u8 type, std::span<const u64> fields) {
    const Plan& plan = kPlans[type];
    if (plan.communicator != kNoField) return views_.of_communicator(fields[plan.communicator]);
    if (plan.window != kNoField) return views_.of_window(fields[plan.window]);
    return kNoView;
}

u64 FieldCodec::encode_one(FieldKind kind, u64 value, const RankView& view) {
    if (is_reference_code(kind)) return tables_.encode(kind, value);
    switch (kind) {
        case FieldKind::peer:
            return encode_peer(value, view.rank);
        case FieldKind::request_new:
            return value - std::exchange(last_request_, value);
        case FieldKind::matching_id:
            return value - std::exchange(last_matching_, value);
        default:
            return value;
    }
}

u64 FieldCodec::decode_one(FieldKind kind, u64 value, const RankView& view) {
    if (is_reference_code(kind)) return tables_.decode(kind, value);
    switch (kind) {
        case FieldKind::peer:
            return decode_peer(value, view.rank);
        case FieldKind::request_new:
            return last_request_ += value;
        case FieldKind::matching_id:
            return last_matching_ += value;
        default:
            return value;
    }
}

bool FieldCodec::encode(u8 type, std::span<const u64> fields, u8 field_limit,
                        std::vector<u64>& out) {
    const RecordInfo& info = event_info(type);
    const Plan& plan = kPlans[type];
    const RankView& seen = view(type, fields);
    FoldedSizes folded;
    if (plan.sent != kNoField && !fold_sizes(fields[plan.operation], fields[plan.root], seen,
                                             {fields[plan.sent], fields[plan.sent + 1U]}, folded)) {
        return false;
    }
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < field_limit; ++i) {
        const Field& field = info.fields[i];
        if (field.kind == FieldKind::count) {
            repeat = fields[position++];
        } else if (field.array) {
            for (u64 k = 0; k < repeat; ++k) {
                out.push_back(encode_one(field.kind, fields[position++], seen));
            }
        } else if (is_context(Stream::events, type, field)) {
            ++position;
        } else if (plan.sent != kNoField && i == plan.sent) {
            out.push_back(folded.payload);
            out.push_back(folded.residual);
            position += 2;
            ++i;
        } else {
            out.push_back(encode_one(field.kind, fields[position++], seen));
        }
    }
    return true;
}

void FieldCodec::decode(u8 type, const Element& element, std::span<const u64> values,
                        u8 field_limit, std::vector<u64>& fields) {
    const RecordInfo& info = event_info(type);
    const Plan& plan = kPlans[type];
    const std::size_t begin = fields.size();
    // The communicator or window may follow the fields that are relative to it.
    std::array<u64, RecordInfo::kMaxFields> known{};
    const bool relative = plan.communicator != kNoField || plan.window != kNoField;
    if (relative) std::copy(values.begin(), values.begin() + field_limit, known.begin());
    const RankView seen = view(type, known);
    std::size_t position = 0;
    for (u8 i = 0; i < field_limit; ++i) {
        const Field& field = info.fields[i];
        if (field.kind == FieldKind::count) {
            fields.push_back(element.array_count);
        } else if (field.array) {
            for (u32 k = 0; k < element.array_count; ++k) {
                fields.push_back(decode_one(field.kind, values[position++], seen));
            }
        } else if (is_context(Stream::events, type, field)) {
            fields.push_back(tables_.decode(field.kind, element.context));
        } else if (plan.sent != kNoField && i == plan.sent) {
            const CollectiveSizes sizes =
                unfold_sizes(fields[begin + plan.operation], fields[begin + plan.root], seen,
                             {values[position], values[position + 1]});
            fields.push_back(sizes.sent);
            fields.push_back(sizes.received);
            position += 2;
            ++i;
        } else {
            fields.push_back(decode_one(field.kind, values[position++], seen));
        }
    }
}

}  // namespace tracefold
