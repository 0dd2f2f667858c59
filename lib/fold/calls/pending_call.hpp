// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/memory.hpp"
#include "fold/field_codec.hpp"
#include "fold/late_values.hpp"
#include "fold/symbol_table.hpp"
#include "model/definition_index.hpp"
#include "model/record_batch.hpp"
#include "model/structure.hpp"
#include "model/symbol.hpp"

#include <vector>

namespace tracefold {

/// Finds the columns whose peers belong to one communicator, which allows other peer encodings.
/// Cost: O(1) per peer, a few compares while the communicator stays the same.
class PeerTracker {
  public:
    /// Registers a relative peer in a column; `view()` returns the view of the raw `scope`.
    template <class View>
    void note(u32 column, u64 relative, u64 scope, const View& view) {
        if (column >= views_.size()) {
            views_.resize(column + 1);
            scopes_.resize(column + 1, kNoScope);
        }
        PeerView& known = views_[column];
        if (scopes_[column] != scope) take(known, scopes_[column], scope, view());
        known.usable = known.usable && relative + known.rank < known.size;
    }

    /// By column; columns without peers are not usable.
    [[nodiscard]] const std::vector<PeerView>& views() const { return views_; }

  private:
    static constexpr u64 kNoScope = ~u64{0};

    static void take(PeerView& known, u64& known_scope, u64 scope, const RankView& view) {
        if (known_scope == kNoScope) {
            known = {view.rank, view.size, true};
        } else {
            known.usable = known.usable && known.rank == view.rank && known.size == view.size;
        }
        known_scope = scope;
    }

    std::vector<PeerView> views_;
    std::vector<u64> scopes_;  ///< by column: raw id of the last communicator or window
};

/// One step of distributing the immediate values of a call to columns.
struct LayoutPiece {
    enum class Kind : u8 {
        values,       ///< `count` values go to `column` and the following ones
        completions,  ///< value n goes to `column`, n values to the next one
        late,         ///< late values of the next request go to `column` and the following ones
        peer,         ///< inspects the peer at an offset; consumes nothing
    };

    Kind kind = Kind::values;
    bool receive = false;  ///< for `late`: the request is a receive
    bool window = false;   ///< for `peer`: the scope is a window
    u32 column = 0;
    u32 count = 0;
    u32 peer = 0;   ///< offset of the peer,
    u32 scope = 0;  ///< and of its communicator or window
};

/// Returns the steps for an event symbol: immediate values are in the order of its elements, within
/// an element in the order of its slots. Cost: linear in the slots.
std::vector<LayoutPiece> layout_of(const Symbol& symbol, const SymbolTable::Entry& entry);

/// The call that the encoder is collecting: a trie node of symbols and the values of its slots so
/// far. It is output as one symbol, or as one symbol per element. Cost: O(1) per element and value;
/// memory: distinct symbols, and unresolved late values.
class PendingCall {
  public:
    /// The views must outlive this. Without `timing` no deltas are produced.
    PendingCall(RankViews& views, bool timing);

    [[nodiscard]] bool empty() const { return node_ == SymbolTable::kRoot; }
    [[nodiscard]] u32 size() const { return size_; }
    [[nodiscard]] u32 node() const { return node_; }
    /// Record type of the last element; kCompletions if there is none.
    [[nodiscard]] u8 last_type() const { return table_.type_at(node_); }

    /// Appends an element: `node` is a child of the current one. Append its values next.
    void append(u32 node) {
        node_ = node;
        ++size_;
    }
    /// Replaces the last element, which must not have values yet.
    void replace_last(u32 element) { node_ = table_.step(table_.parent(node_), element); }
    AppendBuffer<u64>& values() { return values_; }
    void begin_completions();
    /// Precondition: the last element is a run of completions.
    void add_completion(u64 distance) {
        ++values_[completions_];
        values_.push_back(distance);
    }
    /// Registers a request of the last element with late values; returns its entry for resolve().
    u32 post_late(u8 value_count);
    void resolve(u32 late, bool receive, const LateValues::Values& values, CallBatch& out);
    /// Assigns the time since the previous record to the last element.
    void add_delta(u64 ticks) {
        if (timing_) deltas_.push_back({size_ - 1, ticks});
    }

    /// Outputs the call as one symbol.
    void give_whole(CallBatch& out);
    /// Outputs every element as a symbol of its own.
    void give_separately(CallBatch& out) {
        if (!empty()) give_elements(out);
    }

    SymbolTable& table() { return table_; }
    [[nodiscard]] const SymbolTable& table() const { return table_; }
    /// By column: the location's view on its peers.
    [[nodiscard]] const std::vector<PeerView>& peer_views() const { return peers_.views(); }

  private:
    struct Delta {
        u32 element;
        u64 ticks;
    };
    /// The values not yet output.
    struct Rest {
        const u64* values;
        const u32* posted;
        std::size_t delta;
    };

    void give(u32 symbol, u32 first_element, u32 end_element, Rest& rest, CallBatch& out);
    void give_values(const LayoutPiece& piece, Rest& rest, CallBatch& out);
    void give_completions(const LayoutPiece& piece, Rest& rest, CallBatch& out);
    void give_late(const LayoutPiece& piece, Rest& rest, CallBatch& out);
    void give_elements(CallBatch& out);
    void note_peer(const LayoutPiece& piece, const Rest& rest);
    void note_late_peers(std::size_t first_value, const CallBatch& out);
    void clear();

    RankViews& views_;
    bool timing_;
    SymbolTable table_;
    std::vector<std::vector<LayoutPiece>> layouts_;  ///< by symbol
    PeerTracker peers_;
    LateValues late_;
    u32 completions_element_;

    u32 node_ = SymbolTable::kRoot;
    u32 size_ = 0;
    AppendBuffer<u64> values_;     ///< immediate values; runs of completions with a length prefix
    std::size_t completions_ = 0;  ///< index of the length of the last run of completions
    AppendBuffer<u32> posted_;     ///< entries of late values
    std::vector<Delta> deltas_;
    std::vector<u32> way_;
};

}  // namespace tracefold
