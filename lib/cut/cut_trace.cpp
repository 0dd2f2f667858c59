// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "cut/cut_trace.hpp"

#include "core/error.hpp"
#include "cut/cut_source.hpp"
#include "cut/interval_finder.hpp"
#include "model/definition_table.hpp"
#include "query/record_counts.hpp"

namespace tracefold::inline cut {

namespace {

/// Names that no region has are a mistake.
void check_names(TraceFile& file, const CutRequest& request) {
    bool any_region = !request.regions;
    bool any_call = !request.calls;
    drain(*file.global_definitions(), [&](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type != static_cast<u8>(DefinitionType::Region)) continue;
            const std::string& name = file.definitions().region_name(batch.values(head)[0]);
            any_region = any_region || request.regions(name);
            any_call = any_call || request.calls(name);
        }
    });
    for (const auto& [any, option] : {std::pair(any_region, "--regions"), {any_call, "--calls"}}) {
        if (any) continue;
        throw Error(ErrorKind::usage, "the trace has no region of a name that {} gives", option);
    }
}

/// Kinds of records alone tear nothing apart, as long as all of an operation is of one kind.
bool needs_partners(const CutRequest& request) {
    return request.has_window() || request.has_names() || request.closed ||
           !request.locations.empty() || request.drops(RecordKind::messages) ||
           request.drops(RecordKind::collectives);
}

CutReport report_of(TraceFile& file, const CutRequest& request, const CutSource& source,
                    const PartnerFindings& partners) {
    CutReport report;
    report.events = source.all();
    report.kept = source.kept();
    report.added = source.added();
    report.partners = partners.counts;
    report.dropped_files = source.dropped_files();
    ExecutionCounts executions(file.index());
    const std::vector<u64> all = record_counts(file.structure(), executions);
    for (u8 type = 0; type < kEventTypes; ++type) {
        const u64 dropped = all[type] - source.counts().kept[type];
        if (dropped != 0) report.dropped_records[std::string(event_info(type).name)] = dropped;
    }
    for (std::size_t kind = 0; kind < kRecordKinds; ++kind) {
        if (request.drop.test(kind) && source.counts().unwanted[kind] == 0) {
            report.idle.push_back(static_cast<RecordKind>(kind));
        }
    }
    report.dropped_attributes =
        source.counts().unwanted[static_cast<std::size_t>(RecordKind::attributes)];
    return report;
}

}  // namespace

CutReport cut_trace(TraceFile& file, const CutRequest& request, const CutOutput& output) {
    check_names(file, request);
    const std::vector<Intervals> intervals = find_intervals(file, request);
    PartnerFindings partners;
    if (needs_partners(request)) partners = find_partners(file, request, intervals);
    CutSource source(file, request, intervals, partners, output.progress);
    // Times that were quantised once would lose as much again; those made of durations stay.
    const TimingLevel timing =
        file.summary().timing == TimingLevel::none ? TimingLevel::none : TimingLevel::exact;
    const u64 bytes = fold_derived(file, source, {output.path, timing, output.level, output.force});
    CutReport report = report_of(file, request, source, partners);
    report.file_bytes = bytes;
    return report;
}

}  // namespace tracefold::inline cut
