// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/rank_detail.hpp"

#include <algorithm>

namespace tracefold {

void SizedCalls::Times::merge(const Times& other) {
    calls += other.calls;
    bytes += other.bytes;
    nanoseconds += other.nanoseconds;
    shortest = std::min(shortest, other.shortest);
    durations.resize(std::max(durations.size(), other.durations.size()));
    for (std::size_t i = 0; i < other.durations.size(); ++i) durations[i] += other.durations[i];
}

double SizedCalls::Times::median() const {
    const double half = static_cast<double>(calls) / 2;
    double before = 0;
    for (std::size_t i = 0; i < durations.size(); ++i) {
        const double here = durations[i];
        if (before + here < half || here == 0) {
            before += here;
            continue;
        }
        const std::size_t power = i < 2 * kSteps ? 0 : i / kSteps - 1;
        const double width = static_cast<double>(u64{1} << power);
        const double low = static_cast<double>(i - power * kSteps) * width;
        return std::max(low + width * (half - before) / here, static_cast<double>(shortest));
    }
    return 0;
}

void SizedCalls::clear() {
    for (Row& row : rows_) {
        for (Times& times : row) {
            std::vector<u32> durations = std::move(times.durations);
            std::ranges::fill(durations, 0);
            times = {};
            times.durations = std::move(durations);
        }
    }
}

std::vector<MeasuredCalls> SizedCalls::measured() const {
    constexpr double kNanosecond = 1e-9;
    std::vector<MeasuredCalls> all;
    for (std::size_t f = 0; f < kMpiFunctions; ++f) {
        const Row* row = find(static_cast<MpiFunction>(f));
        if (row == nullptr) continue;
        for (std::size_t i = 0; i < row->size(); ++i) {
            const Times& times = (*row)[i];
            if (times.calls == 0) continue;
            all.push_back({static_cast<MpiFunction>(f), MeasuredSizes::lower_bound(i), times.calls,
                           times.bytes, static_cast<double>(times.nanoseconds) * kNanosecond,
                           static_cast<double>(times.shortest) * kNanosecond,
                           times.median() * kNanosecond});
        }
    }
    return all;
}

SizedCalls::Row& SizedCalls::times(MpiFunction function) {
    u16& row = row_of_[static_cast<std::size_t>(function)];
    if (row == 0) {
        rows_.emplace_back();
        row = static_cast<u16>(rows_.size());
    }
    return rows_[row - std::size_t{1}];
}

void SizedCalls::merge(const SizedCalls& other) {
    for (std::size_t f = 0; f < kMpiFunctions; ++f) {
        const Row* more = other.find(static_cast<MpiFunction>(f));
        if (more == nullptr) continue;
        Row& mine = times(static_cast<MpiFunction>(f));
        for (std::size_t i = 0; i < mine.size(); ++i) mine[i].merge((*more)[i]);
    }
}

void Traffic::add(const MpiCall& call) {
    for (const Action& action : call.actions) {
        const bool collective = action.kind == Action::Kind::collective ||
                                (action.kind == Action::Kind::post_collective && action.known);
        if (action.kind == Action::Kind::send) add_message(action.envelope);
        if (collective && is_communication(action.part.kind)) collectives_.add(action.part.sent);
    }
}

void Traffic::add_message(const Envelope& envelope) {
    messages_.add(envelope.bytes);
    const CommunicatorView* view = table_.find(envelope.comm);
    if (view == nullptr) return;
    const std::span<const u64> ranks = view->peers();
    if (envelope.peer >= ranks.size()) return;
    Messages& messages = peers_[ranks[envelope.peer]];
    ++messages.count;
    messages.bytes += envelope.bytes;
}

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
