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
    std::string sentence;    ///< empty if another reason was told before
};

/// While this exists, SIGINT, SIGTERM and SIGHUP end the process only after all temporary files and
/// folders are removed (base/temporary.hpp) and `at_end` was called; then it
/// dies of the signal. After outputs were published a signal comes too late and is ignored. A
/// second signal ends the process at once; signals that other ranks have handed on do not count.
/// One at a time, made in the main thread.
class Interruption {
  public:
    explicit Interruption(std::function<void(const InterruptedEnd&)> at_end);
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    /// Does not return if a signal has come.
    ~Interruption();

    /// Waits for the end if a signal has come, so that nobody reports what came of it.
    static void wait_if_ending();

    /// The same, before another reason is told why the process ends. Signals that come later, as
    /// from a launcher that ends a failed job, have no sentence.
    static void begin_reason();

  private:
    static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

    void watch();
    void end_by(int signal, bool forwarded);

    std::function<void(const InterruptedEnd&)> at_end_;
    std::array<struct sigaction, kSignals.size()> before_{};
    std::thread watcher_;
};

/// Hands a signal on to all processes that run the same program and have the same parent, which are
/// the other ranks of a job on this node. They get it by sigqueue(3), which tells them that it was
/// handed on. Cost: reads all of /proc.
void forward_to_siblings(int signal);

}  // namespace tracefold
