// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "clocks/collective_order.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// For each place, `best` of the values at all places before it (or after it), else `none`.
template <class Best>
void add_before(std::span<const u64> values, u64 none, std::vector<u64>& result, Best best) {
    u64 so_far = none;
    for (std::size_t i = 0; i < values.size(); ++i) {
        result[i] = best(result[i], so_far);
        so_far = best(so_far, values[i]);
    }
}

template <class Best>
void add_after(std::span<const u64> values, u64 none, std::vector<u64>& result, Best best) {
    u64 so_far = none;
    for (std::size_t i = values.size(); i-- > 0;) {
        result[i] = best(result[i], so_far);
        so_far = best(so_far, values[i]);
    }
}

/// The root gets the best of all others.
template <class Best>
void add_to_root(std::span<const u64> values, u32 root, std::vector<u64>& result, Best best) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i != root) result[root] = best(result[root], values[i]);
    }
}

/// All others get that of the root.
void add_from_root(std::span<const u64> values, u32 root, std::vector<u64>& result) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i != root) result[i] = values[root];
    }
}

u64 later(u64 a, u64 b) { return std::max(a, b); }
u64 earlier(u64 a, u64 b) { return std::min(a, b); }

}  // namespace

std::vector<u64> latest_needed(CollectiveNeed need, std::span<const u64> begins, u32 root) {
    std::vector<u64> result(begins.size(), 0);
    const bool rooted = root < begins.size();
    if (need == CollectiveNeed::root && rooted) add_from_root(begins, root, result);
    if (need == CollectiveNeed::members && rooted) add_to_root(begins, root, result, later);
    const bool everybody = need == CollectiveNeed::everybody;
    if (everybody || need == CollectiveNeed::lower) add_before(begins, 0, result, later);
    if (everybody) add_after(begins, 0, result, later);
    return result;
}

std::vector<u64> earliest_to_need(CollectiveNeed need, std::span<const u64> ends, u32 root) {
    constexpr u64 kNever = ~u64{0};
    std::vector<u64> result(ends.size(), kNever);
    const bool rooted = root < ends.size();
    if (need == CollectiveNeed::root && rooted) add_to_root(ends, root, result, earlier);
    if (need == CollectiveNeed::members && rooted) add_from_root(ends, root, result);
    const bool everybody = need == CollectiveNeed::everybody;
    if (everybody || need == CollectiveNeed::lower) add_after(ends, kNever, result, earlier);
    if (everybody) add_before(ends, kNever, result, earlier);
    return result;
}

}  // namespace tracefold
