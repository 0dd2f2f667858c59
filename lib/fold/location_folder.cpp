// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/location_folder.hpp"

#include "fold/column_builder.hpp"
#include "fold/folder.hpp"

#include <algorithm>
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

// Pushes repeated input until a repetition changes only the trips of a loop; further repetitions
// would do the same, so they are counted at once.

void Folder::repeat(std::span<const SymbolRun> runs, u64 times) {
    while (times > 0) {
        const std::vector<Level> before = levels_;
        const u64 mispredictions = mispredictions_;
        noted_.clear();
        noting_ = true;
        for (const SymbolRun& run : runs) push(run.symbol, run.count);
        noting_ = false;
        --times;
        Level* const grown = mispredictions == mispredictions_ ? only_grown(before) : nullptr;
        if (grown == nullptr) continue;
        const u64 trips = before[static_cast<std::size_t>(grown - levels_.data())].trips;
        grown->trips += times * (grown->trips - trips);
        repeat_counts(runs, times);
        return;
    }
}

/// Returns the only level whose trips changed in the prediction; nullptr if anything else changed,
/// or nothing, which does not recur.
Folder::Level* Folder::only_grown(const std::vector<Level>& before) {
    if (before.size() != levels_.size()) return nullptr;
    Level* grown = nullptr;
    for (std::size_t i = 0; i < before.size(); ++i) {
        Level& now = levels_[i];
        if (now.node != before[i].node || now.index != before[i].index) return nullptr;
        if (now.trips == before[i].trips) continue;
        if (grown != nullptr || before[i].trips == 0) return nullptr;
        grown = &now;
    }
    return grown;
}

/// Repeats the counts of the last repetition, of leaves and loops, `times` times.
void Folder::repeat_counts(std::span<const SymbolRun> runs, u64 times) {
    ValueGroups counts;
    for (const NotedCount& trips : noted_) counts.add(trips.node, trips.count);
    for (const SymbolRun& run : runs) counts.add(leaf_nodes_[run.symbol], run.count);
    counts.give_out(
        [&](u32 node, std::span<u64> of_node) { counts_[node].repeat(of_node, times); });
}

void CountColumn::repeat(std::span<u64> counts, u64 times) {
    std::rotate(counts.begin(), counts.end() - 1, counts.end());
    column_.repeat(counts, times);
}

void ColumnBuilder::repeat(std::span<const u64> values, u64 times) {
    while (times > 0) {
        if (continues(values)) {
            run_ += times * values.size();
            return;
        }
        std::vector<SymbolRun> flushed;
        const bool was_settled = settled();
        const Mode mode = mode_;
        const u64 state[] = {next_, stride_, run_};
        if (was_settled) flushed_ = &flushed;
        for (const u64 value : values) push(value);
        flushed_ = nullptr;
        --times;
        const u64 now[] = {next_, stride_, run_};
        if (!was_settled || mode != mode_ || !std::equal(state, state + 3, now)) continue;
        folder_->repeat(flushed, times);
        before_ += times * values.size();
        return;
    }
}

/// True if these values only extend the current run.
bool ColumnBuilder::continues(std::span<const u64> values) const {
    return run_ != 0 && stride_ == 0 &&
           std::all_of(values.begin(), values.end(), [this](u64 value) { return value == next_; });
}

void LocationFolder::repeat(const CallBatch& batch, u64 times) {
    repeat_symbols({batch.symbols.data(), batch.symbols.size()}, times);
    for (const CallBatch::Value& entry : batch.values) groups_.add(entry.column, entry.value);
    groups_.give_out(
        [&](u32 column, std::span<u64> values) { columns_[column].repeat(values, times); });
}

void LocationFolder::repeat_symbols(std::span<const u32> symbols, u64 times) {
    if (std::all_of(symbols.begin(), symbols.end(), [this](u32 s) { return s == symbol_; })) {
        run_ += times * symbols.size();
        return;
    }
    while (times > 0) {
        const SymbolRun before = {symbol_, run_};
        std::vector<SymbolRun> pushed;
        consume_symbols(symbols, [&](u32 symbol, u64 count) {
            script_.push(symbol, count);
            pushed.push_back({symbol, count});
        });
        --times;
        if (symbol_ != before.symbol || run_ != before.count) continue;
        script_.repeat(pushed, times);
        return;
    }
}

}  // namespace tracefold
