// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "model/structure.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// The folding engine: turns a sequence of runs (symbol, count) into nested loops, streaming and in
/// linear time (docs/internals/architecture.md, "Folding"). The nested loops are power regular
/// section descriptors as in ScalaTrace (Noeth, Ratn, Mueller, Schulz, de Supinski, JPDC 2009); a
/// hierarchy is inferred online as in Sequitur (Nevill-Manning, Witten, JAIR 1997), but from
/// repetitions in a row only. The folder keeps a queue of items, each a leaf (a run of one symbol)
/// or a loop; the identity of an item ignores counts, which go to one column per node in execution
/// order. While the loop at the tail predicts the next symbol, a run costs a compare; only
/// mispredicted runs touch the queue. Memory: the folded size.
///
/// Precondition: symbols are numbered 0, 1, 2, ... in the order of their first run, and two runs in
/// a row differ in their symbol.
class Folder {
  public:
    void push(u32 symbol, u64 count) {
        const u32 leaf = symbol < leaf_nodes_.size() ? leaf_nodes_[symbol] : add_leaf();
        counts_[leaf].push(count);
        if (!advance_innermost(leaf)) push_unpredicted(leaf);
    }

    /// Does what pushing these runs `times` times in a row does. Cost: as soon as the prediction
    /// covers a whole repetition, that of one more. The last run's symbol must not be the first's.
    void repeat(std::span<const SymbolRun> runs, u64 times);

    /// Closes what is open. No push afterwards.
    void finish();

    /// The canonical pattern of the pushed sequence; `counts` receives the count columns of all
    /// nodes whose count is not always 1. Precondition: finish().
    u32 store(StructurePool& pool, std::vector<NodeCount>& counts);

    /// Items that a reader of the pattern would see: queue and loop bodies. A measure of how well
    /// the sequence folds.
    [[nodiscard]] std::size_t item_count() const { return queue_.size() + bodies_.size(); }

  private:
    struct Node {
        u32 first_leaf;  ///< node id of the leaf that starts it
        u32 begin;       ///< of its body in bodies_
        u32 size;        ///< of its body; 0 for a leaf
        u64 hash;
        u32 last = kNone;  ///< where it stands in queue_ last
    };
    /// One nested loop of the running prediction: `index` is the body item being executed;
    /// index == size means that the iteration is complete and counted in `trips`.
    struct Level {
        u32 node;
        u32 index;
        u64 trips;
        u32 begin;  ///< of the loop's body in bodies_
        u32 size;   ///< of its body
    };

    struct NotedCount {
        u32 node;
        u64 count;
    };

    u32 add_leaf();
    u32 loop_of(std::size_t begin, std::size_t end);
    u32 new_node(const Node& node);
    [[nodiscard]] u32 item(const Node& node, u32 index) const {
        return bodies_[node.begin + index];
    }
    [[nodiscard]] bool starts_with(u32 node, u32 leaf) const {
        return nodes_[node].first_leaf == leaf;
    }

    /// The common case of advance(): the next item of the innermost loop is this leaf.
    bool advance_innermost(u32 leaf) {
        if (levels_.empty()) return false;
        Level& level = levels_.back();
        const u32 next = level.index + 1;
        const bool again = next == level.size;
        if (next > level.size || bodies_[level.begin + (again ? 0 : next)] != leaf) return false;
        level.index = again ? 0 : next;
        level.trips += again ? 1 : 0;
        return true;
    }
    void push_unpredicted(u32 leaf);
    void count_trips(u32 node, u64 trips);
    [[nodiscard]] Level* only_grown(const std::vector<Level>& before);
    void repeat_counts(std::span<const SymbolRun> runs, u64 times);
    bool advance(u32 leaf);
    void enter(u32 node);
    void close_inner(std::size_t depth);
    bool backtrack();
    void leave();
    void close_outer();

    void append(u32 node);
    void drop_to(std::size_t size);
    bool settle();
    void settle_closed();
    bool absorb();
    bool fold_tail();
    void activate(u32 node, u64 trips);
    [[nodiscard]] u64 window(std::size_t begin, std::size_t end) const;
    [[nodiscard]] bool equals_body(const Node& loop, std::size_t begin) const;

    void number_loops(std::vector<u32>& item_of, std::vector<u32>& order) const;

    std::vector<Node> nodes_;
    std::vector<u32> bodies_;
    std::vector<u32> leaf_nodes_;              ///< symbol -> node
    std::unordered_multimap<u64, u32> loops_;  ///< body hash -> node
    std::vector<CountColumn> counts_;          ///< per node
    std::vector<u32> queue_;
    std::vector<u32> before_;        ///< per place in queue_: the one before of the same item
    std::vector<u64> prefix_ = {0};  ///< polynomial hash of queue_[0, i)
    std::vector<u64> powers_ = {1};
    std::vector<u32> loop_positions_;  ///< of loops in queue_, rising
    std::vector<Level> levels_;        ///< the prediction; empty: none
    std::vector<u32> partial_;
    u64 mispredictions_ = 0;
    bool noting_ = false;  ///< the trips of loops that end go to noted_ as well
    std::vector<NotedCount> noted_;
};

}  // namespace tracefold
