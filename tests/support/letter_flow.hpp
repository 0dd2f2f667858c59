// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "fold/folder.hpp"
#include "questions/graph/build_graph.hpp"
#include "questions/graph/recover.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tracefold {

/// A text again and again.
inline std::string times(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

/// The graph of a text: its letters are the calls of one location, folded as a trace is. A letter
/// may have an argument (a value per occurrence), which then belongs to its signature.
class LetterFlow : private FlowAlphabet {
  public:
    explicit LetterFlow(const std::string& text, const std::vector<u64>& arguments = {})
        : text_(text), arguments_(arguments) {
        fold();
        FlowProgram program{&script_, &pool_.patterns()[script_.pattern], {}, {}};
        program.counts.resize(program.pattern->node_count(), {{kNone, 1}, 0});
        for (const NodeCount& count : counts_) program.counts[count.node] = {{count.column, 0}, 0};
        for (const u32 column : columns_) program.slots.push_back({{{column, 0}, 0}});
        FlowWalker walker({pool_.patterns(), pool_.columns()}, program, *this, {}, nullptr);
        GraphBuilder builder(false);
        builder.add(walker.run(), ParticipantList({0}));
        graph_ = builder.finish(table_);
    }

    [[nodiscard]] const FlowGraph& graph() const { return graph_; }
    /// How often the program was stepped through: calls that were not skipped.
    [[nodiscard]] u64 steps() const { return steps_; }

    /// The vertices of the text in order, worked out from the text.
    [[nodiscard]] std::vector<u64> sequence() {
        std::vector<u64> all;
        FlowPosition none;
        for (std::size_t i = 0; i < text_.size(); ++i) {
            const u64 value = arguments_.empty() ? 0 : arguments_[i];
            all.push_back(step(symbol_of(text_[i]), std::vector<u64>{value}, none));
        }
        return all;
    }

    /// The same from the graph.
    [[nodiscard]] std::vector<u64> recovered() const {
        std::vector<u64> all;
        recover(graph_, 0, [&all](FlowVertex node) { all.push_back(node); });
        return all;
    }

    [[nodiscard]] FlowVertex vertex(const std::string& name) const {
        FlowVertex v = 0;
        while (graph_[v].signature.name != name) ++v;
        return v;
    }
    [[nodiscard]] const FlowEdge& edge(const std::string& from, const std::string& to) const {
        return graph_[boost::edge(vertex(from), vertex(to), graph_).first];
    }

  private:
    u32 step(u32 symbol, std::span<const u64> values, FlowPosition& /*position*/) override {
        ++steps_;
        Signature signature;
        signature.name = std::string(1, letters_[symbol]);
        if (values[0] != 0)
            signature.arguments.push_back({"bytes", FieldKind::bytes, {}, values[0]});
        return table_.intern(std::move(signature));
    }

    u32 symbol_of(char letter) {
        const std::size_t found = letters_.find(letter);
        if (found == std::string::npos) letters_.push_back(letter);
        return static_cast<u32>(std::min(found, letters_.size() - 1));
    }

    void fold() {
        Folder folder;
        std::vector<ColumnBuilder> values;
        for (std::size_t begin = 0; begin < text_.size();) {
            const std::size_t end =
                std::min(text_.find_first_not_of(text_[begin], begin), text_.size());
            const u32 symbol = symbol_of(text_[begin]);
            if (symbol == values.size()) values.emplace_back();
            folder.push(symbol, end - begin);
            for (; begin < end; ++begin) {
                values[symbol].push(arguments_.empty() ? 0 : arguments_[begin]);
            }
        }
        folder.finish();
        script_.pattern = folder.store(pool_, counts_);
        for (u32 symbol = 0; symbol < values.size(); ++symbol) {
            script_.symbols.push_back(symbol);
            columns_.push_back(values[symbol].finish(pool_));
        }
    }

    std::string text_;
    std::vector<u64> arguments_;
    std::string letters_;
    StructurePool pool_;
    Script script_;
    std::vector<NodeCount> counts_;
    std::vector<u32> columns_;  ///< by symbol
    SignatureTable table_;
    FlowGraph graph_;
    u64 steps_ = 0;
};

/// All visits of a sequence, one by one.
inline std::vector<u64> visits_of(const EdgeSequence& sequence) {
    SequenceCursor cursor(sequence);
    std::vector<u64> all;
    for (u64 visit = 0; cursor.next(visit);) all.push_back(visit);
    return all;
}

}  // namespace tracefold
