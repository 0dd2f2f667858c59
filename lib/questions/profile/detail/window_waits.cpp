// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/window_waits.hpp"

#include "mpi/collective_instances.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tracefold {

namespace {

/// Whether the call was open at a time, and may have waited for an event then.
bool is_open_at(const WindowCall& call, u64 time) { return call.begin < time && time <= call.end; }

}  // namespace

void AccessEpochs::access(u64 window, const WindowCall& call) {
    const auto found = epochs_.find(window);
    if (found != epochs_.end()) found->second.push_back({call, 0});
}

void AccessEpochs::exposed(u64 window, u32 target, u64 time) {
    for (Held& held : epochs_[window]) {
        const bool concerned = held.call.target == kNone || held.call.target == target;
        if (concerned && is_open_at(held.call, time)) held.until = std::max(held.until, time);
    }
}

void AccessEpochs::complete(u64 window, const Book& book) {
    for (const Held& held : epochs_[window]) {
        if (held.until != 0) book(held.call, held.until);
    }
    epochs_.erase(window);
}

void WindowLocks::request(u64 window, u32 target, bool exclusive, const WindowCall& call) {
    open_.push_back({window, call.caller, target, exclusive, {call}});
}

void WindowLocks::call(u64 window, const WindowCall& call) {
    for (Epoch& epoch : open_) {
        if (epoch.caller != call.caller || epoch.window != window) continue;
        const bool concerned =
            call.target == kNone || epoch.target == kNone || call.target == epoch.target;
        if (concerned && epoch.calls.back().begin < call.begin) epoch.calls.push_back(call);
    }
}

void WindowLocks::release(u64 window, u32 target, const WindowCall& call) {
    const auto found = std::ranges::find_if(open_, [&](const Epoch& epoch) {
        return epoch.caller == call.caller && epoch.window == window && epoch.target == target;
    });
    if (found == open_.end()) return;
    if (found->calls.back().begin < call.begin) found->calls.push_back(call);
    closed_.push_back(std::move(*found));
    open_.erase(found);
}

/// Whether two epochs could not share a lock. The epoch that ends first held the lock first.
bool WindowLocks::excludes(const Epoch& holder, const Epoch& waiter) {
    if (holder.caller == waiter.caller || holder.window != waiter.window) return false;
    const bool same =
        holder.target == waiter.target || holder.target == kNone || waiter.target == kNone;
    if (!same || (!holder.exclusive && !waiter.exclusive)) return false;
    return holder.end() <= waiter.end() && holder.released() > waiter.begin();
}

void WindowLocks::book_waits(const Epoch& waiter) const {
    std::vector<u64> until(waiter.calls.size(), 0);
    const auto look_at = [&](const Epoch& holder) {
        if (!excludes(holder, waiter)) return;
        for (std::size_t i = 0; i < until.size(); ++i) {
            const bool held_up = is_open_at(waiter.calls[i], holder.released());
            if (held_up) until[i] = std::max(until[i], holder.released());
        }
    };
    for (const Epoch& holder : past_) look_at(holder);
    for (const Epoch& holder : closed_) look_at(holder);
    for (std::size_t i = 0; i < until.size(); ++i) {
        if (until[i] != 0) book_(waiter.calls[i], until[i]);
    }
}

void WindowLocks::settle(u64 time) {
    for (const Epoch& epoch : closed_) {
        if (epoch.end() <= time) book_waits(epoch);
    }
    const auto waiting = std::stable_partition(
        closed_.begin(), closed_.end(), [time](const Epoch& epoch) { return epoch.end() <= time; });
    std::move(closed_.begin(), waiting, std::back_inserter(past_));
    closed_.erase(closed_.begin(), waiting);
    forget(time);
}

/// Removes past epochs that cannot delay any pending epoch.
void WindowLocks::forget(u64 time) {
    u64 first = time;
    for (const Epoch& epoch : open_) first = std::min(first, epoch.begin());
    for (const Epoch& epoch : closed_) first = std::min(first, epoch.begin());
    std::erase_if(past_, [first](const Epoch& epoch) { return epoch.released() <= first; });
}

std::string_view wait_name(WaitKind kind) {
    constexpr std::array<std::string_view, kWaitKinds> kNames = {
        "late_sender",   "late_receiver", "barrier",  "all_to_all", "communicator",
        "late_root",     "early_root",    "prefix",   "fence",      "late_post",
        "late_complete", "late_unlock",   "finalize", "wrong_order"};
    return kNames[static_cast<std::size_t>(kind)];
}

WaitKind collective_wait(CollectiveKind kind) {
    if (kind == CollectiveKind::barrier) return WaitKind::barrier;
    if (creates_handle(kind) || destroys_handle(kind)) return WaitKind::communicator;
    switch (collective_need(kind)) {
        case CollectiveNeed::root:
            return WaitKind::late_root;
        case CollectiveNeed::members:
            return WaitKind::early_root;
        case CollectiveNeed::lower:
            return WaitKind::prefix;
        default:
            return WaitKind::all_to_all;
    }
}

}  // namespace tracefold
