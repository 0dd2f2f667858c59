// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/rest_places.hpp"

#include "core/parallel.hpp"

#include <bit>

namespace tracefold {

namespace {

constexpr u32 kBits = 64;

}  // namespace

RestPlaces::RestPlaces(const Operations& all, u32 threads) : ranks_(all.ranks.size()) {
    run_each(threads, ranks_.size(),
             [&](std::size_t rank) { ranks_[rank] = read(all.ranks[rank].operations); });
}

RestPlaces::Rank RestPlaces::read(const std::vector<Operation>& operations) {
    const std::size_t count = operations.size();
    Rank rank{static_cast<u32>(count), std::vector<u64>(count / kBits + 1)};
    rank.bits.front() = 1;
    for (std::size_t i = 0; i < count; ++i) {
        rank.bits[(i + 1) / kBits] |= u64{operations[i].at_rest} << ((i + 1) % kBits);
    }
    rank.bits.back() |= u64{1} << (count % kBits);
    return rank;
}

u64 RestPlaces::operations() const {
    u64 all = 0;
    for (const Rank& rank : ranks_) all += rank.operations;
    return all;
}

u32 RestPlaces::from(u32 rank, u32 place) const {
    const std::vector<u64>& bits = ranks_[rank].bits;
    u32 word = place / kBits;
    u64 left = bits[word] >> (place % kBits) << (place % kBits);
    while (left == 0) left = bits[++word];
    return word * kBits + static_cast<u32>(std::countr_zero(left));
}

u32 RestPlaces::up_to(u32 rank, u32 place) const {
    const std::vector<u64>& bits = ranks_[rank].bits;
    const u32 beyond = kBits - 1 - place % kBits;
    u32 word = place / kBits;
    u64 left = bits[word] << beyond >> beyond;
    while (left == 0) left = bits[--word];
    return word * kBits + static_cast<u32>(std::bit_width(left)) - 1;
}

}  // namespace tracefold
