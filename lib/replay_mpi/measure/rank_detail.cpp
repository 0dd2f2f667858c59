// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/measure/rank_detail.hpp"

#include <algorithm>

namespace tracefold {

namespace {

bool is_slower(const RankDetail& a, const RankDetail& b) {
    return a.replayed.wall != b.replayed.wall ? a.replayed.wall > b.replayed.wall : a.rank < b.rank;
}

}  // namespace

void RankSelection::add(RankDetail detail) {
    ranks_.push_back(std::move(detail));
    shorten();
}

void RankSelection::merge(const RankSelection& other) {
    ranks_.insert(ranks_.end(), other.ranks_.begin(), other.ranks_.end());
    shorten();
}

/// Keeps the ranks below the limit, and as many of the slowest ones.
void RankSelection::shorten() {
    const auto by_rank = [](const RankDetail& a, const RankDetail& b) { return a.rank < b.rank; };
    if (ranks_.size() > limit_) {
        std::sort(ranks_.begin(), ranks_.end(), is_slower);
        const auto rest = ranks_.begin() + static_cast<std::ptrdiff_t>(limit_);
        ranks_.erase(std::remove_if(rest, ranks_.end(),
                                    [this](const RankDetail& d) { return d.rank >= limit_; }),
                     ranks_.end());
    }
    std::sort(ranks_.begin(), ranks_.end(), by_rank);
}

}  // namespace tracefold
