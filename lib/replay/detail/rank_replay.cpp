// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/detail/rank_replay.hpp"

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/mpi.hpp"
#include "base/parallel.hpp"
#include "replay/detail/watchdog.hpp"
#include "replay/proof/watched.hpp"
#include "replay/replay_world.hpp"
#include "replay/timing/pacer.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <thread>

namespace tracefold {

namespace {

MPI_Comm duplicate_world() {
    MPI_Comm comm = MPI_COMM_NULL;
    check_mpi(PMPI_Comm_dup(replay_world(), &comm), "MPI_Comm_dup");
    check_mpi(PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(PMPI_Comm_set_name(comm, "tracefold control"), "MPI_Comm_set_name");
    return comm;
}

PacerOptions pacing(const TraceFile& file, const ReplayOptions& options) {
    return {options.deltas, options.compute_scale, options.sleep, file.definitions().tick_rate(),
            options.seed};
}

}  // namespace

RankReplay::RankReplay(TraceFile& file, u32 world_rank, const std::vector<ReplayPatch>& patches,
                       const ReplayOptions& options)
    : options_(options),
      world_rank_(world_rank),
      control_(duplicate_world()),
      file_(file),
      objects_(file, world_rank, mpi_locations(file, world_rank).size() > 1),
      sizes_(objects_.table),
      unrecorded_(find_unrecorded_calls(file)),
      traffic_(objects_.table) {
    const bool threads = calls_mpi_from_threads(file);
    for (const u32 location : mpi_locations(file, world_rank)) {
        Executor& executor =
            executors_.emplace_back(objects_, sizes_, options.bytes_scale, threads);
        if (options.neighbour_bytes && !threads) {
            executor.neighbours().choose(*options.neighbour_bytes);
        }
        locations_.emplace_back(file, location, find_patch(patches, location), executor,
                                pacing(file, options), unrecorded_);
        checks_.emplace_back(objects_.table, "rank " + std::to_string(world_rank),
                             &objects_.wildcards, options.neighbour_bytes.value_or(0),
                             options.bytes_scale);
    }
    compare(options.verify);
}

RankReplay::~RankReplay() { PMPI_Comm_free(&control_); }

void RankReplay::prepare() {
    for (LocationReplay& location : locations_) location.prepare(traffic_);
    objects_.wildcards.decide(options_.wildcards, locations_.size() > 1);
    objects_.inferences.count(Inference::wildcard, objects_.wildcards.receives());
    if (locations_.size() == 1) return;
    std::vector<ThreadOrder::Life> lives;
    for (const LocationReplay& location : locations_) lives.push_back(location.life());
    order_.emplace(lives);
}

/// MPI-IO and MPI_Bsend copy from the host.
void RankReplay::open_device() {
    if (options_.buffers == BufferPlace::host) return;
    MPI_Comm node = MPI_COMM_NULL;
    int process = 0;
    const auto colour = static_cast<int>(checksum(node_name()) & 0x7FFFFFFFU);
    check_mpi(PMPI_Comm_split(control_, colour, 0, &node), "MPI_Comm_split");
    check_mpi(PMPI_Comm_rank(node, &process), "MPI_Comm_rank");
    check_mpi(PMPI_Comm_free(&node), "MPI_Comm_free");
    if (options_.buffers != BufferPlace::managed && !objects_.file_table.handles().empty()) {
        throw Error(ErrorKind::unsupported,
                    "the trace uses files, which are not read or written from device memory; use "
                    "--buffers managed or host");
    }
    device_.emplace(options_.buffers, static_cast<u32>(process));
}

void RankReplay::allocate() {
    sizes_.rewind();
    open_device();
    u64 attached = 0;
    for (Executor& executor : executors_) {
        executor.allocate(device_ ? &*device_ : nullptr);
        attached += executor.attached_bytes();
    }
    if (attached > Amounts::kMaxCount) {
        throw Error(ErrorKind::unsupported,
                    "buffered sends need " + std::to_string(attached) +
                        " bytes, more than MPI_Buffer_attach can count; use --bytes-scale");
    }
    attached_.resize(attached);
    for (LocationReplay& location : locations_) location.learn_overhead(objects_.table.world());
}

SizedCalls RankReplay::take_calls() {
    SizedCalls all;
    for (LocationReplay& location : locations_) all.merge(location.take_calls());
    return all;
}

std::map<std::string, u64> RankReplay::left_out() const {
    std::map<std::string, u64> all;
    for (const LocationReplay& location : locations_) {
        for (const auto& [name, calls] : location.left_out()) all[name] += calls;
    }
    return all;
}

u64 RankReplay::buffer_bytes() const {
    u64 bytes = attached_.size();
    for (const Executor& executor : executors_) bytes += executor.buffer_bytes();
    return bytes;
}

ProofResult RankReplay::proof() const {
    ProofResult all;
    u64 location = 0;
    for (const CallCheck& check : checks_) {
        all.merge(check.result());
        all.merge(check.wildcard_result());
        all.fingerprint += check.fingerprint().value(world_rank_, location++);
    }
    return all;
}

void RankReplay::compare(bool wanted) {
    for (std::size_t i = 0; i < locations_.size(); ++i) {
        locations_[i].set_check(wanted ? &checks_[i] : nullptr);
    }
}

void RankReplay::keep_times(bool wanted) {
    for (LocationReplay& location : locations_) location.keep_times(wanted);
}

void RankReplay::forget_runs() {
    runs_.clear();
    for (LocationReplay& location : locations_) location.forget_runs();
}

/// Nanoseconds in all run() so far.
u64 RankReplay::communication() const {
    u64 sum = 0;
    for (const CallCounter& counter : locations_[0].counters()) sum += counter.replayed_nanoseconds;
    return sum;
}

RankTimes RankReplay::recorded_times() const {
    const double tick = file_.definitions().tick_rate().seconds_per_tick();
    u64 communication = 0;
    for (const CallCounter& counter : locations_[0].counters()) {
        communication += counter.recorded_ticks;
    }
    return {static_cast<double>(locations_[0].recorded_ticks()) * tick,
            static_cast<double>(communication) * tick};
}

RankTimes RankReplay::replayed_times() const {
    RankRun sum;
    for (const RankRun& run : runs_) {
        sum.wall += run.wall;
        sum.communication += run.communication;
    }
    const double nanosecond = 1e-9 / static_cast<double>(runs_.size());
    return {static_cast<double>(sum.wall) * nanosecond,
            static_cast<double>(sum.communication) * nanosecond};
}

double RankReplay::asked_computation() const {
    return locations_[0].asked_computation() * 1e-9 / static_cast<double>(runs_.size());
}

void RankReplay::attach_buffer() {
    if (attached_.empty()) return;
    check_mpi(PMPI_Buffer_attach(attached_.data(), static_cast<int>(attached_.size())),
              "MPI_Buffer_attach");
}

void RankReplay::detach_buffer() {
    if (attached_.empty()) return;
    void* buffer = nullptr;
    int size = 0;
    check_mpi(PMPI_Buffer_detach(&buffer, &size), "MPI_Buffer_detach");
}

/// Frees requests without a wait in the trace: their sends were freed, or the program ended.
void RankReplay::free_requests() {
    objects_.requests.for_each([](u64, MPI_Request& request) {
        if (request != MPI_REQUEST_NULL)
            check_mpi(watched::Request_free(&request), "MPI_Request_free");
    });
    objects_.requests.clear();
}

void RankReplay::run_location(std::size_t index, u64 start) {
    wait_until(start);
    locations_[index].run(start, locations_[0].start_ticks(), order_ ? &*order_ : nullptr, index);
}

/// Other processes wait for a failing thread, so its failure ends the job.
template <class Work>
void RankReplay::or_give_up(const Work& work) {
    try {
        work();
    } catch (const std::exception& error) {
        options_.report(error.what());
        options_.give_up();
    }
}

void RankReplay::run_threads(u64 start) {
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < locations_.size(); ++i) {
        or_give_up([&] {
            threads.push_back(
                start_thread([this, i, start] { or_give_up([&] { run_location(i, start); }); }));
        });
    }
    or_give_up([&] { run_location(0, start); });
    for (std::thread& thread : threads) thread.join();
}

void RankReplay::run() {
    sizes_.rewind();
    if (order_) order_->reset();
    for (LocationReplay& location : locations_) location.rewind(order_.has_value());
    attach_buffer();
    std::vector<const CallInFlight*> calls;
    for (const LocationReplay& location : locations_) calls.push_back(&location.in_flight());
    const auto name = [this](u64 comm) { return file_.definitions().communicator_name(comm); };
    const u64 before = communication();
    u64 delayed = 0;
    {
        const Watchdog watchdog(
            {options_.timeout, world_rank_, name, options_.report, options_.give_up}, calls);
        objects_.communicators.make_early(locations_[0].early_communicators());
        if (locations_[0].has_window()) locations_[0].set_up();
        const u64 start = agree_on_start(control_);
        delayed = waited_for_processor();
        if (locations_.size() == 1)
            run_location(0, start);
        else
            run_threads(start);
    }
    RankRun measured;
    for (const LocationReplay& location : locations_) {
        measured.wall = std::max(measured.wall, location.wall());
    }
    measured.communication = communication() - before;
    measured.delayed = waited_for_processor() - delayed;
    runs_.push_back(measured);
    if (locations_[0].has_window()) executors_[0].complete_all();
    check_mpi(PMPI_Barrier(control_), "MPI_Barrier");
    for (Executor& executor : executors_) executor.finish();
    free_requests();
    objects_.reset();
    detach_buffer();
}

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
        // The deviation needs the mean first: a difference of two large sums loses all digits.
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
    std::vector<u64> issued = calls;
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
            sums.issued[f] += counter.issued;
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
        times.delayed = static_cast<double>(reduction.reduce(run.delayed, MPI_SUM)) / ranks;
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
    for (auto* values :
         {&sums.calls, &sums.issued, &sums.sent, &sums.received, &sums.recorded, &sums.replayed}) {
        reduction.sum(*values);
    }
    for (std::size_t f = 0; f < kMpiFunctions; ++f) {
        if (sums.calls[f] == 0) continue;
        const u64 not_issued = sums.calls[f] - sums.issued[f] / result.runs.size();
        result.totals.push_back({static_cast<MpiFunction>(f), sums.calls[f], not_issued,
                                 sums.sent[f], sums.received[f],
                                 static_cast<double>(sums.recorded[f]) * tick,
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
