// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/result_reduction.hpp"

#include "comm/mpi_error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tracefold {

namespace {

/// Reductions to rank 0.
class Reduction {
  public:
    explicit Reduction(MPI_Comm comm) : comm_(comm) {
        check_mpi(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
    }

    [[nodiscard]] int size() const { return size_; }

    template <class Value>
    [[nodiscard]] Value reduce(Value value, MPI_Op operation) const {
        Value result{};
        reduce_all(&value, &result, 1, operation);
        return result;
    }

    void sum(std::vector<u64>& values) const {
        std::vector<u64> result(values.size());
        reduce_all(values.data(), result.data(), values.size(), MPI_SUM);
        values.swap(result);
    }

    [[nodiscard]] Spread spread(double value) const {
        Spread spread;
        spread.minimum = reduce(value, MPI_MIN);
        spread.maximum = reduce(value, MPI_MAX);
        // The deviation needs the mean first: a difference of two large sums has no digits left.
        double mean = 0;
        check_mpi(MPI_Allreduce(&value, &mean, 1, MPI_DOUBLE, MPI_SUM, comm_), "MPI_Allreduce");
        spread.mean = mean / size_;
        const double square = (value - spread.mean) * (value - spread.mean);
        spread.deviation = std::sqrt(reduce(square, MPI_SUM) / size_);
        return spread;
    }

  private:
    void reduce_all(const u64* in, u64* out, std::size_t count, MPI_Op operation) const {
        check_mpi(MPI_Reduce(in, out, static_cast<int>(count), MPI_UINT64_T, operation, 0, comm_),
                  "MPI_Reduce");
    }
    void reduce_all(const double* in, double* out, std::size_t count, MPI_Op operation) const {
        check_mpi(MPI_Reduce(in, out, static_cast<int>(count), MPI_DOUBLE, operation, 0, comm_),
                  "MPI_Reduce");
    }

    MPI_Comm comm_;
    int size_ = 1;
};

TimeSpreads spreads(const Reduction& reduction, double wall, double communication) {
    return {reduction.spread(wall), reduction.spread(communication),
            reduction.spread(wall - communication)};
}

struct FunctionSums {
    std::vector<u64> calls = std::vector<u64>(kMpiFunctions);
    std::vector<u64> sent = calls;
    std::vector<u64> received = calls;
    std::vector<u64> recorded = calls;
    std::vector<u64> replayed = calls;
};

FunctionSums sums_of_rank(const RankReplay& rank) {
    FunctionSums sums;
    for (const LocationReplay& location : rank.locations()) {
        for (std::size_t f = 0; f < kMpiFunctions; ++f) {
            const CallCounter& counter = location.counters()[f];
            sums.calls[f] += counter.calls;
            sums.sent[f] += counter.sent;
            sums.received[f] += counter.received;
            sums.recorded[f] += counter.recorded_ticks;
            sums.replayed[f] += counter.replayed_nanoseconds;
        }
    }
    return sums;
}

/// Seconds in MPI of the rank's own location: threads wait beside each other.
template <class Ticks>
double communication(const RankReplay& rank, const Ticks& ticks) {
    double sum = 0;
    for (const CallCounter& counter : rank.locations()[0].counters()) sum += ticks(counter);
    return sum;
}

}  // namespace

ReplayResult reduce_result(const TraceFile& file, const RankReplay& rank) {
    const Reduction reduction(rank.control());
    const auto repetitions = static_cast<double>(rank.walls().size());
    const double tick = 1.0 / static_cast<double>(file.definitions().timer_resolution());
    const double nanosecond = 1e-9 / repetitions;
    ReplayResult result;
    result.ranks = static_cast<u32>(reduction.size());
    result.has_recorded_times = keeps_every_time(file.summary().timing);

    u64 calls = 0;
    u64 counted = 0;
    u64 left_out = 0;
    for (const LocationReplay& location : rank.locations()) {
        calls += location.calls();
        counted += location.counted();
        for (const auto& [name, count] : location.left_out()) left_out += count;
    }
    result.threads = static_cast<u32>(reduction.reduce(u64{rank.locations().size()}, MPI_SUM));
    result.calls = reduction.reduce(calls, MPI_SUM);
    result.counted = reduction.reduce(counted, MPI_SUM);
    result.left_out = reduction.reduce(left_out, MPI_SUM);
    result.buffer_bytes = reduction.reduce(rank.buffer_bytes(), MPI_MAX);
    for (std::size_t i = 0; i < kInferences; ++i) {
        result.inferences[i] = rank.inferences().of(static_cast<Inference>(i));
    }
    reduction.sum(result.inferences);
    for (const u64 wall : rank.walls()) {
        result.walls.push_back(static_cast<double>(reduction.reduce(wall, MPI_MAX)) * 1e-9);
    }

    const u64 walls = std::accumulate(rank.walls().begin(), rank.walls().end(), u64{0});
    result.replayed =
        spreads(reduction, static_cast<double>(walls) * nanosecond,
                communication(rank, [nanosecond](const CallCounter& counter) {
                    return static_cast<double>(counter.replayed_nanoseconds) * nanosecond;
                }));
    result.recorded =
        spreads(reduction, static_cast<double>(rank.locations()[0].recorded_ticks()) * tick,
                communication(rank, [tick](const CallCounter& counter) {
                    return static_cast<double>(counter.recorded_ticks) * tick;
                }));

    FunctionSums sums = sums_of_rank(rank);
    for (auto* values : {&sums.calls, &sums.sent, &sums.received, &sums.recorded, &sums.replayed}) {
        reduction.sum(*values);
    }
    for (std::size_t f = 0; f < kMpiFunctions; ++f) {
        if (sums.calls[f] == 0) continue;
        result.totals.push_back({static_cast<MpiFunction>(f), sums.calls[f], sums.sent[f],
                                 sums.received[f], static_cast<double>(sums.recorded[f]) * tick,
                                 static_cast<double>(sums.replayed[f]) * nanosecond});
    }
    return result;
}

}  // namespace tracefold
