// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tracefold {

/// The call that a location is in, for the watchdog: written by the thread that calls, read by
/// another. Cost: a few plain stores per call.
class CallInFlight {
  public:
    /// What a call waits for: the first message, collective or request in its records.
    struct Snapshot {
        u64 index = 0;
        MpiFunction function = MpiFunction::other;
        bool acts = false;  ///< the rest is known
        Action::Kind kind{};
        u64 comm = kNone;
        u32 peer = 0;
        u32 tag = 0;
        u64 request = kNoRequest;
    };

    void begin(const MpiCall& call) {
        function_.store(call.function, std::memory_order_relaxed);
        acts_.store(!call.actions.empty(), std::memory_order_relaxed);
        if (!call.actions.empty()) {
            const Action& action = call.actions.front();
            const bool message = action.envelope.comm != kNone;
            kind_.store(action.kind, std::memory_order_relaxed);
            comm_.store(message ? action.envelope.comm : action.part.comm,
                        std::memory_order_relaxed);
            peer_.store(action.envelope.peer, std::memory_order_relaxed);
            tag_.store(action.envelope.tag, std::memory_order_relaxed);
            request_.store(action.request, std::memory_order_relaxed);
        }
        index_.store(call.index, std::memory_order_release);
    }
    void end() { index_.store(kIdle, std::memory_order_release); }

    /// Number of the call that the location is in; kIdle between calls.
    [[nodiscard]] u64 index() const { return index_.load(std::memory_order_acquire); }
    /// Of a call that does not end while it is looked at.
    [[nodiscard]] Snapshot snapshot() const {
        return {index(),      function_.load(), acts_.load(), kind_.load(),
                comm_.load(), peer_.load(),     tag_.load(),  request_.load()};
    }

    static constexpr u64 kIdle = ~u64{0};

  private:
    std::atomic<u64> index_{kIdle};
    std::atomic<MpiFunction> function_{MpiFunction::other};
    std::atomic<bool> acts_{false};
    std::atomic<Action::Kind> kind_{};
    std::atomic<u64> comm_{kNone};
    std::atomic<u32> peer_{0};
    std::atomic<u32> tag_{0};
    std::atomic<u64> request_{kNoRequest};
};

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
