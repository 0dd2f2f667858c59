// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/call_decoder.hpp"

#include "base/error.hpp"
#include "fold/request_list.hpp"
#include "model/event_table.hpp"

#include <algorithm>

namespace tracefold {

CallDecoder::CallDecoder(const DefinitionIndex& definitions, const MappingTables& tables,
                         const LocationDefinition& location, const Structure& structure,
                         bool has_restarts)
    : codec_(definitions, tables, location),
      structure_(structure),
      entries_(structure.symbols.size()) {
    if (has_restarts) codec_.expect_restarts();
}

void CallDecoder::work_out(u32 symbol) {
    Entry& entry = entries_[symbol];
    const std::vector<Element>& elements = structure_.symbols[symbol].elements;
    entry.known = true;
    entry.shapes.resize(elements.size());
    const std::vector<Slot> slots = slots_of(Stream::events, structure_.symbols[symbol]);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        Shape& shape = entry.shapes[slots[i].element];
        ++(slots[i].late ? shape.late : shape.immediate);
        if (slots[i].kind == FieldKind::peer) {
            (slots[i].late ? shape.late_peers : shape.peers) = structure_.slots[symbol][i].peers;
        }
    }
    for (std::size_t e = 0; e < elements.size(); ++e) {
        Shape& shape = entry.shapes[e];
        shape.posts = posting_kind(elements[e].type);
        // Fast path: most records enter or leave and have only a region or calling context.
        if (elements[e].type != kCompletions && shape.immediate + shape.late == 0 &&
            event_info(elements[e].type).field_count == 1 && elements[e].array_count == 0) {
            const FieldKind kind = event_info(elements[e].type).fields[0].kind;
            shape.is_fixed = true;
            shape.fixed = codec_.tables().decode(kind, elements[e].context);
        }
    }
    entry.first_group = static_cast<u32>(places_.size());
    for (u32 e = 0; e < elements.size(); ++e) places_.push_back({symbol, e});
}

void CallDecoder::decode(u32 symbol, std::span<const u64> values, RecordBatch& out,
                         std::vector<u32>* groups, std::vector<Posted>* posted) {
    const Entry& layout = entry(symbol);
    posted_ = posted;
    const std::vector<Element>& elements = structure_.symbols[symbol].elements;
    for (std::size_t e = 0; e < elements.size(); ++e) {
        const std::size_t before = out.size();
        if (elements[e].type == kCompletions) {
            const u64 count = values[0];
            completions(values.subspan(1, count), out);
            values = values.subspan(1 + count);
        } else {
            const Shape& shape = layout.shapes[e];
            record(elements[e], shape, values, out);
            values = values.subspan(shape.immediate + shape.late);
        }
        if (groups == nullptr) continue;
        const u32 group = layout.first_group + static_cast<u32>(e);
        for (std::size_t i = before; i < out.size(); ++i) groups->push_back(group);
    }
}

u32 CallDecoder::node_at(u64 distance) const {
    const u32 node = requests_.at(static_cast<i64>(distance));
    if (node == kNone) {
        throw Error(ErrorKind::corrupt, "a completion names a request that is not outstanding");
    }
    return node;
}

void CallDecoder::completions(std::span<const u64> distances, RecordBatch& out) {
    for (const u64 distance : distances) {
        const u32 node = node_at(distance);
        const RequestList::Request& request = requests_[node];
        const PostingKind& kind = kind_of(request.kind);
        if (!kind.in_runs) {
            throw Error(ErrorKind::corrupt, "a completion names a request of another kind");
        }
        const u8 type = static_cast<u8>(kind.completion);
        out.begin(type);
        out.push_by([&](AppendBuffer<u64>& fields) {
            if (kind.late_values != 0) {
                const auto late = std::span(late_[request.payload]).first(kind.late_values);
                codec_.decode(type, {}, late, fields);
            }
            fields.push_back(request.id);
        });
        end_request(node);
    }
}

/// Converts the peer in a record's values to a relative one.
void CallDecoder::make_relative(const PeerFields& fields, PeerEncoding encoding,
                                std::span<u64> values) {
    const RankView& view = codec_.views().of_scope(fields, values[fields.scope]);
    u64& peer = values[fields.peer];
    peer = relative_peer(peer, encoding, view.rank, view.size);
}

void CallDecoder::record(const Element& element, const Shape& shape, std::span<const u64> values,
                         RecordBatch& out) {
    if (shape.is_fixed) {
        *out.add(element.type, 0, 1) = shape.fixed;
        return;
    }
    out.begin(element.type);
    const std::span<const u64> late = values.subspan(shape.immediate, shape.late);
    values = values.first(shape.immediate);
    for (std::size_t i = 0; i < element.attributes.size(); ++i) {
        const AttributeKey& key = element.attributes[i];
        const u64 ref = codec_.tables().decode(FieldKind::attribute, key.ref);
        out.push_attribute({static_cast<u32>(ref), key.type, values[i]});
    }
    values = values.subspan(element.attributes.size());
    if (element.raw) {
        seen_raw_ = true;
        out.push(values);
        return;
    }
    if (uses_request(element.type)) {
        out.push(use_request(element.type, values[0]));
        out.push(values.subspan(1));
        return;
    }
    if (shape.peers != PeerEncoding::relative) {
        recoded_.assign(values.begin(), values.end());
        make_relative(peer_fields(element.type), shape.peers, recoded_);
        values = recoded_;
    }
    out.push_by(
        [&](AppendBuffer<u64>& fields) { codec_.decode(element.type, element, values, fields); });
    if (shape.posts != nullptr) {
        post(*shape.posts, out.last_values().back(), shape, late, static_cast<u32>(out.size() - 1));
    }
}

u64 CallDecoder::use_request(u8 type, u64 distance) {
    const u32 node = node_at(distance);
    const u64 request = requests_[node].id;
    requests_.touch(node);
    if (ends_request(type)) end_request(node);
    return request;
}

void CallDecoder::post(const PostingKind& kind, u64 request, const Shape& shape,
                       std::span<const u64> late, u32 record) {
    u32 payload = kNone;
    if (kind.late_values != 0) {
        payload = static_cast<u32>(late_.size());
        if (free_late_.empty()) {
            late_.emplace_back();
        } else {
            payload = free_late_.back();
            free_late_.pop_back();
        }
        std::copy(late.begin(), late.end(), late_[payload].begin());
        if (shape.late_peers != PeerEncoding::relative && late[1] != kNeverCompleted) {
            make_relative(peer_fields(static_cast<u8>(kind.completion)), shape.late_peers,
                          late_[payload]);
        }
    }
    requests_.add(request, kind.request, payload);
    if (payload != kNone && posted_ != nullptr) tell(kind, late_[payload], record);
}

void CallDecoder::tell(const PostingKind& kind, const LateValues::Values& late, u32 record) {
    Posted& posted = posted_->emplace_back();
    posted.record = record;
    posted.completion = static_cast<u8>(kind.completion);
    posted.completes = late[1] != kNeverCompleted;
    if (!posted.completes) return;
    fields_.clear();
    codec_.decode(posted.completion, {}, std::span(late).first(kind.late_values), fields_);
    std::copy(fields_.begin(), fields_.end(), posted.fields.begin());
}

void CallDecoder::watch() {
    requests_.watch();
    watched_ = codec_.last_ids();
    seen_raw_ = false;
}

std::optional<u64> CallDecoder::request_step() const {
    const CountedIds step_of_all = codec_.last_ids() - watched_;
    const u64 step = step_of_all[IdCounter::request];
    const bool others_stand =
        step_of_all[IdCounter::matching] == 0 && step_of_all[IdCounter::message] == 0;
    if (!requests_.is_as_watched() || !others_stand) return std::nullopt;
    if (codec_.expects_restarts() && step_of_all[IdCounter::ended] != step) return std::nullopt;
    if (seen_raw_ && step != 0) return std::nullopt;
    return step;
}

void CallDecoder::go_on(u64 times) {
    CountedIds ids = codec_.last_ids();
    ids += times * (ids - watched_);
    codec_.set_last_ids(ids);
}

void CallDecoder::end_request(u32 node) {
    if (requests_[node].payload != kNone) free_late_.push_back(requests_[node].payload);
    codec_.end_request(requests_[node].id);
    requests_.remove(node);
}

}  // namespace tracefold
