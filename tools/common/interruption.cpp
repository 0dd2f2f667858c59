// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/interruption.hpp"

#include "core/error.hpp"

#include <atomic>

namespace tracefold {

namespace {

std::atomic<int> noted = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a handler of signals writes it");

void note(int signal) { noted = signal; }

}  // namespace

Interruption::Interruption() {
    noted = 0;
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], nullptr, &before_[i]);
        // What is ignored, as under nohup, stays ignored.
        if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
    }
}

Interruption::~Interruption() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], &before_[i], nullptr);
    }
    if (noted != 0) std::raise(noted);
}

void Interruption::check() const {
    if (noted != 0) throw Error(ErrorKind::io, "interrupted by a signal");
}

}  // namespace tracefold
