// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/efficiency.hpp"

#include "core/error.hpp"
#include "profile/trace_profile.hpp"
#include "replay/check.hpp"
#include "replay/mpi_call_reader.hpp"

#include <algorithm>

namespace tracefold {

namespace {

void refuse_without_times(const TraceFile& file) {
    const TimingLevel level = file.summary().timing;
    if (level == TimingLevel::exact || level == TimingLevel::quantized) return;
    throw Error(ErrorKind::usage,
                "waiting times need the time of every record, which the file does not keep; fold "
                "the archive with --timing exact or quantized");
}

void refuse_threads(TraceFile& file) {
    if (!calls_mpi_from_threads(file)) return;
    throw Error(ErrorKind::unsupported,
                "several threads of a rank call MPI, so that a rank has no single order of calls");
}

std::vector<u32> first_locations(TraceFile& file) {
    std::vector<u32> locations;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        locations.push_back(mpi_locations(file, rank).front());
    }
    if (locations.empty())
        throw Error(ErrorKind::usage, "the trace has neither MPI ranks nor threads");
    return locations;
}

/// Why the walk does not know all that a call waits for; empty if it does.
std::string unknown_waits(const CheckResult& walk, const WaitAnalysis& analysis) {
    for (const FindingKind kind :
         {FindingKind::deadlock, FindingKind::unsent_message, FindingKind::absent_member,
          FindingKind::unsupported, FindingKind::assumed_root, FindingKind::lost_collective,
          FindingKind::neighbour, FindingKind::unknown_communicator,
          FindingKind::unknown_request}) {
        if (walk.find(kind) != nullptr) return std::string(finding_info(kind).what);
    }
    if (analysis.has_unknown_waits()) {
        return "one-sided synchronisation whose partners are not recorded";
    }
    if (analysis.has_contended_locks()) {
        return "locks of windows that ranks waited for, which others might have got first";
    }
    return {};
}

void add_waits(const DefinitionIndex& definitions, const WaitAnalysis& analysis,
               Efficiency& result) {
    for (const auto& [place, wait] : analysis.waits()) {
        result.waits.push_back({path_of(definitions, analysis.tree(), place.node), place.rank,
                                place.kind, wait.count, wait.ticks});
    }
    std::stable_sort(
        result.waits.begin(), result.waits.end(),
        [](const Efficiency::Wait& a, const Efficiency::Wait& b) { return a.path < b.path; });
}

double ratio(double part, u64 whole) { return part / static_cast<double>(whole); }

void add_figures(Efficiency& result) {
    u64 begin = ~u64{0};
    u64 end = 0;
    u64 most = 0;
    double sum = 0;
    for (const RankEfficiency& rank : result.ranks) {
        begin = std::min(begin, rank.begin);
        end = std::max(end, rank.end);
        most = std::max(most, rank.computation);
        sum += static_cast<double>(rank.computation);
        result.ideal_runtime = std::max(result.ideal_runtime, rank.ideal);
    }
    result.runtime = end - std::min(begin, end);
    if (result.runtime == 0 || most == 0) {
        result.why_not_split = "no computation was recorded";
        return;
    }
    const double mean = sum / static_cast<double>(result.ranks.size());
    result.load_balance = ratio(mean, most);
    result.communication = ratio(static_cast<double>(most), result.runtime);
    result.parallel = ratio(mean, result.runtime);
    if (!result.why_not_split.empty()) return;
    result.serialisation = ratio(static_cast<double>(most), result.ideal_runtime);
    result.transfer = ratio(static_cast<double>(result.ideal_runtime), result.runtime);
}

/// The multiplicative model of POP's hybrid metrics: what MPI leaves of the processes is as above,
/// the rest of what all threads lose is theirs.
void add_thread_figures(Efficiency& result) {
    u64 most = 0;
    double sum = 0;
    for (const ThreadTimes& thread : result.threads.threads) {
        most = std::max(most, thread.of(ThreadUse::work));
        sum += static_cast<double>(thread.of(ThreadUse::work));
    }
    if (most == 0 || !result.parallel) return;
    const double mean = sum / static_cast<double>(result.threads.threads.size());
    result.hybrid = ratio(mean, result.runtime);
    result.thread_parallel = *result.hybrid / *result.parallel;
    result.thread_load_balance = ratio(mean, most) / *result.load_balance;
    result.thread_communication =
        ratio(static_cast<double>(most), result.runtime) / *result.communication;
}

void add_threads(TraceFile& file, Efficiency& result) {
    std::vector<ProcessSpan> processes;
    for (u32 rank = 0; rank < result.ranks.size(); ++rank) {
        processes.push_back({threads_of(file, file.definitions().locations_of_rank(rank)),
                             result.ranks[rank].begin, result.ranks[rank].end});
    }
    result.threads = thread_efficiency(file, processes);
    add_thread_figures(result);
}

/// A program without MPI: its processes compute all the time.
Efficiency threads_alone(TraceFile& file) {
    Efficiency result;
    result.has_mpi = false;
    result.ticks_per_second = file.definitions().timer_resolution();
    const std::vector<ProcessSpan> processes = processes_of(file);
    for (const ProcessSpan& process : processes) {
        RankEfficiency& rank = result.ranks.emplace_back();
        rank.begin = process.begin;
        rank.end = process.end;
        rank.computation = rank.ideal = process.end - process.begin;
    }
    add_figures(result);
    result.threads = thread_efficiency(file, processes);
    add_thread_figures(result);
    return result;
}

}  // namespace

Efficiency trace_efficiency(TraceFile& file) {
    refuse_without_times(file);
    const bool threads = has_threads(file);
    if (file.definitions().world_size() == 0 && threads) return threads_alone(file);
    refuse_threads(file);
    WaitAnalysis analysis(file, first_locations(file));
    const CheckResult walk = check_replay(file, analysis, Times::read);
    analysis.finish();
    Efficiency result;
    result.ranks = analysis.ranks();
    result.ticks_per_second = file.definitions().timer_resolution();
    result.early_messages = analysis.early_messages();
    result.why_not_split = unknown_waits(walk, analysis);
    add_figures(result);
    add_waits(file.definitions(), analysis, result);
    if (threads) add_threads(file, result);
    return result;
}

}  // namespace tracefold
