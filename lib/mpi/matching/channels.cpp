// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/channels.hpp"

namespace tracefold {

namespace {

constexpr std::size_t kMostKept = 4;  ///< capacity that an empty queue keeps

}  // namespace

void Channels::Queue::pop_front() {
    ++first_;
    if (first_ == runs_.size()) {
        forget();
    } else if (2 * first_ > runs_.size()) {
        runs_.erase(runs_.begin(), runs_.begin() + static_cast<long>(first_));
        first_ = 0;
    }
}

void Channels::Queue::pop_back() {
    runs_.pop_back();
    if (first_ == runs_.size()) forget();
}

void Channels::Queue::forget() {
    first_ = 0;
    runs_.clear();
    if (runs_.capacity() > kMostKept) runs_.shrink_to_fit();
}

Channels::Numbers& Channels::of_rank(std::vector<Numbers>& all, u32 rank) {
    if (rank >= all.size()) all.resize(rank + std::size_t{1});
    return all[rank];
}

u32 Channels::find(const Key& key, bool sends) {
    if (sends) {
        Numbers& sent = of_rank(sent_, key.source);
        const End end{key.comm, key.destination, key.tag};
        if (const u32* const known = sent.find(end)) return *known;
        return sent[end] = find(key, false);
    }
    const auto [number, fresh] =
        of_rank(received_, key.destination)
            .try_emplace({key.comm, key.source, key.tag}, static_cast<u32>(channels_.size()));
    if (fresh) channels_.emplace_back().key = key;
    return *number;
}

/// Runs consist of equal ends whose calls are equidistant.
void Channels::append(Channel& channel, const Run& end, bool merge) {
    if (merge && !channel.waiting.empty()) {
        Run& last = channel.waiting.back();
        const u64 distance = end.first.index - last.first.index - (last.count - 1) * last.stride;
        const bool alike = last.bytes == end.bytes && last.first.walker == end.first.walker &&
                           last.first.action == end.first.action;
        if (alike && (last.count == 1 || last.stride == distance)) {
            last.stride = distance;
            ++last.count;
            return;
        }
    }
    channel.waiting.push_back(end);
}

/// Removes the first unmatched end, as a run of one.
Channels::Run Channels::take(Channel& channel) {
    Run& front = channel.waiting.front();
    Run one = front;
    one.count = 1;
    front.first.index += front.stride;
    if (--front.count == 0) channel.waiting.pop_front();
    return one;
}

bool Channels::send(u32 number, u64 bytes, CallPlace place, u64 time, bool merge, Match& match) {
    Channel& channel = channels_[number];
    if (channel.sent++ >= channel.posted) {
        ++outstanding_;
        append(channel, {bytes, 1, place, 0, time}, merge);
        return false;
    }
    const Run receive = take(channel);
    match = {bytes, receive.bytes, place, receive.first};
    return true;
}

bool Channels::post(u32 number, u64 bytes, CallPlace place, Match& match) {
    Channel& channel = channels_[number];
    if (channel.posted++ >= channel.sent) {
        append(channel, {bytes, 1, place, 0, 0}, true);
        return false;
    }
    --outstanding_;
    const Run message = take(channel);
    match = {message.bytes, bytes, message.first, place};
    return true;
}

void Channels::retract(u32 number) {
    Channel& channel = channels_[number];
    if (!channel.has_messages()) return;
    --channel.sent;
    --outstanding_;
    if (--channel.waiting.back().count == 0) channel.waiting.pop_back();
}

}  // namespace tracefold
