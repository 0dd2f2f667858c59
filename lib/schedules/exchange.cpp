// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/exchange.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

CollectivePart part_of(const CollectiveRecords& records, u32 member) {
    CollectivePart part;
    part.kind = records.kind;
    part.sent = records.sizes[member].sent;
    part.received = records.sizes[member].received;
    part.root = records.root;
    if (records.first_side == records.sizes.size() || records.root == kNone) return part;
    const bool same_side = (member < records.first_side) == (records.root < records.first_side);
    const u32 side = records.root < records.first_side ? 0 : records.first_side;
    part.root = member == records.root ? kRootSelf
                : same_side            ? kRootThisGroup
                                       : records.root - side;
    return part;
}

bool is_matrix(CollectiveKind kind) {
    return kind == CollectiveKind::alltoallv || kind == CollectiveKind::alltoallw;
}

/// Sizes of one side as rows, or as columns.
std::vector<u64> column_of(const CollectiveRecords& records, u64 Contribution::*size, u32 first,
                           u32 last) {
    std::vector<u64> sums;
    for (u32 member = first; member < last; ++member) {
        sums.push_back(records.sizes[member].*size);
    }
    return sums;
}

}  // namespace

CollectiveScope scope_of(const CollectiveRecords& records, u32 member) {
    const auto all = static_cast<u32>(records.sizes.size());
    const bool first = member < records.first_side;
    CollectiveScope scope;
    scope.inter = records.first_side != all;
    scope.size = first ? records.first_side : all - records.first_side;
    scope.partners = scope.inter ? all - scope.size : all;
    scope.rank = first ? member : member - records.first_side;
    return scope;
}

Exchange::Exchange(const CollectiveRecords& records)
    : kind_(records.kind),
      root_(records.root),
      size_(static_cast<u32>(records.sizes.size())),
      first_side_(records.first_side) {
    if (!is_inter() && has_root(kind_) && root_ >= size_) {
        root_ = 0;
        compromise_ = true;
    }
    if (kind_ == CollectiveKind::barrier) return;
    if (is_matrix(kind_)) {
        spread(records);
    } else if (is_vector_collective(kind_)) {
        add_shares(records);
    } else {
        add_uniform(records);
    }
}

void Exchange::spread(const CollectiveRecords& records) {
    const auto add = [&](u32 from, u32 from_end, u32 to, u32 to_end) {
        matrices_.emplace_back(column_of(records, &Contribution::sent, from, from_end),
                               column_of(records, &Contribution::received, to, to_end));
        compromise_ = compromise_ || !matrices_.back().is_exact();
    };
    if (!is_inter()) {
        add(0, size_, 0, size_);
        return;
    }
    add(0, first_side_, first_side_, size_);
    add(first_side_, size_, 0, first_side_);
}

/// Operations whose members all have equal shares; the sides of an intercommunicator differ.
void Exchange::add_uniform(const CollectiveRecords& records) {
    std::vector<u64> blocks;
    for (u32 member = 0; member < size_; ++member) {
        const UniformArguments own =
            uniform_arguments(part_of(records, member), scope_of(records, member));
        const bool sends = is_inter() && kind_ != CollectiveKind::scatter &&
                           kind_ != CollectiveKind::reduce_scatter_block;
        blocks.push_back(sends ? own.send : std::max(own.send, own.receive));
    }
    const auto largest_of = [&](u32 first, u32 last) {
        const auto range = std::span(blocks).subspan(first, last - first);
        const u64 largest = range.empty() ? 0 : *std::ranges::max_element(range);
        // Who takes no part, or gives its own part in place, says 0.
        compromise_ = compromise_ || std::ranges::any_of(range, [largest](u64 bytes) {
                          return bytes != largest && bytes != 0;
                      });
        std::ranges::fill(range, largest);
    };
    largest_of(0, first_side_);
    largest_of(first_side_, size_);
    set_blocks(std::move(blocks));
}

/// Operations whose members have shares of different size.
void Exchange::add_shares(const CollectiveRecords& records) {
    std::vector<u64> blocks;
    const bool gathers = kind_ == CollectiveKind::gatherv || kind_ == CollectiveKind::allgatherv;
    if (kind_ == CollectiveKind::gatherv || kind_ == CollectiveKind::scatterv) {
        for (const Contribution& one : records.sizes) {
            blocks.push_back(gathers ? one.sent : one.received);
        }
        set_blocks(std::move(blocks));
        return;
    }
    if (!is_inter()) {
        VectorArguments arguments;
        try {
            vector_arguments(part_of(records, 0), scope_of(records, 0), records.sizes,
                             records.sizes, arguments);
            set_blocks(std::move(arguments.receive));
            return;
        } catch (const Error&) {
            compromise_ = true;
        }
    }
    for (u32 member = 0; member < size_; ++member) {
        const Contribution& one = records.sizes[member];
        blocks.push_back((gathers ? one.sent : one.received) /
                         std::max(1U, scope_of(records, member).partners));
    }
    set_blocks(std::move(blocks));
}

void Exchange::set_blocks(std::vector<u64> blocks) {
    bytes_ = blocks.empty() ? 0 : blocks.front();
    if (std::ranges::all_of(blocks, [this](u64 bytes) { return bytes == bytes_; })) return;
    blocks_ = std::move(blocks);
    summed_.assign(1, 0);
    for (const u64 bytes : blocks_) summed_.push_back(summed_.back() + bytes);
}

u64 Exchange::blocks(u32 first, u32 count) const {
    if (blocks_.empty()) return bytes_ * count;
    const u32 last = first + count;
    if (last <= size_) return summed_[last] - summed_[first];
    return summed_[size_] - summed_[first] + summed_[last - size_];
}

u64 Exchange::largest_sum() const {
    if (matrices_.empty()) return blocks(0, size_);
    u64 largest = 0;
    for (const Transport& matrix : matrices_) largest = std::max(largest, matrix.largest_sum());
    return largest;
}

void Exchange::sends(u32 member, std::vector<u64>& out) const {
    if (member < first_side_) return matrices_[0].row(member, out);
    matrices_[1].row(member - first_side_, out);
}

void Exchange::receives(u32 member, std::vector<u64>& out) const {
    if (!is_inter()) return matrices_[0].column(member, out);
    if (member < first_side_) return matrices_[1].column(member, out);
    matrices_[0].column(member - first_side_, out);
}

}  // namespace tracefold
