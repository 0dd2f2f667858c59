// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <csignal>

namespace tracefold {

/// While this exists, SIGINT, SIGTERM and SIGHUP do not end the process at once, so that temporary
/// files can be removed: check() throws, and the destructor passes the signal on. A second signal
/// ends the process. One at a time, in the main thread.
class Interruption {
  public:
    Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    ~Interruption();

    /// Throws Error(io) if there was a signal. Cost: looks at a variable; any thread may call it.
    void check() const;

  private:
    static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

    std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace tracefold
