// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"
#include "fold/folder.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tracefold {

/// A text folded letter by letter, for tests. Its nest is written with brackets and without
/// counts: "xababy" is "x(ab)y".
class FoldedLetters {
  public:
    explicit FoldedLetters(const std::string& text) : length_(text.size()) {
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end =
                std::min(text.find_first_not_of(text[begin], begin), text.size());
            folder_.push(number_of(text[begin]), end - begin);
            begin = end;
        }
        folder_.finish();
        items_ = folder_.item_count();
        pattern_ = folder_.store(pool_, counts_);
    }

    [[nodiscard]] std::size_t item_count() const { return items_; }
    [[nodiscard]] const Pattern& pattern() const { return pool_.patterns()[pattern_]; }

    [[nodiscard]] std::string nest() const { return nest_of(pattern().root); }

    [[nodiscard]] std::string unwound() const {
        PatternCursor cursor({pool_.patterns(), pool_.columns()}, pattern_, counts_);
        std::string text;
        PatternCursor::Run run{};
        while (text.size() <= length_ && cursor.next(run))
            text.append(run.count, letters_[run.leaf]);
        return text;
    }

    /// The values of the count column of a node.
    [[nodiscard]] std::vector<u64> counts(u32 node, std::size_t size) const {
        for (const NodeCount& count : counts_) {
            if (count.node == node) {
                return unwind({pool_.patterns(), pool_.columns()}, count.column, size);
            }
        }
        return std::vector<u64>(size, 1);
    }

  private:
    u32 number_of(char letter) {
        const std::size_t found = letters_.find(letter);
        if (found == std::string::npos) letters_.push_back(letter);
        return static_cast<u32>(found == std::string::npos ? letters_.size() - 1 : found);
    }

    [[nodiscard]] std::string nest_of(const std::vector<u32>& items) const {
        std::string text;
        for (const u32 item : items) {
            const u32 leaves = pattern().leaf_count;
            if (item < leaves) {
                text.push_back(letters_[item]);
            } else {
                text.append(1, '(').append(nest_of(pattern().loops[item - leaves])).append(1, ')');
            }
        }
        return text;
    }

    std::size_t length_;
    std::string letters_;
    Folder folder_;
    StructurePool pool_;
    std::vector<NodeCount> counts_;
    u32 pattern_ = kNone;
    std::size_t items_ = 0;
};

}  // namespace tracefold
