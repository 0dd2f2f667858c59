// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/detail/watchdog.hpp"

#include "base/parallel.hpp"
#include "replay/timing/pacer.hpp"

#include <algorithm>
#include <chrono>

namespace tracefold {

namespace {

constexpr double kNanoseconds = 1e9;

std::string seconds_text(double seconds) {
    std::string text = std::to_string(seconds);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text + " s";
}

}  // namespace

Watchdog::Watchdog(Options options, std::vector<const CallInFlight*> calls)
    : options_(std::move(options)),
      calls_(std::move(calls)),
      seen_(calls_.size(), CallInFlight::kIdle),
      since_(calls_.size(), clock_now()) {
    if (options_.seconds > 0) thread_ = start_thread([this] { watch(); });
}

Watchdog::~Watchdog() {
    {
        const std::lock_guard guard(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Watchdog::watch() {
    const std::chrono::duration<double> pause(std::min(options_.seconds / 8, 1.0));
    std::unique_lock guard(mutex_);
    while (!wake_.wait_for(guard, pause, [this] { return stop_; })) {
        if (!look()) continue;
        // Other processes get stuck later.
        const std::chrono::duration<double> grace(std::min(options_.seconds / 2, 2.0));
        wake_.wait_for(guard, grace, [this] { return stop_; });
        if (!stop_) options_.give_up();
        return;
    }
}

bool Watchdog::look() {
    bool stuck = false;
    const u64 now = clock_now();
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        const u64 index = calls_[i]->index();
        if (index != seen_[i] || index == CallInFlight::kIdle) {
            seen_[i] = index;
            since_[i] = now;
        } else if (static_cast<double>(now - since_[i]) > options_.seconds * kNanoseconds) {
            options_.report(sentence(calls_[i]->snapshot()));
            stuck = true;
        }
    }
    return stuck;
}

std::string Watchdog::sentence(const CallInFlight::Snapshot& call) const {
    std::string text = "rank " + std::to_string(options_.rank) + " waits for " +
                       seconds_text(options_.seconds) + " in " +
                       std::string(name_of(call.function)) + ", call " +
                       std::to_string(call.index) + " of its trace";
    if (!call.acts) return text;
    if (call.request != kNoRequest) text += ", request " + std::to_string(call.request);
    if (call.comm == kNone) return text;
    const bool message = call.kind == Action::Kind::send || call.kind == Action::Kind::receive ||
                         call.kind == Action::Kind::probe ||
                         call.kind == Action::Kind::complete_receive ||
                         call.kind == Action::Kind::post_receive;
    if (message) {
        const bool sends = call.kind == Action::Kind::send;
        text += (sends ? ", for rank " : ", for a message of rank ") + std::to_string(call.peer) +
                ", tag " + std::to_string(call.tag);
    }
    return text + ", communicator " + options_.communicator_name(call.comm);
}

}  // namespace tracefold
