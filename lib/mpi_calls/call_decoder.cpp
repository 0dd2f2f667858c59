// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/call_decoder.hpp"

#include "core/error.hpp"
#include "model/event_table.hpp"
#include "mpi_calls/call_encoder.hpp"
#include "mpi_calls/completion_kinds.hpp"

#include <algorithm>

namespace tracefold {

CallDecoder::CallDecoder(const DefinitionIndex& definitions, const MappingTables& tables,
                         const LocationDefinition& location, const Structure& structure)
    : codec_(definitions, tables, location),
      structure_(structure),
      entries_(structure.symbols.size()) {}

const CallDecoder::Entry& CallDecoder::entry(u32 symbol) {
    Entry& entry = entries_[symbol];
    if (!entry.known) {
        entry.known = true;
        entry.shapes.resize(structure_.symbols[symbol].elements.size());
        const std::vector<Slot> slots = slots_of(Stream::events, structure_.symbols[symbol]);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            Shape& shape = entry.shapes[slots[i].element];
            ++(slots[i].late ? shape.late : shape.immediate);
            if (slots[i].kind == FieldKind::peer) {
                (slots[i].late ? shape.late_peers : shape.peers) =
                    structure_.slots[symbol][i].peers;
            }
        }
        entry.first_group = groups_;
        groups_ += static_cast<u32>(entry.shapes.size());
    }
    return entry;
}

void CallDecoder::decode(u32 symbol, std::span<const u64> values, RecordBatch& out,
                         std::vector<u32>* groups) {
    const Entry& layout = entry(symbol);
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
        if (groups != nullptr) {
            groups->insert(groups->end(), out.size() - before,
                           layout.first_group + static_cast<u32>(e));
        }
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
        const u8 type = static_cast<u8>(kind.completion);
        out.begin(type);
        if (kind.late_values != 0) {
            fields_.clear();
            codec_.decode(type, {}, std::span(late_[request.payload]).first(kind.late_values),
                          kind.late_values, fields_);
            for (const u64 field : fields_) out.push(field);
        }
        out.push(request.id);
        end_request(node);
    }
}

/// Turns the peer among the values of a record into a relative one.
void CallDecoder::make_relative(const PeerFields& fields, PeerEncoding encoding,
                                std::span<u64> values) {
    const RankView& view = codec_.views().of_scope(fields, values[fields.scope]);
    u64& peer = values[fields.peer];
    peer = relative_peer(peer, encoding, view.rank, view.size);
}

void CallDecoder::record(const Element& element, const Shape& shape, std::span<const u64> values,
                         RecordBatch& out) {
    const std::span<const u64> late = values.subspan(shape.immediate, shape.late);
    values = values.first(shape.immediate);
    out.begin(element.type);
    for (std::size_t i = 0; i < element.attributes.size(); ++i) {
        const AttributeKey& key = element.attributes[i];
        const u64 ref = codec_.tables().decode(FieldKind::attribute, key.ref);
        out.push_attribute({static_cast<u32>(ref), key.type, values[i]});
    }
    values = values.subspan(element.attributes.size());
    if (element.raw) {
        for (const u64 value : values) out.push(value);
        return;
    }
    if (uses_request(element.type)) {
        out.push(use_request(element.type, values[0]));
        return;
    }
    if (shape.peers != PeerEncoding::relative) {
        recoded_.assign(values.begin(), values.end());
        make_relative(peer_fields(element.type), shape.peers, recoded_);
        values = recoded_;
    }
    fields_.clear();
    codec_.decode(element.type, element, values, event_info(element.type).field_count, fields_);
    for (const u64 field : fields_) out.push(field);
    post(element.type, fields_.empty() ? 0 : fields_.back(), shape, late);
}

u64 CallDecoder::use_request(u8 type, u64 distance) {
    const u32 node = node_at(distance);
    const u64 request = requests_[node].id;
    if (type == static_cast<u8>(EventType::MpiRequestCancelled)) end_request(node);
    return request;
}

void CallDecoder::post(u8 type, u64 request, const Shape& shape, std::span<const u64> late) {
    const PostingKind* kind = posting_kind(type);
    if (kind == nullptr) return;
    u32 payload = kNone;
    if (kind->late_values != 0) {
        payload = static_cast<u32>(late_.size());
        if (free_late_.empty()) {
            late_.emplace_back();
        } else {
            payload = free_late_.back();
            free_late_.pop_back();
        }
        std::copy(late.begin(), late.end(), late_[payload].begin());
        if (shape.late_peers != PeerEncoding::relative && late[1] != kNeverCompleted) {
            make_relative(peer_fields(static_cast<u8>(kind->completion)), shape.late_peers,
                          late_[payload]);
        }
    }
    requests_.add(request, kind->request, payload);
}

void CallDecoder::end_request(u32 node) {
    if (requests_[node].payload != kNone) free_late_.push_back(requests_[node].payload);
    requests_.remove(node);
}

}  // namespace tracefold
