// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/call_stream.hpp"

#include "fold/call_decoder.hpp"
#include "fold/location_folder.hpp"
#include "fold/structure_index.hpp"

#include <algorithm>
#include <tuple>

namespace tracefold {

namespace {

/// Everything in a batch as comparable numbers.
auto content(const CallBatch& batch) {
    std::vector<std::tuple<u32, u64>> values;
    for (const CallBatch::Value& entry : batch.values)
        values.emplace_back(entry.column, entry.value);
    std::vector<std::tuple<u32, u64>> deltas;
    for (const CallBatch::Delta& entry : batch.deltas)
        deltas.emplace_back(entry.group, entry.ticks);
    return std::tuple(batch.symbols, values, deltas);
}

::testing::AssertionResult same_deltas(const RecordBatch& records, const CallBatch& calls,
                                       const std::vector<u32>& groups) {
    if (calls.deltas.size() != records.size() || groups.size() != records.size()) {
        return ::testing::AssertionFailure()
               << calls.deltas.size() << " deltas and " << groups.size() << " groups of "
               << records.size() << " records";
    }
    u64 last = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const CallBatch::Delta& delta = calls.deltas[i];
        if (delta.group != groups[i] || delta.ticks != records[i].time - last) {
            return ::testing::AssertionFailure()
                   << "record " << i << " has " << delta.ticks << " ticks in group " << delta.group
                   << ", the decoder's group is " << groups[i];
        }
        last = records[i].time;
    }
    return ::testing::AssertionSuccess();
}

}  // namespace

EncodedCalls encode_calls(const SmallWorld& world, const MappingTables& tables, u32 rank,
                          const RecordBatch& records, std::size_t piece, const PollDetector* scout,
                          std::size_t restarts_from) {
    EncodedCalls encoded;
    CallEncoder encoder(world.definitions(), tables, world.location(rank), true, scout);
    RecordBatch part;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (i == restarts_from) {
            encoder.encode(part, encoded.calls);
            part.clear();
            encoder.expect_restarts();
        }
        part.append(records, records[i]);
        if (part.size() < piece) continue;
        encoder.encode(part, encoded.calls);
        part.clear();
    }
    encoder.encode(part, encoded.calls);
    encoder.finish(encoded.calls);
    encoded.symbols = encoder.symbols();
    encoded.raw = encoder.raw_records();
    encoded.peers = encoder.peer_views();
    encoded.has_restarts = encoder.has_restarts();
    return encoded;
}

std::vector<u64> values_of_kind(const EncodedCalls& encoded, FieldKind kind) {
    std::vector<FieldKind> kinds;
    for (const Symbol& symbol : encoded.symbols) {
        for (const Slot& slot : slots_of(Stream::events, symbol)) kinds.push_back(slot.kind);
    }
    std::vector<u64> values;
    for (const CallBatch::Value& entry : encoded.calls.values) {
        if (kinds[entry.column] == kind) values.push_back(entry.value);
    }
    return values;
}

void fold_calls(const EncodedCalls& encoded, u32 rank, StructureStore& store) {
    LocationFolder folder;
    folder.consume(encoded.calls);
    folder.finish(store, Stream::events, rank, encoded.symbols, encoded.peers);
    LocationFacts facts;
    facts.has_restarts = encoded.has_restarts ? 1 : 0;
    store.set_facts(rank, facts);
}

RecordBatch unfold_calls(const SmallWorld& world, const MappingTables& tables, u32 rank,
                         const Structure& structure, std::vector<u32>* groups) {
    StructureIndex index(structure);
    LocationCursor cursor(index, Stream::events, rank);
    CallDecoder decoder(world.definitions(), tables, world.location(rank), structure,
                        index.facts(rank).has_restarts != 0);
    RecordBatch records;
    u32 symbol = 0;
    AppendBuffer<u64> values;
    while (cursor.next(symbol, values)) decoder.decode(symbol, values, records, groups);
    return records;
}

::testing::AssertionResult survives(const SmallWorld& world, const MappingTables& tables, u32 rank,
                                    const RecordBatch& records) {
    const EncodedCalls encoded = encode_calls(world, tables, rank, records);
    for (const std::size_t piece : {1U, 5U}) {
        const EncodedCalls pieces = encode_calls(world, tables, rank, records, piece);
        if (content(pieces.calls) != content(encoded.calls) || pieces.symbols != encoded.symbols ||
            pieces.peers != encoded.peers) {
            return ::testing::AssertionFailure() << "pieces of " << piece << " records differ";
        }
    }
    StructureStore store;
    fold_calls(encoded, rank, store);
    const Structure structure = store.finish(Stream::events, rank + 1);
    std::vector<u32> groups;
    const RecordBatch back = unfold_calls(world, tables, rank, structure, &groups);
    const ::testing::AssertionResult same = same_records(Stream::events, records, back);
    return same ? same_deltas(records, encoded.calls, groups) : same;
}

}  // namespace tracefold
