// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/structure_pool.hpp"

#include <utility>

namespace tracefold {

namespace {

void put(std::vector<u64>& out, const ContentHash& hash) {
    out.push_back(hash.low);
    out.push_back(hash.high);
}

void put_items(std::vector<u64>& out, const std::vector<u32>& items) {
    out.push_back(items.size());
    out.insert(out.end(), items.begin(), items.end());
}

}  // namespace

u32 StructurePool::intern(Pattern pattern) {
    scratch_.assign({pattern.leaf_count, pattern.loops.size()});
    for (const auto& body : pattern.loops) put_items(scratch_, body);
    put_items(scratch_, pattern.root);
    const ContentHash hash = content_hash(scratch_);
    const auto [found, fresh] = pattern_index_.emplace(hash, static_cast<u32>(patterns_.size()));
    if (fresh) {
        patterns_.push_back(std::move(pattern));
        pattern_hashes_.push_back(hash);
    }
    return found->second;
}

u32 StructurePool::intern(Column column) {
    scratch_.assign({static_cast<u64>(column.form), column.start, column.stride});
    scratch_.push_back(column.values.size());
    scratch_.insert(scratch_.end(), column.values.begin(), column.values.end());
    if (column.is_folded()) {
        put(scratch_, pattern_hashes_[column.pattern]);
        put(scratch_, column_hashes_[column.alphabet]);
        for (const NodeCount& count : column.counts) {
            scratch_.push_back(count.node);
            put(scratch_, column_hashes_[count.column]);
        }
    }
    const ContentHash hash = content_hash(scratch_);
    const auto [found, fresh] = column_index_.emplace(hash, static_cast<u32>(columns_.size()));
    if (fresh) {
        columns_.push_back(std::move(column));
        column_hashes_.push_back(hash);
    }
    return found->second;
}

u32 intern_alphabet(StructurePool& pool, std::vector<u64> letters) {
    const u64 stride = letters.size() > 1 ? letters[1] - letters[0] : 0;
    bool regular = true;
    for (std::size_t i = 1; i < letters.size() && regular; ++i) {
        regular = letters[i] - letters[i - 1] == stride;
    }
    Column column;
    if (regular) {
        column.form = stride == 0 ? Column::Form::constant : Column::Form::progression;
        column.start = letters[0];
        column.stride = stride;
    } else {
        column.form = Column::Form::list;
        column.values = std::move(letters);
    }
    return pool.intern(std::move(column));
}

ColumnCopier::ColumnCopier(const FoldedSource& source, StructurePool& target)
    : source_(source), target_(target), copied_(source.columns.size(), kNone) {}

u32 ColumnCopier::copy(u32 id) {
    if (copied_[id] != kNone) return copied_[id];
    Column column = source_.column(id);
    if (column.is_folded()) {
        column.pattern = target_.intern(source_.patterns[column.pattern]);
        column.alphabet = copy(column.alphabet);
        for (NodeCount& count : column.counts) count.column = copy(count.column);
    }
    copied_[id] = target_.intern(std::move(column));
    return copied_[id];
}

void ClassColumns::add(Column column) {
    const auto [found, fresh] = known_.emplace(column.values, known_.size());
    if (fresh) columns_.push_back(std::move(column));
    classes_.values.push_back(found->second);
}

void ClassColumns::append_to(Structure& structure, Assignment& assignment) {
    for (Column& column : columns_) {
        assignment.columns.push_back(static_cast<u32>(structure.columns.size()));
        structure.columns.push_back(std::move(column));
    }
    assignment.by_participant = static_cast<u32>(structure.columns.size());
    structure.columns.push_back(std::move(classes_));
}

}  // namespace tracefold
