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
    if (locations.empty()) throw Error(ErrorKind::usage, "the trace has no MPI ranks");
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
    return {};
}

std::string path_of(const DefinitionIndex& definitions, const CallTree& tree, u32 node) {
    std::string path;
    for (u32 at = node; at != kNone; at = tree[at].parent) {
        const std::string name = call_name(definitions, tree[at]);
        path.insert(0, path.empty() ? name : name + "/");
    }
    return path;
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

}  // namespace

Efficiency trace_efficiency(TraceFile& file) {
    refuse_without_times(file);
    refuse_threads(file);
    WaitAnalysis analysis(file, first_locations(file));
    const CheckResult walk = check_replay(file, analysis, Times::read);
    Efficiency result;
    result.ranks = analysis.ranks();
    result.ticks_per_second = file.definitions().timer_resolution();
    result.early_messages = analysis.early_messages();
    result.why_not_split = unknown_waits(walk, analysis);
    add_figures(result);
    add_waits(file.definitions(), analysis, result);
    return result;
}

}  // namespace tracefold
