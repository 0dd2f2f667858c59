// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "common/console.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace tracefold {

/// A progress line on standard error: "folding  45 %, 12.4 M of 27.5 M events, 8.1 M events/s".
/// Updated at most ten times a second on a terminal, every five seconds elsewhere; erased at the
/// end. Cost: one clock read per call, so call it per batch. Not thread-safe.
class Progress {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;
    using Clock = std::function<TimePoint()>;

    /// TOTAL is 0 if unknown. Keeps a reference to the console.
    Progress(Console& console, std::string label, u64 total, std::string unit = "events",
             Clock clock = std::chrono::steady_clock::now);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Adds finished units.
    void advance(u64 units) { set(done_ + units); }

    /// Sets the number of finished units.
    void set(u64 done);

  private:
    [[nodiscard]] std::string line(TimePoint now) const;

    Console& console_;
    std::string label_;
    std::string unit_;
    u64 total_;
    u64 done_ = 0;
    Clock clock_;
    bool wanted_;
    std::chrono::milliseconds interval_;
    TimePoint start_;
    TimePoint next_;
};

}  // namespace tracefold
