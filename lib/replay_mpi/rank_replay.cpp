// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/rank_replay.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "core/start_thread.hpp"
#include "replay_mpi/proof/watched.hpp"
#include "replay_mpi/timing/common_start.hpp"
#include "replay_mpi/watchdog.hpp"

#include <algorithm>
#include <exception>
#include <thread>

namespace tracefold {

namespace {

MPI_Comm duplicate_world() {
    MPI_Comm comm = MPI_COMM_NULL;
    check_mpi(PMPI_Comm_dup(MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
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
      traffic_(objects_.table) {
    const bool threads = calls_mpi_from_threads(file);
    for (const u32 location : mpi_locations(file, world_rank)) {
        Executor& executor =
            executors_.emplace_back(objects_, sizes_, options.bytes_scale, threads);
        if (options.neighbour_bytes && !threads) {
            executor.neighbours().choose(*options.neighbour_bytes);
        }
        locations_.emplace_back(file, location, find_patch(patches, location), executor,
                                pacing(file, options));
        checks_.emplace_back(objects_.table, "rank " + std::to_string(world_rank),
                             &objects_.wildcards);
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

void RankReplay::allocate() {
    sizes_.rewind();
    u64 attached = 0;
    for (Executor& executor : executors_) {
        executor.allocate();
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
    u64 location = u64{world_rank_} << 32U;
    for (const CallCheck& check : checks_) {
        all.merge(check.result());
        all.merge(check.wildcard_result());
        all.fingerprint += check.fingerprint(location++);
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

/// Nobody waited for these in the trace: sends whose requests were freed, or the program ended.
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

/// Others wait for the calls of a thread that fails, so that the job ends with it.
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
    {
        const Watchdog watchdog(
            {options_.timeout, world_rank_, name, options_.report, options_.give_up}, calls);
        objects_.communicators.make_early(locations_[0].early_communicators());
        if (locations_[0].has_window()) locations_[0].set_up();
        const u64 start = agree_on_start(control_);
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
    runs_.push_back(measured);
    if (locations_[0].has_window()) executors_[0].complete_all();
    check_mpi(PMPI_Barrier(control_), "MPI_Barrier");
    for (Executor& executor : executors_) executor.finish();
    free_requests();
    objects_.reset();
    detach_buffer();
}

}  // namespace tracefold
