// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay_mpi/call_in_flight.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tracefold {

/// A thread that looks at what the locations of this process are doing, and gives up when one stays
/// in the same call for too long. Every process has one, so each says what it waits for itself.
class Watchdog {
  public:
    struct Options {
        double seconds = 0;  ///< 0: nobody watches
        u32 rank = 0;
        /// Communicators by name, for messages.
        std::function<std::string(u64 comm)> communicator_name;
        std::function<void(const std::string& sentence)> report;
        /// Ends all processes, after the others had time for their reports.
        std::function<void()> give_up;
    };

    /// The calls must outlive the watchdog.
    Watchdog(Options options, std::vector<const CallInFlight*> calls);
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog();

  private:
    void watch();
    /// True if one of the calls has taken too long.
    bool look();
    [[nodiscard]] std::string sentence(const CallInFlight::Snapshot& call) const;

    Options options_;
    std::vector<const CallInFlight*> calls_;
    std::vector<u64> seen_;   ///< per location: index of its call
    std::vector<u64> since_;  ///< and when it was seen first, in nanoseconds
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace tracefold
