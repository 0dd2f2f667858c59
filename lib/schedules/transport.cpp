// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/transport.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

__extension__ using u128 = unsigned __int128;

u64 sum_of(std::span<const u64> numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), u64{0});
}

/// a * b / c, rounded down.
u64 scaled(u64 a, u64 b, u64 c) {
    return c == 0 ? 0 : static_cast<u64>(static_cast<u128>(a) * b / c);
}

}  // namespace

Transport::Transport(std::vector<u64> row_sums, std::vector<u64> column_sums)
    : rows_(std::move(row_sums)), columns_(std::move(column_sums)), total_(sum_of(rows_)) {
    if (sum_of(columns_) != total_) scale_columns(total_);
    find_rest();
}

/// In proportion; what rounding leaves goes to the first ones, where the sums end.
void Transport::scale_columns(u64 total) {
    exact_ = false;
    if (columns_.empty()) return;
    if (sum_of(columns_) == 0) columns_.assign(columns_.size(), 1);
    const u64 wanted = sum_of(columns_);
    u64 asked = 0;
    u64 given = 0;
    for (u64& column : columns_) {
        asked += column;
        const u64 upto = scaled(total, asked, wanted);
        column = upto - given;
        given = upto;
    }
}

u64 Transport::largest_sum() const {
    u64 largest = 0;
    for (const u64 sum : rows_) largest = std::max(largest, sum);
    for (const u64 sum : columns_) largest = std::max(largest, sum);
    return largest;
}

u64 Transport::share(u32 row, u32 column) const {
    return scaled(rows_[row], columns_[column], total_);
}

void Transport::find_rest() {
    std::vector<u64> lacking = columns_;
    row_rest_.assign(1, 0);
    for (u32 row = 0; row < rows_.size(); ++row) {
        u64 rest = rows_[row];
        for (u32 column = 0; column < columns_.size() && rows_[row] != 0; ++column) {
            const u64 part = share(row, column);
            rest -= part;
            lacking[column] -= part;
        }
        row_rest_.push_back(row_rest_.back() + rest);
    }
    dealt_.resize(columns_.size());
    std::iota(dealt_.begin(), dealt_.end(), 0U);
    std::ranges::stable_sort(dealt_, [&](u32 a, u32 b) { return lacking[a] > lacking[b]; });
    place_.resize(columns_.size());
    for (u32 i = 0; i < dealt_.size(); ++i) place_[dealt_[i]] = i;
    layers_.assign(1, 0);
    u64 left = dealt_.size();
    for (u64 layer = 1; left != 0; ++layer) {
        while (left != 0 && lacking[dealt_[left - 1]] < layer) --left;
        if (left != 0) layers_.push_back(layers_.back() + left);
    }
}

void Transport::row(u32 row, std::vector<u64>& out) const {
    out.clear();
    for (u32 column = 0; column < columns_.size(); ++column) out.push_back(share(row, column));
    u64 at = row_rest_[row];
    auto layer = std::ranges::upper_bound(layers_, at) - 1;
    for (; at < row_rest_[row + 1]; ++at) {
        while (at >= *(layer + 1)) ++layer;
        ++out[dealt_[at - *layer]];
    }
}

void Transport::column(u32 column, std::vector<u64>& out) const {
    out.clear();
    for (u32 row = 0; row < rows_.size(); ++row) out.push_back(share(row, column));
    for (std::size_t layer = 0; layer + 1 < layers_.size(); ++layer) {
        const u64 at = layers_[layer] + place_[column];
        if (at >= layers_[layer + 1]) break;
        ++out[static_cast<std::size_t>(std::ranges::upper_bound(row_rest_, at) - row_rest_.begin() -
                                       1)];
    }
}

}  // namespace tracefold
