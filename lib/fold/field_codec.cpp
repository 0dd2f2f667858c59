// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/field_codec.hpp"

#include "fold/collective_sizes.hpp"
#include "fold/request_list.hpp"
#include "model/event_table.hpp"

#include <utility>

namespace tracefold {

RankViews::RankViews(const DefinitionIndex& definitions, const MappingTables& tables,
                     const LocationDefinition& location)
    : definitions_(definitions), tables_(tables), world_rank_(definitions.world_rank(location)) {}

const RankView& RankViews::learn(Cache& cache, u64 raw, u64 global_communicator) {
    const RankView view =
        world_rank_ ? definitions_.view(global_communicator, *world_rank_) : RankView{};
    if (raw >= kCachedIds) return far_ = view;
    if (raw >= cache.size()) cache.resize(raw + 1);
    cache[raw] = view;
    return *cache[raw];
}

const RankView& RankViews::learn_communicator(u64 raw) {
    return learn(communicators_, raw, tables_.global(FieldKind::comm, raw));
}

const RankView& RankViews::learn_window(u64 raw) {
    const u64 window = tables_.global(FieldKind::rma_win, raw);
    return learn(windows_, raw, definitions_.window_communicator(window));
}

namespace {

constexpr u8 kNoField = 0xFF;
const RankView kNoView;

/// The fields of a record type that matter for encoding.
struct Plan {
    u8 communicator = kNoField;
    u8 window = kNoField;
    u8 operation = kNoField;
    u8 root = kNoField;
    u8 sent = kNoField;  ///< first of the two sizes of a collective

    [[nodiscard]] constexpr bool has_sizes() const { return sent != kNoField; }
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
                if (plan.operation != kNoField && !plan.has_sizes()) plan.sent = i;
                break;
            default:
                break;
        }
    }
    return plan;
}

}  // namespace

/// A begun request excludes restarts until another one ends.
inline void FieldCodec::begin_request(u64 id) {
    u64& last = last_[IdCounter::request];
    if (!expects_restarts_ || id != last_[IdCounter::ended]) last = id;
    last_[IdCounter::ended] = last;
}

inline u64 FieldCodec::encode_request_id(u64 id) {
    const u64 last = last_[IdCounter::request];
    const u64 ended = last_[IdCounter::ended];
    had_restarts_ = had_restarts_ || (ended != last && (id == ended || id == last));
    begin_request(id);
    return expects_restarts_ ? encode_request(id, last, ended) : id - last;
}

inline u64 FieldCodec::decode_request_id(u64 code) {
    const u64 last = last_[IdCounter::request];
    const u64 ended = last_[IdCounter::ended];
    const u64 id = expects_restarts_ ? decode_request(code, last, ended) : last + code;
    begin_request(id);
    return id;
}

/// The codec of one record type; the compiler resolves all decisions about fields.
template <EventType kType>
struct FieldCodec::Coder {
    static constexpr const RecordInfo& kInfo = event_info(kType);
    static constexpr Plan kPlan = plan_of(kInfo);
    using Indices =
        std::make_index_sequence<kInfo.field_count - (completes_request(kType) ? 1 : 0)>;

    static constexpr bool is_context_field(std::size_t i) {
        return is_context(Stream::events, static_cast<u8>(kType), kInfo.fields[i]);
    }

    /// `values` are fields or encoded values: communicators and windows are equal in both.
    static const RankView& view(FieldCodec& codec, std::span<const u64> values) {
        if constexpr (kPlan.communicator != kNoField) {
            return codec.views_.of_communicator(values[kPlan.communicator]);
        } else if constexpr (kPlan.window != kNoField) {
            return codec.views_.of_window(values[kPlan.window]);
        } else {
            return kNoView;
        }
    }

    struct Encoding {
        FieldCodec& codec;
        const RankView& view;
        FoldedSizes sizes;
        const u64* in;
        u64* out;
        u64 repeat = 0;

        template <std::size_t kIndex>
        void field() {
            constexpr Field field = kInfo.fields[kIndex];
            if constexpr (field.kind == FieldKind::count) {
                repeat = *in++;
            } else if constexpr (field.array) {
                for (u64 i = 0; i < repeat; ++i) *out++ = value<field.kind>(*in++);
            } else if constexpr (is_context_field(kIndex)) {
                ++in;
            } else if constexpr (kPlan.has_sizes() && kIndex == kPlan.sent) {
                ++in;
                *out++ = sizes.payload;
            } else if constexpr (kPlan.has_sizes() && kIndex == kPlan.sent + 1) {
                ++in;
                *out++ = sizes.residual;
            } else {
                *out++ = value<field.kind>(*in++);
            }
        }

        template <FieldKind kKind>
        u64 value(u64 field) {
            if constexpr (is_reference_code(kKind)) return codec.tables_.encode(kKind, field);
            if constexpr (kKind == FieldKind::peer) return encode_peer(field, view.rank);
            if constexpr (kKind == FieldKind::request_new) {
                return codec.encode_request_id(field);
            }
            if constexpr (kKind == FieldKind::matching_id) {
                return field - std::exchange(codec.last_[IdCounter::matching], field);
            }
            if constexpr (kKind == FieldKind::message_used) {
                return field - codec.last_[IdCounter::message];
            }
            if constexpr (kKind == FieldKind::message_new) {
                u64& last = codec.last_[IdCounter::message];
                const u64 code = encode_message(field, last);
                if (field != kUndefinedMessage) last = field;
                return code;
            }
            return field;
        }
    };

    static bool encode(FieldCodec& codec, std::span<const u64> fields, AppendBuffer<u64>& out) {
        const RankView& seen = view(codec, fields);
        FoldedSizes folded;
        if constexpr (kPlan.has_sizes()) {
            if (!fold_sizes(fields[kPlan.operation], fields[kPlan.root], seen,
                            {fields[kPlan.sent], fields[kPlan.sent + 1U]}, folded)) {
                return false;
            }
        }
        const std::size_t before = out.size();
        u64* const first = out.extend(fields.size());
        Encoding encoding{codec, seen, folded, fields.data(), first};
        [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
            (encoding.template field<kIndex>(), ...);
        }
        (Indices{});
        out.shrink(before + static_cast<std::size_t>(encoding.out - first));
        return true;
    }

    struct Decoding {
        FieldCodec& codec;
        const RankView& view;
        const Element& element;
        const u64* in;
        AppendBuffer<u64>& fields;
        std::size_t begin;

        template <std::size_t kIndex>
        void field() {
            constexpr Field field = kInfo.fields[kIndex];
            if constexpr (field.kind == FieldKind::count) {
                fields.push_back(element.array_count);
            } else if constexpr (field.array) {
                for (u32 i = 0; i < element.array_count; ++i) {
                    fields.push_back(value<field.kind>(*in++));
                }
            } else if constexpr (is_context_field(kIndex)) {
                fields.push_back(codec.tables_.decode(field.kind, element.context));
            } else if constexpr (kPlan.has_sizes() && kIndex == kPlan.sent) {
                const CollectiveSizes sizes =
                    unfold_sizes(fields[begin + kPlan.operation], fields[begin + kPlan.root], view,
                                 {in[0], in[1]});
                fields.push_back(sizes.sent);
                fields.push_back(sizes.received);
                in += 2;
            } else if constexpr (!(kPlan.has_sizes() && kIndex == kPlan.sent + 1)) {
                fields.push_back(value<field.kind>(*in++));
            }
        }

        template <FieldKind kKind>
        u64 value(u64 code) {
            if constexpr (is_reference_code(kKind)) return codec.tables_.decode(kKind, code);
            if constexpr (kKind == FieldKind::peer) return decode_peer(code, view.rank);
            if constexpr (kKind == FieldKind::request_new) {
                return codec.decode_request_id(code);
            }
            if constexpr (kKind == FieldKind::matching_id) {
                return codec.last_[IdCounter::matching] += code;
            }
            if constexpr (kKind == FieldKind::message_used) {
                return code + codec.last_[IdCounter::message];
            }
            if constexpr (kKind == FieldKind::message_new) {
                u64& last = codec.last_[IdCounter::message];
                const u64 id = decode_message(code, last);
                if (id != kUndefinedMessage) last = id;
                return id;
            }
            return code;
        }
    };

    static void decode(FieldCodec& codec, const Element& element, std::span<const u64> values,
                       AppendBuffer<u64>& fields) {
        Decoding decoding{codec,  view(codec, values), element, values.data(),
                          fields, fields.size()};
        [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
            (decoding.template field<kIndex>(), ...);
        }
        (Indices{});
    }
};

bool FieldCodec::encode(u8 type, std::span<const u64> fields, AppendBuffer<u64>& out) {
    using Encode = bool (*)(FieldCodec&, std::span<const u64>, AppendBuffer<u64>&);
    static constexpr Encode kEncode[] = {
#define TRACEFOLD_ENCODE(name, ...) Coder<EventType::name>::encode,
        TRACEFOLD_EVENTS(TRACEFOLD_ENCODE)
#undef TRACEFOLD_ENCODE
    };
    return kEncode[type](*this, fields, out);
}

void FieldCodec::decode(u8 type, const Element& element, std::span<const u64> values,
                        AppendBuffer<u64>& fields) {
    using Decode = void (*)(FieldCodec&, const Element&, std::span<const u64>, AppendBuffer<u64>&);
    static constexpr Decode kDecode[] = {
#define TRACEFOLD_DECODE(name, ...) Coder<EventType::name>::decode,
        TRACEFOLD_EVENTS(TRACEFOLD_DECODE)
#undef TRACEFOLD_DECODE
    };
    kDecode[type](*this, element, values, fields);
}

}  // namespace tracefold
