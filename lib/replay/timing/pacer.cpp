// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/timing/pacer.hpp"

#include "base/mpi.hpp"

#include <algorithm>
#include <ctime>
#include <numeric>

#include <sched.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tracefold {

u64 CycleClock::of_system() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<u64>(time.tv_sec) * 1'000'000'000U + static_cast<u64>(time.tv_nsec);
}

#if defined(__x86_64__)

namespace {

constexpr u64 kComparison = 4'000'000;  ///< nanoseconds; both ends are accurate to about 10 ns
constexpr int kTries = 16;

/// One time by both clocks.
struct TimePoint {
    u64 cycle = 0;
    u64 time = 0;
};

/// Takes the fastest of several readings.
TimePoint read_both() {
    TimePoint best;
    u64 shortest = ~u64{0};
    for (int i = 0; i < kTries; ++i) {
        const u64 before = CycleClock::of_system();
        const u64 cycle = __builtin_ia32_rdtsc();
        const u64 took = CycleClock::of_system() - before;
        if (took >= shortest) continue;
        shortest = took;
        best = {cycle, before + took / 2};
    }
    return best;
}

/// True if the counter has a constant rate in all core states.
bool counter_is_invariant() {
    constexpr unsigned kPowerLeaf = 0x80000007U;
    constexpr unsigned kInvariant = 1U << 8U;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(kPowerLeaf, &a, &b, &c, &d) != 0 && (d & kInvariant) != 0;
}

}  // namespace

CycleClock::CycleClock() {
    if (!counter_is_invariant()) return;
    const TimePoint begin = read_both();
    while (of_system() < begin.time + kComparison) {
    }
    const TimePoint end = read_both();
    if (end.cycle <= begin.cycle) return;
    first_cycle_ = begin.cycle;
    first_ = begin.time;
    rate_ =
        static_cast<double>(end.time - begin.time) / static_cast<double>(end.cycle - begin.cycle);
}

#else

CycleClock::CycleClock() = default;

#endif

u64 clock_resolution() {
    constexpr int kReadings = 1000;
    u64 smallest = ~u64{0};
    for (int i = 0; i < kReadings; ++i) {
        const u64 before = clock_now();
        u64 after = before;
        while (after == before) after = clock_now();
        smallest = std::min(smallest, after - before);
    }
    return smallest;
}

namespace {

constexpr int kRoundTrips = 8;
constexpr int kTag = 0;
constexpr u64 kLead = 2'000'000;  ///< nanoseconds
constexpr u64 kLeadPerProcess = 1'000;

u64 receive_time(int from, MPI_Comm comm) {
    u64 time = 0;
    check_mpi(PMPI_Recv(&time, 1, MPI_UINT64_T, from, kTag, comm, MPI_STATUS_IGNORE), "MPI_Recv");
    return time;
}

void send_time(u64 time, int to, MPI_Comm comm) {
    check_mpi(PMPI_Send(&time, 1, MPI_UINT64_T, to, kTag, comm), "MPI_Send");
}

void answer(int rank, MPI_Comm comm) {
    for (int i = 0; i < kRoundTrips; ++i) {
        receive_time(rank, comm);
        send_time(clock_now(), rank, comm);
    }
}

/// Offset of the own clock to rank 0's; the fastest round trip is the most accurate.
u64 distance_to_root(MPI_Comm comm) {
    u64 fastest = ~u64{0};
    u64 distance = 0;
    for (int i = 0; i < kRoundTrips; ++i) {
        const u64 sent = clock_now();
        send_time(sent, 0, comm);
        const u64 root = receive_time(0, comm);
        const u64 received = clock_now();
        if (received - sent < fastest) {
            fastest = received - sent;
            distance = sent + fastest / 2 - root;
        }
    }
    return distance;
}

}  // namespace

u64 agree_on_start(MPI_Comm comm) {
    int rank = 0;
    int size = 0;
    check_mpi(PMPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    check_mpi(PMPI_Comm_size(comm, &size), "MPI_Comm_size");
    u64 distance = 0;
    if (rank == 0) {
        for (int other = 1; other < size; ++other) answer(other, comm);
    } else {
        distance = distance_to_root(comm);
    }
    check_mpi(PMPI_Barrier(comm), "MPI_Barrier");
    u64 start = clock_now() + kLead + static_cast<u64>(size) * kLeadPerProcess;
    check_mpi(PMPI_Bcast(&start, 1, MPI_UINT64_T, 0, comm), "MPI_Bcast");
    return start + distance;
}

void wait_until(u64 moment) {
    while (clock_now() < moment) {
    }
}

namespace {

/// Typical delay of a wake-up.
constexpr u64 kSleepMargin = 80'000;

void sleep_for(u64 nanoseconds) {
    const timespec time{static_cast<time_t>(nanoseconds / 1'000'000'000U),
                        static_cast<long>(nanoseconds % 1'000'000'000U)};
    nanosleep(&time, nullptr);
}

}  // namespace

u64 Pacer::wait_until(u64 target) const {
    u64 now = clock_now();
    while (now < target) {
        if (options_.sleep) {
            if (target - now > kSleepMargin) {
                sleep_for(target - now - kSleepMargin);
            } else {
                sched_yield();
            }
        }
        now = clock_now();
    }
    return now;
}

ThreadOrder::ThreadOrder(std::vector<Life> lives)
    : lives_(std::move(lives)), by_end_(lives_.size()), states_(lives_.size()) {
    std::iota(by_end_.begin(), by_end_.end(), std::size_t{0});
    std::stable_sort(by_end_.begin(), by_end_.end(), [this](std::size_t a, std::size_t b) {
        return lives_[a].end < lives_[b].end;
    });
    reset();
}

void ThreadOrder::reset() {
    for (std::size_t i = 0; i < states_.size(); ++i) {
        states_[i].reset(lives_[i].begin);
    }
}

void ThreadOrder::State::reset(u64 position) {
    position_.store(position);
    awaited_.store(kEnded);
    started = false;
    ended = 0;
}

/// Both atomics are sequentially consistent: advance() sees the awaited tick, or the waiter sees
/// the new position.
void ThreadOrder::State::wait_beyond(u64 tick) {
    if (position_.load() > tick) return;
    std::unique_lock guard(mutex_);
    while (true) {
        awaited_.store(std::min(awaited_.load(), tick));
        if (position_.load() > tick) return;
        advanced_.wait(guard);
    }
}

void ThreadOrder::State::wake() {
    const std::lock_guard guard(mutex_);
    awaited_.store(kEnded);
    advanced_.notify_all();
}

void ThreadOrder::wait(std::size_t thread, u64 tick) {
    State& state = states_[thread];
    if (!state.started) {
        for (std::size_t other = 0; other < states_.size(); ++other) {
            if (other != thread) states_[other].wait_beyond(tick);
        }
        state.started = true;
    }
    for (; state.ended < by_end_.size() && end_of(state.ended) <= tick; ++state.ended) {
        if (by_end_[state.ended] != thread) states_[by_end_[state.ended]].wait_beyond(kEnded - 1);
    }
}

}  // namespace tracefold
