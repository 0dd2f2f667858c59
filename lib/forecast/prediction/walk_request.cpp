// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/walk_request.hpp"

#include "questions/profile/trace_profile.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold {

i64 PathSpeeds::of(u32 node, i64 time) {
    const std::size_t place = node == kNone ? 0 : std::size_t{node} + 1;
    while (known_.size() <= place) {
        const u32 next = known_.empty() ? kNone : static_cast<u32>(known_.size() - 1);
        known_.push_back(speed_(path_of(definitions_, tree_, next)));
    }
    if (known_[place] == 1) return time;
    return static_cast<i64>(std::llround(static_cast<double>(time) / known_[place]));
}

ComputationPaths::ComputationPaths(TraceFile& file, u32 location, u32 number, Times times,
                                   CallTree& tree, TraceThreads& threads) {
    if (has_mpi_regions_only(file, location)) {
        nodes_.emplace(file, location, number, tree, threads);
        here_ = nodes_->program();
    } else {
        walk_.emplace(file, location, number, times, tree, threads);
    }
}

const ComputationPaths::Call& ComputationPaths::next(const MpiCall& call) {
    if (walk_) return next_of_walk();
    if (started_ && call.begin > last_) add(here_, call.begin - last_);
    started_ = true;
    last_ = call.end;
    return call_ = {nodes_->of(call.region), call.begin, std::max(call.begin, call.end)};
}

const ComputationPaths::Call& ComputationPaths::next_of_walk() {
    if (!seek(true)) return call_ = {};
    call_ = {here_, last_, last_};
    seek(false);
    call_.end = std::max(call_.begin, last_);
    return call_;
}

bool ComputationPaths::seek(bool in_call) {
    while (walk_->next()) {
        const u64 time = walk_->head().time;
        if (in_call && started_ && time > last_) add(here_, time - last_);
        started_ = true;
        last_ = time;
        here_ = walk_->here();
        if (walk_->in_call_of_location() == in_call) return true;
    }
    return false;
}

void ComputationPaths::add(u32 node, u64 ticks) {
    if (!parts_.empty() && parts_.back().node == node) {
        parts_.back().ticks += ticks;
        return;
    }
    const std::size_t place = node == kNone ? 0 : std::size_t{node} + 1;
    if (place >= part_of_.size()) part_of_.resize(place + 1, kNone);
    if (part_of_[place] == kNone) {
        part_of_[place] = static_cast<u32>(parts_.size());
        parts_.push_back({node, 0});
    }
    parts_[part_of_[place]].ticks += ticks;
}

void ComputationPaths::clear() {
    for (const Part& part : parts_) part_of_[part.node == kNone ? 0 : part.node + 1] = kNone;
    parts_.clear();
}

}  // namespace tracefold
