// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/place_columns.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace tracefold {

namespace {

std::size_t columns_for(char letter) {
    if (letter == 'p') return kPeerEncodings;
    return letter == 'l' ? 2 : 1;
}

}  // namespace

PlaceColumns::PlaceColumns(std::string_view arguments) : arguments_(arguments) {
    std::size_t columns = 1;
    for (const char letter : arguments) columns += columns_for(letter);
    columns_.resize(columns);
}

void PlaceColumns::push_arguments(const ProxyCall& call) {
    auto number = call.numbers.begin();
    auto view = call.views.begin();
    auto column = columns_.begin() + 1;
    for (const char letter : arguments_) {
        const u64 value = *number++;
        if (letter == 'p') {
            for (int i = 0; i < kPeerEncodings; ++i) {
                const bool nobody = value == kProxyNobody;
                (column++)->push(nobody ? value
                                        : encode_relative_peer(value - view->rank,
                                                               static_cast<PeerEncoding>(i),
                                                               view->rank, view->size));
            }
            ++view;
        } else if (letter == 'l') {
            (column++)->push(value);
            for (u64 i = 0; i < value; ++i) column->push(*number++);
            ++column;
        } else {
            (column++)->push(value);
        }
    }
}

std::vector<u32> PlaceColumns::finish(StructurePool& pool) {
    std::vector<u32> ids;
    ids.reserve(columns_.size());
    for (ColumnBuilder& column : columns_) {
        ids.push_back(column.size() == 0 ? kNone : column.finish(pool));
    }
    return ids;
}

void PlaceVariants::add(u32 position, const std::vector<u32>& columns) {
    uses_.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        uses_[i].resize(position + 1, kNone);
        uses_[i][position] = columns[i];
    }
}

/// Ranks that never use their column take that of the rank before them.
PlaceVariants::Use PlaceVariants::completed(Use use, StructurePool& pool) {
    const auto first = std::ranges::find_if(use, [](u32 column) { return column != kNone; });
    u32 last = first == use.end() ? pool.intern(Column{}) : *first;
    for (u32& column : use) last = column = column == kNone ? last : column;
    return use;
}

Assignment PlaceVariants::assign(const Use& sparse, StructurePool& pool) {
    const Use use = completed(sparse, pool);
    std::vector<u32> distinct;
    std::unordered_map<u32, u32> class_of;
    for (const u32 column : use) {
        if (class_of.try_emplace(column, static_cast<u32>(distinct.size())).second) {
            distinct.push_back(column);
        }
    }
    Assignment assignment;
    if (distinct.size() == 1) {
        assignment.columns = distinct;
        return assignment;
    }
    const bool constants = std::ranges::all_of(distinct, [&pool](u32 column) {
        return pool.columns()[column].form == Column::Form::constant;
    });
    ColumnBuilder by_rank;
    for (const u32 column : use) {
        by_rank.push(constants ? pool.columns()[column].start : class_of[column]);
    }
    assignment.by_participant = by_rank.finish(pool);
    if (!constants) assignment.columns = distinct;
    return assignment;
}

/// In the encoding that makes most ranks alike.
Assignment PlaceVariants::assign_peers(std::size_t first, StructurePool& pool) const {
    std::size_t best = 0;
    std::size_t fewest = ~std::size_t{0};
    for (std::size_t i = 0; i < kPeerEncodings; ++i) {
        const Use use = completed(uses_[first + i], pool);
        const std::size_t variants = std::set<u32>(use.begin(), use.end()).size();
        if (variants < fewest) {
            fewest = variants;
            best = i;
        }
    }
    Assignment assignment = assign(uses_[first + best], pool);
    assignment.peers = static_cast<PeerEncoding>(best);
    return assignment;
}

void PlaceVariants::finish(std::string_view arguments, StructurePool& pool,
                           ProxyPlace& place) const {
    place.count = assign(uses_.front(), pool);
    std::size_t column = 1;
    for (const char letter : arguments) {
        if (letter == 'p') {
            place.arguments.push_back(assign_peers(column, pool));
        } else {
            place.arguments.push_back(assign(uses_[column], pool));
            if (letter == 'l') place.arguments.push_back(assign(uses_[column + 1], pool));
        }
        column += columns_for(letter);
    }
}

}  // namespace tracefold
