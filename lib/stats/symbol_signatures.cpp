// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/symbol_signatures.hpp"

#include "io/bytes.hpp"

#include <array>

namespace tracefold {

namespace {

void put_use(const ExecutionCounts::Use& use, ByteWriter& out) {
    out.put_varint(use.column);
    out.put_varint(use.value);
}

/// Columns of one file with the same content are the same column.
ContentHash argument_signature(TraceFile& file, ExecutionCounts& counts, u32 script, u32 location) {
    const Structure& structure = file.structure();
    ByteWriter out;
    out.put_varint(script);
    const Pattern& pattern = structure.patterns[structure.scripts[script].pattern];
    for (u32 node = 0; node < pattern.node_count(); ++node) {
        put_use(counts.count(location, node), out);
    }
    for (const u32 symbol : structure.scripts[script].symbols) {
        for (u32 slot = 0; slot < file.index().slots(symbol).size(); ++slot) {
            put_use(counts.slot(symbol, slot, location), out);
        }
    }
    return content_hash(out.bytes());
}

u64 completions(TraceFile& file, ExecutionCounts& counts, u32 symbol, u32 location) {
    const std::vector<Slot>& slots = file.index().slots(symbol);
    const std::vector<Element>& elements = file.structure().symbols[symbol].elements;
    u64 sum = 0;
    for (u32 slot = 0; slot < slots.size(); ++slot) {
        const bool runs = elements[slots[slot].element].type == kCompletions;
        if (runs && slots[slot].shape == SlotShape::count) {
            sum += counts.sum(counts.slot(symbol, slot, location));
        }
    }
    return sum;
}

}  // namespace

std::string_view signature_name(SignatureKind kind) {
    constexpr std::array<std::string_view, 5> kNames = {"events", "calls", "script", "arguments",
                                                        "regions"};
    return kNames[static_cast<std::size_t>(kind)];
}

void SymbolSignatures::add(u32 symbol, u64 times, SignatureCounts& counts) {
    for (const u64 key : keys(symbol)) counts[key] += times;
}

const std::vector<u64>& SymbolSignatures::keys(u32 symbol) {
    const auto [known, fresh] = known_.try_emplace(symbol);
    if (fresh) known->second = find_keys(symbol);
    return known->second;
}

std::vector<u64> SymbolSignatures::find_keys(u32 symbol) {
    std::vector<u64> found;
    for (const Element& element : file_.structure().symbols[symbol].elements) {
        if (request_.kind == SignatureKind::events) {
            if (element.type != kCompletions) found.push_back(element.type);
            continue;
        }
        if (!is_enter(element.type)) continue;
        const u64 region = names_.region_id(symbol, element);
        const bool mpi = file_.definitions().is_mpi_region(region);
        const std::string name = names_.region(symbol, element);
        const bool wanted = request_.kind == SignatureKind::calls
                                ? mpi
                                : !request_.matches || request_.matches(name);
        // By name, since a function may be defined more than once.
        if (wanted) found.push_back(content_hash(name).low);
    }
    return found;
}

ContentHash hash_of(const SignatureCounts& counts) {
    ByteWriter out;
    for (const auto& [key, count] : counts) {
        out.put_varint(key);
        out.put_varint(count);
    }
    return content_hash(out.bytes());
}

ContentHash location_signature(TraceFile& file, ExecutionCounts& counts, SymbolSignatures& symbols,
                               u32 location) {
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone) return {};
    if (symbols.kind() == SignatureKind::arguments) {
        return argument_signature(file, counts, script, location);
    }
    if (symbols.kind() == SignatureKind::script) return hash_of({{script, 1}});
    SignatureCounts found;
    for (const u32 symbol : file.structure().scripts[script].symbols) {
        symbols.add(symbol, counts.calls(symbol, location), found);
        if (symbols.kind() != SignatureKind::events) continue;
        const u64 ended = completions(file, counts, symbol, location);
        if (ended != 0) found[kCompletions] += ended;
    }
    return hash_of(found);
}

std::string sequence_key(const std::vector<ContentHash>& sequence) {
    ByteWriter out;
    for (std::size_t begin = 0; begin < sequence.size();) {
        std::size_t end = begin + 1;
        while (end < sequence.size() && sequence[end] == sequence[begin]) ++end;
        out.put_varint(end - begin);
        out.put_u64le(sequence[begin].low);
        out.put_u64le(sequence[begin].high);
        begin = end;
    }
    return out.take();
}

std::vector<ContentHash> sequence_of(std::string_view key) {
    ByteReader in(key, "a sequence of classes");
    std::vector<ContentHash> sequence;
    while (in.remaining() > 0) {
        const u64 count = in.get_varint();
        const u64 low = in.get_u64le();
        sequence.insert(sequence.end(), count, {low, in.get_u64le()});
    }
    return sequence;
}

}  // namespace tracefold
