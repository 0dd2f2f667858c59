// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/signature_source.hpp"

#include "base/error.hpp"
#include "fold/collective_sizes.hpp"
#include "fold/request_list.hpp"
#include "model/event_table.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

void append_number(std::string& key, u64 value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A key that is equal exactly for equal signatures.
std::string key_of(const Signature& signature) {
    std::string key;
    append_number(key, signature.path);
    append_number(key, signature.context);
    append_number(key, static_cast<u64>(signature.kind));
    for (const SignatureArgument& argument : signature.arguments) {
        append_number(key, argument.name.size());
        key += argument.name;
        append_number(key, static_cast<u64>(argument.kind));
        append_number(key, static_cast<u64>(argument.peers));
        append_number(key, argument.value);
    }
    append_number(key, 0);
    return key += signature.name;
}

}  // namespace

u32 CallPaths::inside(u32 path, const std::string& region) {
    std::string key;
    append_number(key, path);
    const auto [found, fresh] = index_.emplace(key.append(region), static_cast<u32>(paths_.size()));
    if (fresh) paths_.push_back({path, region});
    return found->second;
}

std::vector<std::string> CallPaths::regions(u32 path) const {
    std::vector<std::string> regions;
    for (; path != 0; path = paths_[path].parent) regions.push_back(paths_[path].region);
    std::reverse(regions.begin(), regions.end());
    return regions;
}

SignatureTable::SignatureTable() {
    intern({"start", CallKind::record, {}, 0, kNone});
    intern({"end", CallKind::record, {}, 0, kNone});
}

u32 SignatureTable::intern(Signature signature) {
    // Start and end: no record type has these names.
    const auto [found, fresh] =
        index_.emplace(key_of(signature), static_cast<u32>(signatures_.size()));
    if (fresh) signatures_.push_back(std::move(signature));
    return found->second;
}

namespace {

/// The record type of a slot's field: late values are fields of the completion.
const RecordInfo& record_of(const Element& element, const Slot& slot) {
    return event_info(slot.late ? static_cast<u8>(posting_kind(element.type)->completion)
                                : element.type);
}

/// Collectives without a root have a special rank as root.
bool is_none(const SignatureArgument& argument) {
    return argument.kind == FieldKind::root && argument.value >= kNone - 15;
}

}  // namespace

SignatureSource::SignatureSource(ListingSource& source, SignatureParts parts)
    : source_(source), parts_(parts), known_(source.structure().symbols.size()) {
    for (u32 symbol = 0; symbol < source.structure().symbols.size(); ++symbol) {
        leaves_.push_back(leaf_of(symbol));
    }
}

SignatureSource::Leaf SignatureSource::leaf_of(u32 symbol) {
    const Symbol& content = source_.structure().symbols[symbol];
    Leaf leaf;
    if (source_.structure().symbol_streams[symbol] != Stream::events) return leaf;
    if (source_.counts().members_of_symbol(symbol).empty()) return leaf;
    if (content.elements.empty()) throw Error(ErrorKind::corrupt, "a symbol has no records");
    const Element& first = content.elements.front();
    const u32 location = source_.counts().members_of_symbol(symbol).first();
    leaf.overlaps = source_.definitions().locations()[location].is_stream();
    leaf.kind = call_kind(content);
    if (is_enter(first.type) || is_leave(first.type)) {
        leaf.name = source_.calls().region(symbol, first);
        const u64 region = source_.calls().region_id(symbol, first);
        leaf.region = regions_.emplace(leaf.name, region).first->second;
        if (event_info(first.type).fields[0].kind == FieldKind::calling_context) {
            leaf.site = source_.calls().global(symbol, FieldKind::calling_context, first.context);
        }
        leaf.is_mpi = is_mpi_function(source_.definitions(), leaf.region);
    } else {
        leaf.name = first.type == kCompletions ? "Completions" : event_info(first.type).name;
    }
    // Metrics annotate calls and are no calls.
    const bool is_metric = first.type == static_cast<u8>(EventType::Metric);
    leaf.is_node = parts_.regions || leaf.kind == CallKind::call ||
                   (leaf.kind == CallKind::record && !is_metric);
    const std::vector<Slot>& slots = source_.index().slots(symbol);
    for (u32 slot = 0; slot < slots.size(); ++slot) {
        const Element& element = content.elements[slots[slot].element];
        const bool readable = element.type != kCompletions && !element.raw;
        if (readable && is_part(slots[slot])) leaf.slots.push_back(slot);
    }
    return leaf;
}

bool SignatureSource::is_part(const Slot& slot) const {
    if (slot.shape != SlotShape::one || slot.field == Slot::kAttributeField) return false;
    switch (slot.kind) {
        case FieldKind::peer:
        case FieldKind::root:
            return parts_.peer;
        case FieldKind::bytes:
        case FieldKind::op:  // the meaning of a collective's sizes depends on it
            return parts_.size;
        case FieldKind::comm:
        case FieldKind::rma_win:
        case FieldKind::io_handle:
            return parts_.comm;
        case FieldKind::tag:
            return parts_.tag;
        default:
            return false;
    }
}

FlowPosition SignatureSource::start(u32 location) {
    FlowPosition position;
    if (!parts_.path) return position;
    const RegionNesting::Location* const nesting = source_.file().nesting().of(location);
    if (nesting == nullptr || !nesting->is_followed) return position;
    position.calls = std::make_unique<CallReader>(source_.file(), location, Times::skip);
    return position;
}

u32 SignatureSource::step(u32 symbol, std::span<const u64> values, FlowPosition& position) {
    const Leaf& leaf = leaves_[symbol];
    const bool moves = parts_.path && !leaf.overlaps;
    const bool moves_first = moves && leaf.kind == CallKind::leave;
    if (position.calls) position.calls->next();
    if (moves_first) move(leaf, position);
    u32 reached = kNone;
    if (leaf.is_node) {
        reached = node(symbol, values, position);
        if (!table_.at(reached).arguments.empty()) position.context = reached;
    }
    if (moves && !moves_first) move(leaf, position);
    return reached;
}

/// Applies the records of an execution to the call path.
void SignatureSource::move(const Leaf& leaf, FlowPosition& position) {
    if (!position.calls) {
        if (leaf.kind == CallKind::enter) enter(leaf.region, leaf.is_mpi, leaf.name, position);
        if (leaf.kind == CallKind::leave) position.open.leave(leaf.region);
        return;
    }
    CallReader& calls = *position.calls;
    for (std::size_t i = 0; i < calls.records().size(); ++i) {
        const u8 type = calls.records()[i].type;
        if (is_enter(type)) {
            enter(calls.region(i).id, calls.region(i).is_mpi, leaf.name, position);
        } else if (is_leave(type)) {
            position.open.leave(calls.region(i).id);
        } else if (const TaskChange* const change = calls.task_change(i)) {
            change_task(position.open, *change, [&](const OpenVisit& visit) {
                enter(visit.region, visit.is_mpi, region_text(source_.definitions(), visit.region),
                      position);
            });
        }
    }
}

void SignatureSource::enter(u64 region, bool is_mpi, const std::string& name,
                            FlowPosition& position) {
    position.open.enter({region, table_.paths().inside(position.path(), name)}, is_mpi);
}

u32 SignatureSource::node(u32 symbol, std::span<const u64> values, const FlowPosition& position) {
    key_.assign({position.path(), parts_.context ? position.context : kNone});
    key_.insert(key_.end(), values.begin(), values.end());
    const auto found = known_[symbol].find(key_);
    if (found != known_[symbol].end()) return found->second;
    Signature signature = this->signature(symbol, values);
    signature.path = position.path();
    if (parts_.context && signature.arguments.empty()) signature.context = position.context;
    const u32 node = table_.intern(std::move(signature));
    known_[symbol].emplace(key_, node);
    return node;
}

Signature SignatureSource::signature(u32 symbol, std::span<const u64> values) const {
    const Structure& structure = source_.structure();
    const Leaf& leaf = leaves_[symbol];
    Signature out{leaf.name, leaf.kind, {}, 0, kNone};
    const std::vector<Slot> slots = slots_of(Stream::events, structure.symbols[symbol]);
    if (parts_.site && leaf.site != kNone) {
        out.arguments.push_back({"site", FieldKind::calling_context, {}, leaf.site});
    }
    u64 operation = kNone;
    for (std::size_t i = 0; i < leaf.slots.size(); ++i) {
        const Slot& slot = slots[leaf.slots[i]];
        const Element& element = structure.symbols[symbol].elements[slot.element];
        const RecordInfo& record = record_of(element, slot);
        if (slot.kind == FieldKind::op) {
            operation = values[i];
            continue;
        }
        SignatureArgument argument{short_field_name(record.fields[slot.field].name), slot.kind,
                                   structure.slots[symbol][leaf.slots[i]].peers, values[i]};
        if (is_none(argument)) continue;
        if (slot.kind == FieldKind::bytes && operation != kNone) {
            // A payload, plus a residual if the payload does not explain all bytes.
            const bool payload = record.fields[slot.field - 1U].kind != FieldKind::bytes;
            if (!payload && values[i] == 0) continue;
            argument.name = payload ? "bytes" : "more";
            if (payload) argument.value = payload_bytes(operation, {values[i], 0});
        }
        out.arguments.push_back(argument);
    }
    return out;
}

}  // namespace tracefold
