// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/location_folder.hpp"

#include <utility>

namespace tracefold {

void LocationFolder::consume(const CallBatch& batch) {
    consume_symbols({batch.symbols.data(), batch.symbols.size()},
                    [this](u32 symbol, u64 count) { script_.push(symbol, count); });
    for (const CallBatch::Value& entry : batch.values) {
        if (entry.column >= columns_.size()) columns_.resize(entry.column + 1);
        columns_[entry.column].push(entry.value);
    }
}

void LocationFolder::finish(StructureStore& store, Stream stream, u32 location,
                            const std::vector<Symbol>& symbols,
                            const std::vector<PeerView>& peers) {
    if (run_ == 0) return;
    script_.push(symbol_, run_);
    script_.finish();
    StructurePool& pool = store.pool();
    std::vector<NodeCount> counts;
    Script script;
    script.stream = stream;
    script.pattern = script_.store(pool, counts);
    u32 column = 0;
    for (const Symbol& symbol : symbols) {
        const u32 id = store.intern_symbol(stream, symbol);
        script.symbols.push_back(id);
        const std::size_t slots = slots_of(stream, symbol).size();
        for (u32 slot = 0; slot < slots; ++slot, ++column) {
            if (column >= columns_.size()) columns_.resize(column + 1);
            const u32 values = columns_[column].finish(pool);
            store.assign_slot(id, slot, values, location);
            if (column < peers.size() && peers[column].usable) {
                store.assign_peer_alternatives(id, slot, values, peers[column], location);
            }
        }
    }
    Column one;
    one.start = 1;
    std::vector<u32> column_of(pool.patterns()[script.pattern].node_count(), pool.intern(one));
    for (const NodeCount& count : counts) column_of[count.node] = count.column;
    const u32 script_id = store.intern_script(std::move(script));
    store.assign_script(script_id, location);
    for (u32 node = 0; node < column_of.size(); ++node) {
        store.assign_count(script_id, node, column_of[node], location);
    }
}

}  // namespace tracefold
