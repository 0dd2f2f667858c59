// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/column_builder.hpp"
#include "fold/folder.hpp"
#include "fold/structure_store.hpp"
#include "model/record_batch.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Groups numbers by key. Cost: O(1) per number; memory: the numbers and the largest key.
class ValueGroups {
  public:
    void add(u32 key, u64 value) {
        if (key >= last_.size()) last_.resize(std::size_t{key} + 1, kNone);
        const auto entry = static_cast<u32>(entries_.size());
        entries_.push_back({value, kNone});
        if (last_[key] == kNone) {
            groups_.push_back({key, entry});
        } else {
            entries_[last_[key]].next = entry;
        }
        last_[key] = entry;
    }

    /// Passes every non-empty group in insertion order to `take`; clears the groups.
    template <class Take>
    void give_out(const Take& take) {
        for (const Group& group : groups_) {
            values_.clear();
            for (u32 at = group.first; at != kNone; at = entries_[at].next) {
                values_.push_back(entries_[at].value);
            }
            last_[group.key] = kNone;
            take(group.key, std::span<u64>(values_));
        }
        groups_.clear();
        entries_.clear();
    }

  private:
    struct Group {
        u32 key;
        u32 first;
    };
    struct Entry {
        u64 value;
        u32 next;
    };

    std::vector<Group> groups_;
    std::vector<Entry> entries_;
    std::vector<u32> last_;  ///< by key: its last entry
    std::vector<u64> values_;
};

/// Folds one stream of one location: its symbols to a script, the values of every slot to a column.
/// Cost per event: a compare and an increment for the symbol and for each value while they are
/// predicted. Memory: the folded size.
class LocationFolder {
  public:
    void consume(const CallBatch& batch);

    /// Equivalent to consuming the batch `times` times. Cost: a few repetitions at most once the
    /// prediction covers it, see Folder::repeat(). Precondition: it has been consumed before.
    void repeat(const CallBatch& batch, u64 times);

    /// Adds the result to the store. `symbols` are those of the call model of the batches, `peers`
    /// (by column, may be shorter) the location's view on its peers. Call once.
    void finish(StructureStore& store, Stream stream, u32 location,
                const std::vector<Symbol>& symbols, const std::vector<PeerView>& peers = {});

  private:
    template <class Push>
    void consume_symbols(std::span<const u32> symbols, const Push& push);
    void repeat_symbols(std::span<const u32> symbols, u64 times);

    Folder script_;
    u32 symbol_ = kNone;  ///< of the current run
    u64 run_ = 0;
    std::vector<ColumnBuilder> columns_;
    ValueGroups groups_;  ///< values of a repetition, by column
};

template <class Push>
void LocationFolder::consume_symbols(std::span<const u32> symbols, const Push& push) {
    for (const u32 symbol : symbols) {
        if (symbol == symbol_) {
            ++run_;
            continue;
        }
        if (run_ != 0) push(symbol_, run_);
        symbol_ = symbol;
        run_ = 1;
    }
}

}  // namespace tracefold
