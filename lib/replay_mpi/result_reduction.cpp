// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/result_reduction.hpp"

#include "comm/mpi_error.hpp"
#include "io/value_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

/// Reductions to rank 0.
class Reduction {
  public:
    explicit Reduction(MPI_Comm comm) : comm_(comm) {
        check_mpi(PMPI_Comm_size(comm, &size_), "MPI_Comm_size");
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
        check_mpi(PMPI_Allreduce(&value, &mean, 1, MPI_DOUBLE, MPI_SUM, comm_), "MPI_Allreduce");
        spread.mean = mean / size_;
        const double square = (value - spread.mean) * (value - spread.mean);
        spread.deviation = std::sqrt(reduce(square, MPI_SUM) / size_);
        return spread;
    }

  private:
    void reduce_all(const u64* in, u64* out, std::size_t count, MPI_Op operation) const {
        check_mpi(PMPI_Reduce(in, out, static_cast<int>(count), MPI_UINT64_T, operation, 0, comm_),
                  "MPI_Reduce");
    }
    void reduce_all(const double* in, double* out, std::size_t count, MPI_Op operation) const {
        check_mpi(PMPI_Reduce(in, out, static_cast<int>(count), MPI_DOUBLE, operation, 0, comm_),
                  "MPI_Reduce");
    }

    MPI_Comm comm_;
    int size_ = 1;
};

TimeSpreads spreads(const Reduction& reduction, const RankTimes& times) {
    return {reduction.spread(times.wall), reduction.spread(times.communication),
            reduction.spread(times.computation())};
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
            sums.sent[f] += counter.volume.sent;
            sums.received[f] += counter.volume.received;
            sums.recorded[f] += counter.recorded_ticks;
            sums.replayed[f] += counter.replayed_nanoseconds;
        }
    }
    return sums;
}

std::vector<RunTimes> run_times(const Reduction& reduction, const RankReplay& rank) {
    constexpr double kNanosecond = 1e-9;
    std::vector<RunTimes> runs;
    for (const RankRun& run : rank.runs()) {
        const double ranks = reduction.size() / kNanosecond;
        RunTimes times;
        times.wall = static_cast<double>(reduction.reduce(run.wall, MPI_MAX)) * kNanosecond;
        times.communication =
            static_cast<double>(reduction.reduce(run.communication, MPI_SUM)) / ranks;
        times.computation =
            static_cast<double>(reduction.reduce(run.wall - run.communication, MPI_SUM)) / ranks;
        runs.push_back(times);
    }
    return runs;
}

Fidelity fidelity(const Reduction& reduction, const RankReplay& rank) {
    Fidelity mine;
    for (const LocationReplay& location : rank.locations()) {
        for (const CallCounter& counter : location.counters()) {
            mine.trace_calls += counter.calls;
            mine.trace_bytes += counter.volume.sent + counter.volume.received;
            mine.issued_calls += counter.issued;
            mine.issued_bytes += counter.issued_volume.sent + counter.issued_volume.received;
        }
    }
    const u64 repetitions = rank.runs().size();
    const double asked = rank.asked_computation();
    const double achieved = rank.replayed_times().computation();
    Fidelity all;
    all.trace_calls = reduction.reduce(mine.trace_calls * repetitions, MPI_SUM);
    all.trace_bytes = reduction.reduce(mine.trace_bytes * repetitions, MPI_SUM);
    all.issued_calls = reduction.reduce(mine.issued_calls, MPI_SUM);
    all.issued_bytes = reduction.reduce(mine.issued_bytes, MPI_SUM);
    all.asked_computation = reduction.reduce(asked, MPI_SUM);
    all.achieved_computation = reduction.reduce(achieved, MPI_SUM);
    const double difference = asked > 0 ? std::abs(achieved - asked) / asked : 0;
    all.worst_difference = reduction.reduce(difference, MPI_MAX);
    return all;
}

}  // namespace

ReplayResult reduce_result(const TraceFile& file, const RankReplay& rank) {
    const Reduction reduction(rank.control());
    const auto repetitions = static_cast<double>(rank.runs().size());
    const double tick = file.definitions().tick_rate().seconds_per_tick();
    const double nanosecond = 1e-9 / repetitions;
    ReplayResult result;
    result.ranks = static_cast<u32>(reduction.size());
    result.has_recorded_times = keeps_every_time(file.summary().timing);

    u64 calls = 0;
    u64 counted = 0;
    u64 left_out = 0;
    u64 communicating = 0;
    u64 issued_communicating = 0;
    for (const LocationReplay& location : rank.locations()) {
        calls += location.calls();
        counted += location.counted();
        for (const auto& [name, count] : location.left_out()) left_out += count;
        communicating += location.communicating();
        issued_communicating += location.issued_communicating();
    }
    result.threads = static_cast<u32>(reduction.reduce(u64{rank.locations().size()}, MPI_SUM));
    result.calls = reduction.reduce(calls, MPI_SUM);
    result.counted = reduction.reduce(counted, MPI_SUM);
    result.left_out = reduction.reduce(left_out, MPI_SUM);
    result.communicating = reduction.reduce(communicating, MPI_SUM);
    result.issued_communicating = reduction.reduce(issued_communicating, MPI_SUM);
    result.buffer_bytes = reduction.reduce(rank.buffer_bytes(), MPI_MAX);
    for (std::size_t i = 0; i < kInferences; ++i) {
        result.inferences[i] = rank.inferences().of(static_cast<Inference>(i));
    }
    reduction.sum(result.inferences);
    result.runs = run_times(reduction, rank);
    result.fidelity = fidelity(reduction, rank);
    result.replayed = spreads(reduction, rank.replayed_times());
    result.recorded = spreads(reduction, rank.recorded_times());

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

ProofResult gather_proof(Communicator& world, const ProofResult& mine) {
    ProofResult all;
    for (const std::string& part : world.gather(to_bytes(mine), 0)) {
        all.merge(from_bytes<ProofResult>(part, "the proof of another process"));
    }
    return all;
}

}  // namespace tracefold
