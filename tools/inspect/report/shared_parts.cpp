// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/report/shared_parts.hpp"

#include "analysis/timeline.hpp"

namespace tracefold {

namespace {

/// Levels of call paths that are shown.
constexpr u32 kProfileDepth = 6;
/// Columns of a heat map and its bins.
constexpr u32 kMostReportColumns = 100;
constexpr u32 kBins = 24;

/// Rows come with the most time first.
std::string busiest_of(const Statistics& statistics) {
    if (!keeps_every_time(statistics.timing)) return "";
    for (const Statistics::Row& row : statistics.rows) {
        if (row.mpi && !is_set_up(row.name())) return row.name();
    }
    return "";
}

std::optional<Distribution> over_time(Communicator& comm, TraceFile& file, FoundSteps& steps,
                                      const std::string& function, int fanout) {
    DistributionRequest request;
    request.samples.steps = &steps;
    request.samples.rows.matches = [&function](const std::string& name) {
        return name == function;
    };
    request.samples.rows.together = function;
    request.over = Over::iterations;
    request.bins = kBins;
    request.columns = kMostReportColumns;
    return collect_distribution(comm, file, request, fanout);
}

ClassesView classes_of(Communicator& comm, TraceFile& file, const std::string& name, int fanout) {
    ClassRequest request;
    request.signature.kind = SignatureKind::calls;
    SampleRequest samples;
    samples.rows.together = "MPI calls";
    samples.rows.only_mpi = true;
    ClassesView view;
    static_cast<ClassFigures&>(view) = collect_figures(comm, file, request, samples, fanout);
    view.file = name;
    view.by = "calls";
    view.what = "MPI calls";
    return view;
}

}  // namespace

SharedParts shared_parts(Communicator& comm, TraceFile& file, FoundSteps& steps,
                         const std::string& name, int fanout) {
    SharedParts parts;
    parts.profile.file = name;
    parts.profile.depth = kProfileDepth;
    ProfileRequest request;
    request.selected.assign(file.location_count(), true);
    parts.profile.data = trace_profile(comm, file, request);
    SampleRequest samples;
    samples.steps = &steps;
    samples.iterations = keeps_every_time(file.summary().timing);
    parts.statistics = collect_statistics(comm, file, samples, fanout);
    parts.classes = classes_of(comm, file, name, fanout);
    const bool has_columns = samples.iterations && parts.statistics.iterations > 1;
    parts.busiest = comm.broadcast(has_columns ? busiest_of(parts.statistics) : "", 0);
    if (!parts.busiest.empty())
        parts.over_time = over_time(comm, file, steps, parts.busiest, fanout);
    return parts;
}

}  // namespace tracefold
