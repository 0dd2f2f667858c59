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

/// What the record table implies for encoding, worked out once per type.
struct Plan {
    /// The most frequent layouts have a way of their own.
    enum class Way : u8 {
        any,
        nothing,  ///< no fields
        context,  ///< a region or calling context and nothing else
        request,  ///< a new request and nothing else
        message,  ///< peer, communicator, tag, bytes, and perhaps a request
    };

    Way way = Way::any;
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

constexpr Plan::Way way_of(EventType type) {
    switch (type) {
        case EventType::MpiCollectiveBegin:
        case EventType::RmaCollectiveBegin:
            return Plan::Way::nothing;
        case EventType::Enter:
        case EventType::Leave:
        case EventType::CallingContextLeave:
            return Plan::Way::context;
        case EventType::MpiIrecvRequest:
        case EventType::NonBlockingCollectiveRequest:
            return Plan::Way::request;
        case EventType::MpiSend:
        case EventType::MpiIsend:
        case EventType::MpiRecv:
        case EventType::MpiIrecv:
            return Plan::Way::message;
        default:
            return Plan::Way::any;
    }
}

constexpr std::array<Plan, kEventTypes> make_plans() {
    std::array<Plan, kEventTypes> plans{};
    for (u8 type = 0; type < kEventTypes; ++type) {
        plans[type] = plan_of(event_info(type));
        plans[type].way = way_of(static_cast<EventType>(type));
    }
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

RankViews::RankViews(const DefinitionIndex& definitions, const MappingTables& tables,
                     const LocationDefinition& location)
    : definitions_(definitions), tables_(tables), world_rank_(definitions.world_rank(location)) {}

RankView RankViews::look_up(u64 global_communicator) const {
    return world_rank_ ? definitions_.view(global_communicator, *world_rank_) : RankView{};
}

const RankView& RankViews::find_communicator(u64 raw) {
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
    switch (kPlans[type].way) {
        case Plan::Way::nothing:
            return;
        case Plan::Way::context:
            fields.push_back(tables_.decode(event_info(type).fields[0].kind, element.context));
            return;
        case Plan::Way::request:
            fields.push_back(last_request_ += values[0]);
            return;
        case Plan::Way::message: {
            const u32 me = views_.of_communicator(values[1]).rank;
            fields.insert(fields.end(),
                          {decode_peer(values[0], me), values[1], values[2], values[3]});
            if (field_limit > 4) fields.push_back(last_request_ += values[4]);
            return;
        }
        case Plan::Way::any:
            decode_any(type, element, values, field_limit, fields);
    }
}

void FieldCodec::decode_any(u8 type, const Element& element, std::span<const u64> values,
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
