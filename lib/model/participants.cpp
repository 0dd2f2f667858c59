// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/participants.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tracefold {

namespace {

ParticipantList list_of_rising(const std::vector<u32>& members) {
    ParticipantList list;
    for (const u32 member : members) list.add(member);
    return list;
}

}  // namespace

ParticipantList::ParticipantList(std::vector<u32> members) {
    std::sort(members.begin(), members.end());
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (i == 0 || members[i] != members[i - 1]) append(members[i]);
    }
}

/// Precondition: `member` is larger than every member.
void ParticipantList::append(u32 member) {
    if (!runs_.empty()) {
        Run& run = runs_.back();
        if (run.count == 1) run.stride = member - run.start;
        if (member - run.last() == run.stride) {
            ++run.count;
            return;
        }
    }
    runs_.push_back({member, 1, 1});
}

void ParticipantList::append(Run run) {
    // A few members later, the canonical form has a run of this stride.
    while (run.count > 0) {
        append(run.start);
        run.start += run.stride;
        --run.count;
        if (runs_.back().count > 1 && runs_.back().stride == run.stride) break;
    }
    runs_.back().count += run.count;
}

void ParticipantList::add(u32 member) {
    if (runs_.empty() || runs_.back().last() < member) {
        append(member);
    } else if (!contains(member)) {
        std::vector<u32> all = members();
        all.push_back(member);
        *this = ParticipantList(std::move(all));
    }
}

void ParticipantList::unite(const ParticipantList& other) {
    if (other.empty() || *this == other) return;
    if (empty() || runs_.back().last() < other.first()) {
        for (const Run& run : other.runs_) append(run);
        return;
    }
    const std::vector<u32> mine = members();
    const std::vector<u32> more = other.members();
    std::vector<u32> all;
    all.reserve(mine.size() + more.size());
    std::set_union(mine.begin(), mine.end(), more.begin(), more.end(), std::back_inserter(all));
    *this = list_of_rising(all);
}

ParticipantList ParticipantList::difference(const ParticipantList& other) const {
    const std::vector<u32> mine = members();
    const std::vector<u32> theirs = other.members();
    std::vector<u32> rest;
    std::set_difference(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                        std::back_inserter(rest));
    return list_of_rising(rest);
}

u64 ParticipantList::size() const {
    u64 total = 0;
    for (const Run& run : runs_) total += run.count;
    return total;
}

std::vector<ParticipantList::Run>::const_iterator ParticipantList::run_of(u32 member) const {
    // Runs are disjoint and rising, since each covers consecutive sorted members.
    const auto after = std::upper_bound(runs_.begin(), runs_.end(), member,
                                        [](u32 m, const Run& run) { return m < run.start; });
    if (after == runs_.begin()) return runs_.end();
    const auto run = std::prev(after);
    const bool has = member <= run->last() && (member - run->start) % run->stride == 0;
    return has ? run : runs_.end();
}

std::vector<u32> ParticipantList::members() const {
    std::vector<u32> all;
    all.reserve(size());
    for (const Run& run : runs_) {
        for (u32 i = 0; i < run.count; ++i) all.push_back(run.start + i * run.stride);
    }
    return all;
}

void ParticipantWalk::take(u64 count, ParticipantList& to) {
    while (count > 0) {
        const ParticipantList::Run& run = runs_[run_];
        const auto part = static_cast<u32>(std::min<u64>(count, run.count - done_));
        to.append({run.start + run.stride * done_, run.stride, part});
        advance(part);
        count -= part;
    }
}

ParticipantPlaces::ParticipantPlaces(ParticipantList list) : list_(std::move(list)) {
    before_.reserve(list_.runs_.size());
    for (const ParticipantList::Run& run : list_.runs_) {
        before_.push_back(static_cast<u32>(size_));
        size_ += run.count;
    }
}

u32 ParticipantPlaces::place(u32 member) const {
    const auto run = list_.run_of(member);
    if (run == list_.runs_.end()) return kNone;
    return before_[static_cast<std::size_t>(run - list_.runs_.begin())] +
           (member - run->start) / run->stride;
}

}  // namespace tracefold
