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

/// The current call of a location, for the watchdog: written by the calling thread, read by
/// another. Cost: a few plain stores per call.
class CallInFlight {
  public:
    /// The blocking operation of a call: the first message, collective or request in its records.
    struct Snapshot {
        u64 index = 0;
        MpiFunction function = MpiFunction::other;
        bool acts = false;  ///< the following members are set
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

    /// Index of the current call; kIdle between calls.
    [[nodiscard]] u64 index() const { return index_.load(std::memory_order_acquire); }
    /// Precondition: the call does not end meanwhile.
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

/// A thread that monitors the locations of this process and gives up when one stays in the same
/// call for too long. Every process has one, to report its own blocking call.
class Watchdog {
  public:
    struct Options {
        double seconds = 0;  ///< 0: no watchdog
        u32 rank = 0;
        /// Communicators by name, for messages.
        std::function<std::string(u64 comm)> communicator_name;
        std::function<void(const std::string& sentence)> report;
        /// Ends all processes, after a delay for the reports of the others.
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
    std::vector<u64> seen_;   ///< by location: index of its call
    std::vector<u64> since_;  ///< by location: time of its first sighting, in nanoseconds
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace tracefold
