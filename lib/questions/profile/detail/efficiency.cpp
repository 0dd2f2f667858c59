// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/efficiency.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "file/location_blocks.hpp"
#include "file/record_counts.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/remote_readers.hpp"
#include "questions/accelerators/accelerator_activity.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/profile/detail/thread_efficiency.hpp"
#include "questions/profile/trace_profile.hpp"
#include "questions/structure/main_loop.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace tracefold {

/// Computes the runtime and the factors of the processes from Efficiency::ranks.
void add_factors(Efficiency& result);

/// Computes the hybrid factors from Efficiency::threads. Precondition: add_factors().
void add_thread_factors(Efficiency& result);

/// Computes the factors of host and accelerators from Efficiency::threads and devices.
/// Precondition: the requested other factors are computed.
void add_device_factors(Efficiency& result);

namespace {

void refuse_without_times(const TraceFile& file) {
    const TimingLevel level = file.summary().timing;
    if (level == TimingLevel::exact || level == TimingLevel::quantized) return;
    throw Error(ErrorKind::unsupported,
                "waiting times need the time of every record, which the file does not keep; fold "
                "the archive with --timing exact or quantized");
}

/// Threads that call MPI, numbered as the walkers of check_replay(): consecutive by rank.
std::vector<WaitAnalysis::Thread> mpi_threads(TraceFile& file) {
    std::vector<WaitAnalysis::Thread> threads;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(file, rank)) threads.push_back({rank, location});
    }
    return threads;
}

/// Why the walk cannot attribute all waiting times; empty if it can.
std::string unknown_waits(const CheckResult& walk, const WaitAnalysis& analysis) {
    for (const FindingKind kind :
         {FindingKind::deadlock, FindingKind::unsent_message, FindingKind::absent_member,
          FindingKind::unsupported, FindingKind::assumed_root, FindingKind::lost_collective,
          FindingKind::neighbour, FindingKind::unknown_communicator,
          FindingKind::unknown_request}) {
        if (walk.find(kind) != nullptr) return std::string(finding_info(kind).what);
    }
    if (analysis.times().size() > walk.ranks) {
        return "several threads of a rank call MPI, and the time of the rank depends on waits "
               "between them";
    }
    if (analysis.has_unknown_waits()) {
        return "one-sided synchronisation whose partners are not recorded";
    }
    if (analysis.has_contended_locks()) {
        return "locks of windows that ranks waited for: the order of their owners may change";
    }
    return {};
}

/// "the record does not say which members waited for each other in MPI_Alltoallv"
std::string why_range(const std::set<CollectiveKind>& open_kinds) {
    std::string names;
    for (const CollectiveKind kind : open_kinds) {
        if (!names.empty()) names += ", ";
        names += is_communication(kind) ? name_of(collective_function(kind))
                                        : name_of(MpiFunction::Comm_free);
    }
    return "the record does not say which members waited for each other in " + names;
}

void add_waits(const DefinitionIndex& definitions, const std::vector<WaitAnalysis::Thread>& threads,
               const WaitAnalysis& analysis, Efficiency& result) {
    for (const auto& [place, wait] : analysis.waits()) {
        const WaitAnalysis::Thread& thread = threads[place.thread];
        result.waits.push_back({path_of(definitions, analysis.tree(), place.node), thread.rank,
                                thread.location, place.kind, wait.count, wait.ticks});
    }
    std::stable_sort(
        result.waits.begin(), result.waits.end(),
        [](const Efficiency::Wait& a, const Efficiency::Wait& b) { return a.path < b.path; });
}

/// Combines the threads of each rank: from the first begin to the last end, waiting times summed.
/// Complete for ranks with a single thread.
std::vector<RankEfficiency> times_of_ranks(const std::vector<WaitAnalysis::Thread>& threads,
                                           const std::vector<RankEfficiency>& times) {
    std::vector<RankEfficiency> ranks;
    for (std::size_t i = 0; i < threads.size(); ++i) {
        if (threads[i].rank == ranks.size()) {
            ranks.push_back(times[i]);
            ranks.back().rank = threads[i].rank;
            continue;
        }
        RankEfficiency& rank = ranks.back();
        if (times[i].end == 0) continue;  // no counted calls
        std::vector<TickWindow> parts = times[i].time().windows;
        const MeasuredTime of_rank = rank.time();
        if (rank.end != 0)
            parts.insert(parts.end(), of_rank.windows.begin(), of_rank.windows.end());
        const bool has_holes = !rank.parts.empty() || !times[i].parts.empty();
        if (has_holes) rank.parts = MeasuredTime::of(std::move(parts));
        rank.begin = rank.end == 0 ? times[i].begin : std::min(rank.begin, times[i].begin);
        rank.end = std::max(rank.end, times[i].end);
        rank.overhead += times[i].overhead;
        rank.overhead_in_mpi += times[i].overhead_in_mpi;
        rank.io += times[i].io;
        rank.init += times[i].init;
        rank.finalize += times[i].finalize;
        for (std::size_t kind = 0; kind < kWaitKinds; ++kind) {
            rank.waits[kind] += times[i].waits[kind];
        }
    }
    return ranks;
}

std::vector<ProcessSpan> spans_of(TraceFile& file, const Efficiency& result) {
    std::vector<ProcessSpan> processes;
    for (const RankEfficiency& it : result.ranks) {
        processes.push_back(
            {threads_of(file, file.definitions().locations_of_rank(it.rank)), it.time(), it.rank});
    }
    return processes;
}

/// Excludes unrecorded ranks: unknown is not zero computation. Ranks of a part that compute all the
/// time have no calls.
void leave_out_gaps(TraceFile& file, Efficiency& result) {
    result.gaps = recording_gaps(file);
    ParticipantList seen;
    for (const RankEfficiency& it : result.ranks) {
        if (it.end != 0) seen.add(it.rank);
    }
    result.gaps.without_mpi = result.gaps.without_mpi.difference(seen);
    std::erase_if(result.ranks, [&](const RankEfficiency& it) {
        return result.gaps.without_events.contains(it.rank) ||
               result.gaps.without_mpi.contains(it.rank);
    });
    for (const RankEfficiency& it : result.ranks) {
        result.names.push_back(file.definitions().process_name(it.rank));
    }
}

/// For a rank whose threads call MPI: means over threads; computation is the rest without MPI.
void share_among_threads(TraceFile& file, const CommonClock& clock, const ProcessSpan& process,
                         RankEfficiency& rank) {
    const u64 threads = std::max<u64>(1, process.locations.size());
    rank.mpi = mpi_loss(file, clock, process) / threads;
    const u64 outside = process.time.length() - rank.mpi;
    rank.overhead = std::min(rank.overhead / threads, outside);
    rank.overhead_in_mpi /= threads;
    rank.computation = outside - rank.overhead;
    rank.io /= threads;
    rank.polling = 0;
    for (u64& wait : rank.waits) wait /= threads;
}

/// From the first record of all locations to the last.
ProcessSpan whole_run(TraceFile& file) {
    std::vector<u32> all(file.location_count());
    std::iota(all.begin(), all.end(), 0U);
    const CommonClock clock = common_clock(file);
    const TickWindow run = recorded_window(file, clock, all);
    return {{}, MeasuredTime{{{run.begin + clock.start(), run.end + clock.start()}}}, kNone};
}

/// Adds the losses within processes. Without any process, accelerators have the whole run.
void look_closer(TraceFile& file, std::vector<ProcessSpan> processes, Efficiency& result) {
    const bool accelerators = has_accelerators(file);
    if (!result.has_threads && !accelerators) return;
    if (result.has_mpi) result.threads = thread_efficiency(file, processes);
    if (result.has_threads) add_thread_factors(result);
    if (!accelerators) return;
    if (processes.empty()) {
        processes.push_back(whole_run(file));
        result.runtime = processes.front().time.length();
    }
    result.devices = device_times(file, processes);
    add_device_factors(result);
}

/// Communication time of a process; with a single thread, the time in its functions.
u64 communication_of(TraceFile& file, const ProcessSpan& process, u64 in_functions) {
    if (in_functions == 0 || process.locations.size() == 1) return in_functions;
    return mpi_loss(file, common_clock(file), process) / process.locations.size();
}

void refuse_lonely(const Efficiency& result, bool accelerators) {
    if (result.has_processes || result.has_threads || accelerators) return;
    throw Error(ErrorKind::unsupported, result.ranks.empty()
                                            ? "no process of the trace has events"
                                            : "the trace has one process with one thread and no "
                                              "accelerator; efficiency needs several");
}

/// Without MPI: a process computes whenever it does not communicate.
Efficiency without_mpi(TraceFile& file) {
    Efficiency result;
    const DefinitionIndex& definitions = file.definitions();
    result.has_mpi = false;
    result.rate = file.definitions().tick_rate();
    const std::vector<ProcessSpan> processes = processes_of(file);
    result.has_threads = has_threads(file);
    for (const ProcessSpan& process : processes) {
        RankEfficiency& rank = result.ranks.emplace_back();
        rank.rank = process.number;
        rank.begin = process.time.begin();
        rank.end = process.time.end();
        if (process.time.windows.size() > 1) rank.parts = process.time;
    }
    leave_out_gaps(file, result);
    result.has_processes = result.ranks.size() > 1 || result.gaps.processes > 1 ||
                           (definitions.process_kind() == ProcessKind::pe && !result.ranks.empty());
    const bool accelerators = has_accelerators(file);
    refuse_lonely(result, accelerators);
    result.threads = thread_efficiency(file, processes);
    std::vector<u64> in_functions(processes.size());
    for (const ThreadTimes& thread : result.threads.threads) {
        in_functions[thread.process] += thread.mpi;
        result.ranks[thread.process].overhead += thread.of(ThreadUse::overhead);
    }
    for (std::size_t i = 0; i < processes.size(); ++i) {
        RankEfficiency& rank = result.ranks[i];
        rank.mpi = communication_of(file, processes[i], in_functions[i]);
        const u64 outside = processes[i].time.length() - rank.mpi;
        rank.overhead = std::min(rank.overhead / processes[i].locations.size(), outside);
        rank.computation = outside - rank.overhead;
        rank.ideal.advance(outside);
    }
    if (result.has_processes) {
        result.why_not_split = "waits between processes are known for MPI only";
    }
    add_factors(result);
    look_closer(file, processes, result);
    // Times of a single thread are those of its process.
    if (!result.has_threads && !accelerators) result.threads.threads.clear();
    return result;
}

/// Windows of the threads that call MPI.
struct Windows {
    std::vector<ThreadWindows> of_threads;  ///< empty: the whole run
    bool has_parts = false;
    std::optional<StepRange> focus = {};
    UnknownTime unknown = {};
};

/// Sets the parts of threads without MPI_Init or MPI_Finalize, and of marked ones.
void find_parts(TraceFile& file, const CommonClock& clock,
                const std::vector<WaitAnalysis::Thread>& callers, Windows& windows) {
    const bool alone = callers.size() == file.definitions().world_size();
    std::vector<RecordedPart> parts;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < callers.size(); ++i) {
        const u32 location = callers[i].location;
        const RunEnds ends = run_ends(file, location);
        const bool is_whole = (ends.init && ends.finalize) || !alone;
        if (is_whole && !records_any(file, location, {EventType::MeasurementOnOff})) continue;
        RecordedPart part = recorded_part(file, location, clock);
        if (!part.is_marked && !part.communicates) continue;
        part.knows_begin = part.knows_begin || ends.init || !alone;
        part.knows_end = part.knows_end || ends.finalize || !alone;
        parts.push_back(std::move(part));
        numbers.push_back(i);
        windows.of_threads.resize(callers.size());
        windows.of_threads[i].is_begun = !ends.init;
    }
    windows.has_parts = !parts.empty();
    windows.unknown = leave_out_unknown_time(parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        windows.of_threads[numbers[i]].part = std::move(parts[i].time);
    }
}

void find_flushes(TraceFile& file, const CommonClock& clock,
                  const std::vector<WaitAnalysis::Thread>& callers, Windows& windows) {
    for (std::size_t i = 0; i < callers.size(); ++i) {
        const u32 location = callers[i].location;
        MeasuredTime flushes = buffer_flushes(file, location, clock.map(location));
        if (flushes.empty()) continue;
        windows.of_threads.resize(callers.size());
        ThreadWindows& it = windows.of_threads[i];
        it.flushes = it.part.empty() ? std::move(flushes) : flushes.common_with(it.part);
    }
}

/// Sets the steps from the second to the last one as the focus; threads without steps have the time
/// of the others.
void find_focus(TraceFile& file, const CommonClock& clock,
                const std::vector<WaitAnalysis::Thread>& callers, const ProgramSteps& steps,
                u32 threads, Windows& windows) {
    if (steps.count < 2) return;
    file.keep_decoded_ticks();
    windows.of_threads.resize(callers.size());
    run_each(useful_threads(file.definitions().locations(), threads), callers.size(), [&](u32 i) {
        const u32 location = callers[i].location;
        const LocationSteps* const of_thread = steps.of(location);
        if (of_thread == nullptr) return;
        const auto ranges =
            iteration_ranges(file, location, *of_thread, [](u64 step) { return step > 0; });
        if (ranges.empty()) return;
        const ClockMap& map = clock.map(location);
        windows.of_threads[i].focus = {map.common(ranges.front().time.begin),
                                       map.common(ranges.back().time.end)};
    });
    TickWindow all{~u64{0}, 0};
    for (const ThreadWindows& it : windows.of_threads) {
        if (it.focus.end == 0) continue;
        all.begin = std::min(all.begin, it.focus.begin);
        all.end = std::max(all.end, it.focus.end);
    }
    if (all.end <= all.begin) return;
    for (ThreadWindows& it : windows.of_threads) {
        if (it.focus.end == 0) it.focus = all;
    }
    windows.focus = StepRange{1, steps.count - 1};
}

Windows windows_of(TraceFile& file, const std::vector<WaitAnalysis::Thread>& callers, u32 threads,
                   FoundSteps* steps) {
    const CommonClock clock = common_clock(file);
    Windows windows;
    find_parts(file, clock, callers, windows);
    find_flushes(file, clock, callers, windows);
    const bool wants_focus = steps != nullptr && !windows.has_parts;
    if (wants_focus && steps->get()) {
        find_focus(file, clock, callers, *steps->get(), threads, windows);
    }
    return windows;
}

/// Times of threads, over the run and, with a focus, over that.
struct TimesOfThreads {
    std::vector<RankEfficiency> run;
    std::vector<RankEfficiency> focus;
};

/// What both searches have in common.
Efficiency new_efficiency(TraceFile& file, const std::vector<WaitAnalysis::Thread>& callers,
                          const TimesOfThreads& times, const Windows& windows) {
    Efficiency result;
    result.ranks = times_of_ranks(callers, times.run);
    result.threads_call_mpi = callers.size() > result.ranks.size();
    result.rate = file.definitions().tick_rate();
    result.is_part = windows.has_parts;
    result.unknown_time = windows.unknown;
    if (!windows.focus) return result;
    result.focus_steps = *windows.focus;
    result.focus = std::make_shared<Efficiency>();
    result.focus->ranks = times_of_ranks(callers, times.focus);
    result.focus->rate = result.rate;
    return result;
}

/// Efficiency from a simulation of all MPI calls.
Efficiency walked_ranks(TraceFile& file, u32 threads, RemoteReaders& others, FoundSteps* steps) {
    const std::vector<WaitAnalysis::Thread> callers = mpi_threads(file);
    const Windows windows = windows_of(file, callers, threads, steps);
    WaitAnalysis analysis(file, callers, windows.of_threads);
    const CheckResult walk = check_replay(file, analysis, Times::read, threads, &others);
    analysis.finish();
    Efficiency result =
        new_efficiency(file, callers, {analysis.times(), analysis.times_of_focus()}, windows);
    result.early_messages = analysis.early_messages();
    result.early_collectives = analysis.early_collectives();
    result.why_range = why_range(analysis.open_kinds());
    result.why_not_split = unrecorded_sentence(walk.unrecorded);
    if (result.why_not_split.empty()) result.why_not_split = unknown_waits(walk, analysis);
    add_waits(file.definitions(), callers, analysis, result);
    return result;
}

/// Efficiency on process 0 from a simulation; the other processes read the calls. Collective.
Efficiency walked_ranks(Communicator& comm, TraceFile& file, u32 threads, FoundSteps* steps) {
    Efficiency result;
    agree(comm, [&] {
        if (comm.rank() != 0) return read_for_first(comm, file);
        RemoteReaders others(comm);
        result = walked_ranks(file, threads, others, steps);
    });
    return result;
}

/// Times of a thread that calls MPI.
ThreadSums times_alone(TraceFile& file, u32 location, const ClockMap& clock,
                       const ThreadWindows& windows) {
    MpiCallReader calls(file, location);
    calls.remember_loops();
    ThreadSums sums(windows);
    for (MpiCall mpi_call; !sums.is_over() && calls.next(mpi_call);) {
        TickWindow call{sums.clip(clock.common(mpi_call.begin)), 0};
        call.end = std::max(call.begin, sums.clip(clock.common(mpi_call.end)));
        const bool counts = sums.begin_call(mpi_call.family, call, is_poll(mpi_call.function));
        if (counts) sums.add_call(call);
        if (counts && mpi_call.family == CallFamily::file) sums.times.io += call.length();
        sums.end_call(mpi_call.family, call, polls_in_vain(mpi_call));
    }
    sums.finish();
    return sums;
}

/// Numbers of the threads whose locations belong to a process.
std::vector<u32> callers_of(TraceFile& file, const std::vector<WaitAnalysis::Thread>& callers,
                            int process, int processes) {
    const auto block = location_block(file.definitions().locations(), process, processes);
    std::vector<u32> own;
    for (u32 caller = 0; caller < callers.size(); ++caller) {
        if (std::ranges::binary_search(block, callers[caller].location)) own.push_back(caller);
    }
    return own;
}

/// Times by thread number; each process reads its own threads. Collective; complete on process 0.
TimesOfThreads all_times_alone(Communicator& comm, TraceFile& file, u32 threads,
                               const std::vector<WaitAnalysis::Thread>& callers,
                               const Windows& windows) {
    const std::vector<u32> own = callers_of(file, callers, comm.rank(), comm.size());
    using Pair = std::pair<RankEfficiency, RankEfficiency>;
    std::vector<Pair> mine(own.size());
    agree(comm, [&] {
        const CommonClock clock = common_clock(file);
        run_each(useful_threads(file.definitions().locations(), threads), own.size(), [&](u32 i) {
            const u32 location = callers[own[i]].location;
            const ThreadWindows of_thread =
                windows.of_threads.empty() ? ThreadWindows() : windows.of_threads[own[i]];
            const ThreadSums sums = times_alone(file, location, clock.map(location), of_thread);
            mine[i] = {sums.times, sums.focus};
        });
    });
    TimesOfThreads times{std::vector<RankEfficiency>(callers.size()),
                         std::vector<RankEfficiency>(callers.size())};
    int process = 0;
    for (const std::string& bytes : comm.gather(to_bytes(mine), 0)) {
        const auto part = from_bytes<std::vector<Pair>>(bytes, "the times of a process");
        const std::vector<u32> theirs = callers_of(file, callers, process++, comm.size());
        for (std::size_t i = 0; i < theirs.size(); ++i) {
            std::tie(times.run[theirs[i]], times.focus[theirs[i]]) = part.at(i);
        }
    }
    return times;
}

/// Efficiency without waiting times. Collective; complete on process 0.
Efficiency ranks_alone(Communicator& comm, TraceFile& file, u32 threads, FoundSteps* steps) {
    const std::vector<WaitAnalysis::Thread> callers = mpi_threads(file);
    Windows windows;
    agree(comm, [&] {
        if (comm.rank() == 0) windows = windows_of(file, callers, threads, steps);
    });
    windows.of_threads = from_bytes<std::vector<ThreadWindows>>(
        comm.broadcast(to_bytes(windows.of_threads), 0), "the windows of threads");
    Efficiency result = new_efficiency(
        file, callers, all_times_alone(comm, file, threads, callers, windows), windows);
    result.knows_waits = false;
    result.why_not_split = "waits between ranks were not analysed";
    return result;
}

/// Derives factors from the times of the ranks and adds the losses within processes.
void add_to_ranks(TraceFile& file, Efficiency& result) {
    const std::string why_not_split = result.why_not_split;
    leave_out_gaps(file, result);
    const std::vector<ProcessSpan> processes = spans_of(file, result);
    if (result.threads_call_mpi) {
        const CommonClock clock = common_clock(file);
        for (std::size_t i = 0; i < result.ranks.size(); ++i) {
            share_among_threads(file, clock, processes[i], result.ranks[i]);
        }
    }
    add_factors(result);
    result.has_threads = has_threads(file) || result.threads_call_mpi;
    look_closer(file, processes, result);
    if (!result.focus) return;
    result.focus->knows_waits = result.knows_waits;
    result.focus->why_not_split = why_not_split;
    add_to_ranks(file, *result.focus);
}

/// Instructions and cycles in the computation of each rank.
std::optional<Efficiency::Counters> counters_of(TraceFile& file, const Efficiency& efficiency,
                                                u32 threads) {
    if (!records_any(file.structure(), {EventType::Metric})) return {};
    const RecordedCounters recorded(file);
    if (recorded.empty()) return {};
    Efficiency::Counters result;
    for (std::size_t i = 0; i < kHardwareCounters; ++i) {
        result.metrics[i] = recorded.names(static_cast<HardwareCounter>(i));
    }
    if (efficiency.threads_call_mpi) {
        result.why_not = "several threads of a rank call MPI";
        return result;
    }
    const CommonClock clock = common_clock(file);
    result.ranks.resize(efficiency.ranks.size());
    const u32 useful = useful_threads(file.definitions().locations(), threads);
    run_each(useful, result.ranks.size(), [&](std::size_t i) {
        const RankEfficiency& rank = efficiency.ranks[i];
        const std::vector<u32> callers = mpi_locations(file, rank.rank);
        if (callers.empty()) return;
        result.ranks[i] = count_computation(file, recorded, callers.front(),
                                            clock.map(callers.front()), rank.time());
    });
    for (const ComputationCounters& it : result.ranks) result.total.add(it);
    if (result.total.is_known()) return result;
    result.ranks.clear();
    result.why_not = "no computation has values at its begin and its end, where MPI is called";
    return result;
}

}  // namespace

Efficiency trace_efficiency(Communicator& comm, TraceFile& file, WaitSearch search, u32 threads,
                            FoundSteps* steps) {
    Efficiency result;
    bool with_mpi = false;
    agree(comm, [&] {
        refuse_without_times(file);
        with_mpi = file.definitions().world_size() != 0;
        if (!with_mpi && comm.rank() == 0) result = without_mpi(file);
    });
    if (!with_mpi) return result;
    result = search == WaitSearch::all ? walked_ranks(comm, file, threads, steps)
                                       : ranks_alone(comm, file, threads, steps);
    on_first(comm, [&] {
        add_to_ranks(file, result);
        result.counters = counters_of(file, result, threads);
    });
    return result;
}

Efficiency trace_efficiency(TraceFile& file, WaitSearch search, u32 threads) {
    SerialCommunicator alone;
    return trace_efficiency(alone, file, search, threads);
}

namespace {

double ratio(double part, u64 whole) { return part / static_cast<double>(whole); }

/// Maximum and mean of several times.
struct TickTally {
    u64 most = 0;
    double sum = 0;
    std::size_t count = 0;

    void add(u64 ticks) {
        most = std::max(most, ticks);
        sum += static_cast<double>(ticks);
        ++count;
    }
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
};

}  // namespace

void add_factors(Efficiency& result) {
    std::vector<TickWindow> windows;
    TickTally computation;
    TickTally between_polls;
    bool has_holes = false;
    for (const RankEfficiency& rank : result.ranks) {
        between_polls.add(rank.polling);
        const MeasuredTime time = rank.time();
        windows.insert(windows.end(), time.windows.begin(), time.windows.end());
        has_holes = has_holes || !rank.parts.empty();
        computation.add(rank.computation);
        if (result.has_ideal()) result.ideal_runtime.wait_for(rank.ideal);
    }
    const MeasuredTime all = MeasuredTime::of(std::move(windows));
    if (!all.empty()) result.runtime = has_holes ? all.length() : all.end() - all.begin();
    if (result.runtime == 0 || computation.most == 0) {
        result.why_not_split = !result.ranks.empty() ? "no computation was recorded"
                               : result.has_mpi      ? "no rank with MPI calls was recorded"
                                                     : "no process was recorded";
        return;
    }
    const auto most = static_cast<double>(computation.most);
    result.load_balance = ratio(computation.mean(), computation.most);
    result.communication = ratio(most, result.runtime);
    result.parallel = ratio(computation.mean(), result.runtime);
    if (between_polls.most != 0) {
        result.without_polling = ratio(computation.mean() - between_polls.mean(), result.runtime);
    }
    if (!result.why_not_split.empty() || !result.has_ideal()) return;
    const IdealTime& ideal = result.ideal_runtime;
    // Without contradictions, every dependency holds in the record too, which takes no less time.
    if (ideal.most > result.runtime) {
        result.why_not_split =
            "the run on an ideal network would take longer than the recorded one: the times of the "
            "ranks contradict each other";
        return;
    }
    result.serialisation = ratio(most, ideal.most);
    result.transfer = ratio(static_cast<double>(ideal.least), result.runtime);
    if (!result.has_range()) return;
    result.serialisation_most = ratio(most, ideal.least);
    result.transfer_most = ratio(static_cast<double>(ideal.most), result.runtime);
}

/// The multiplicative model of POP's hybrid metrics: the MPI factor is that of the processes; the
/// remaining loss of all threads is that of the threads. Their balance is that within processes.
void add_thread_factors(Efficiency& result) {
    TickTally computation;
    std::vector<TickTally> of_processes(result.ranks.size());
    for (const ThreadTimes& thread : result.threads.threads) {
        computation.add(thread.computation());
        of_processes[thread.process].add(thread.computation());
    }
    if (computation.most == 0 || !result.parallel) return;
    result.hybrid = ratio(computation.mean(), result.runtime);
    result.thread_parallel = *result.hybrid / *result.parallel;
    double mean = 0;
    double greatest = 0;
    for (std::size_t i = 0; i < of_processes.size(); ++i) {
        if (of_processes[i].count == 0) continue;
        mean += of_processes[i].mean();
        const u64 most = std::min(of_processes[i].most, result.ranks[i].computation);
        greatest += std::max(of_processes[i].mean(), static_cast<double>(most));
    }
    result.thread_load_balance = mean / greatest;
    result.thread_communication = *result.thread_parallel / *result.thread_load_balance;
}

/// The model of TALP (DLB): the host loses the time in accelerator calls, accelerators lose the
/// time in copies and idle time.
void add_device_factors(Efficiency& result) {
    TickTally computation;
    TickTally useful;
    for (const ThreadTimes& thread : result.threads.threads) {
        computation.add(thread.computation());
        useful.add(thread.of(ThreadUse::work));
    }
    const std::optional<double> before = result.has_threads ? result.hybrid : result.parallel;
    if (computation.most != 0 && before) {
        result.device_offload = useful.sum / computation.sum;
        result.host = *before * *result.device_offload;
    }
    TickTally kernels;
    TickTally busy;
    for (const DeviceTimes& device : result.devices) {
        kernels.add(device.kernels);
        busy.add(device.kernels + device.copies);
    }
    if (kernels.most == 0 || result.runtime == 0) return;
    result.device_parallel = ratio(kernels.mean(), result.runtime);
    result.device_load_balance = ratio(kernels.mean(), kernels.most);
    result.device_communication = ratio(static_cast<double>(kernels.most), busy.most);
    result.device_orchestration = ratio(static_cast<double>(busy.most), result.runtime);
}

}  // namespace tracefold
