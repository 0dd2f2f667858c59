// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <csignal>
#include <functional>
#include <string>
#include <thread>

namespace tracefold {

/// How a process ends by a signal.
struct InterruptedEnd {
    int signal = 0;
    bool forwarded = false;  ///< by another rank, see forward_to_siblings()
    std::string sentence;    ///< empty if another reason was reported before
};

/// During its lifetime, SIGINT, SIGTERM and SIGHUP end the process only after all temporary files
/// and folders are removed (base/temporary.hpp) and `at_end` was called; then the process dies of
/// the signal. A signal after publication of outputs is ignored. A second signal ends the process
/// immediately; signals that other ranks forwarded do not count. One instance at a time, created in
/// the main thread.
class Interruption {
  public:
    explicit Interruption(std::function<void(const InterruptedEnd&)> at_end);
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    /// Does not return if a signal has arrived.
    ~Interruption();

    /// Blocks if a signal has arrived: suppresses reports of its consequences.
    static void wait_if_ending();

    /// Blocks if a signal has arrived; call before reporting another reason for the end. Later
    /// signals, as from a launcher that ends a failed job, are not reported.
    static void begin_reason();

  private:
    static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

    void watch();
    void end_by(int signal, bool forwarded);

    std::function<void(const InterruptedEnd&)> at_end_;
    std::array<struct sigaction, kSignals.size()> before_{};
    std::thread watcher_;
};

/// Forwards a signal to all processes of the same program and parent: the other ranks of a job on
/// this node. sigqueue(3) marks it as forwarded. Cost: reads all of /proc.
void forward_to_siblings(int signal);

}  // namespace tracefold
