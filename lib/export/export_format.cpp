// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/export_format.hpp"

#include "base/error.hpp"
#include "export/formats/export_team.hpp"
#include "export/proxy/write_proxy.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <algorithm>

namespace tracefold {

std::string_view outcome_name(ExportOutcome outcome) {
    constexpr std::string_view kNames[kExportOutcomes] = {"written", "expanded", "approximated",
                                                          "merged", "dropped"};
    return kNames[static_cast<std::size_t>(outcome)];
}

void ExportReport::add(Counts& counts, std::string_view thing, u64 times) {
    if (times == 0) return;
    const auto found = counts.find(thing);
    if (found != counts.end()) {
        found->second += times;
    } else {
        counts.emplace(thing, times);
    }
}

void ExportReport::add(const ExportReport& other) {
    for (const auto& [thing, times] : other.contents_) add(contents_, thing, times);
    for (std::size_t outcome = 0; outcome < kExportOutcomes; ++outcome) {
        for (const auto& [thing, times] : other.counts_[outcome])
            add(counts_[outcome], thing, times);
    }
    calls += other.calls;
    bytes += other.bytes;
}

u64 ExportReport::total(ExportOutcome outcome) const {
    u64 sum = 0;
    for (const auto& [thing, times] : of(outcome)) sum += times;
    return sum;
}

namespace {

using Output = ExportFormat::Output;

/// The only list of formats. A new one needs a line here and a section in
/// docs/reference/exports.md.
constexpr ExportFormat kFormats[] = {
    {"ti", "SimGrid time-independent traces, for smpirun -replay",
     "messages, waits, collective operations (native of all ranks, else as messages), computation",
     "one-sided communication, files, neighbourhood collectives, regions, send modes", ".ti",
     Output::folder, write_simgrid_ti, "--sizes --collectives --flops-per-ns --platform-template",
     true},
    {"goal", "GOAL schedule, for LogGOPSim, ATLAHS and htsim",
     "messages and waits, collective operations as messages, computation",
     "one-sided communication, files, neighbourhood collectives, regions, send modes", ".goal",
     Output::file, write_goal, "--sizes --collectives --calc-unit", true},
    {"c", "Proxy application: a C99 program with the trace's loops, MPI calls and computation",
     "messages, collectives, communicators, one-sided communication and MPI-IO with all arguments; "
     "the mean computation before each call",
     "intercommunicators, neighbourhood collectives; the time of single calls; datatypes, buffers "
     "and operations of reductions",
     ".c", Output::file, write_c, "--sizes --allow-left-out", true},
    {"dim", "Dimemas trace, for Dimemas and the efficiency analysis of POP",
     "messages, waits, collective operations on any communicator, computation",
     "one-sided communication, files, neighbourhood collectives, regions, send modes", ".dim",
     Output::file, write_dimemas, "--sizes --collectives", true},
    {"dumpi", "SST DUMPI trace, for SST/macro, CODES and the tools of sst-dumpi",
     "messages, waits, blocking collective operations on any communicator, the times of calls",
     "one-sided communication, files, neighbourhood collectives, regions, send modes", ".dumpi",
     Output::folder, write_dumpi, "--sizes --collectives", true},
    {"chakra", "MLCommons Chakra execution traces, for ASTRA-sim",
     "messages, waits, collective operations (those that ASTRA-sim simulates, else as messages), "
     "computation in microseconds",
     "one-sided communication, files, neighbourhood collectives, regions, send modes", ".chakra",
     Output::folder, write_chakra, "--sizes --collectives --collective-nodes --platform-template",
     true},
    {"prv", "Paraver trace, for wxparaver, paramedir and prv2dim",
     "MPI calls and regions of all threads, states, messages, sizes of collective operations",
     "metrics, threading, one-sided communication and files except their calls, the machine",
     ".prv", Output::file, write_paraver},
    {"csv",
     "Tables of calls, messages, collective operations and regions, for pandas, DuckDB and R",
     "calls and regions with their times, messages from call to completion, one-sided transfers",
     "metrics, threading, synchronisation of windows and files except their calls", ".csv",
     Output::folder, write_csv, "--pipit"},
    {"chrome", "Chrome trace JSON, for Perfetto and speedscope",
     "regions of all threads, messages as arrows, sizes of collectives, metrics as counters",
     "non-blocking collectives except their calls, threading, one-sided communication, files, "
     "parameters",
     ".json", Output::file, write_chrome},
    {"jsonl", "JSON Lines: one object per MPI call, for scripts of all kinds",
     "every MPI call with its times and the data of all its records",
     "regions outside of MPI, threads that do not call MPI, metrics", ".jsonl", Output::file,
     write_jsonl},
};

}  // namespace

bool ExportFormat::takes(std::string_view option) const {
    std::string_view left = settings;
    while (!left.empty()) {
        const std::string_view word = left.substr(0, left.find(' '));
        if (word == option) return true;
        left.remove_prefix(std::min(word.size() + 1, left.size()));
    }
    return false;
}

std::span<const ExportFormat> export_formats() { return kFormats; }

const ExportFormat* find_export_format(std::string_view name) {
    const auto* const found = std::ranges::find(kFormats, name, &ExportFormat::name);
    return found == std::end(kFormats) ? nullptr : found;
}

ExportReport write_c(TraceFile& file, const std::string& output, const ExportOptions& options) {
    require_ranks(file, "a proxy application");
    TextFile out(output, options.force);
    const auto [model, source] = make_proxy(file, options.progress, options.sizes);
    out << source;
    out.commit();
    ExportTeam team(file, options);
    ExportReport& report = team.report();
    report.calls = model.read_calls;
    report.count(ExportOutcome::written, "calls", model.calls);
    for (const auto& [name, calls] : model.left_out) {
        report.count(ExportOutcome::dropped, name, calls);
        report.left_out += calls;
    }
    for (const auto& [name, calls] : model.inferred) {
        report.count(ExportOutcome::approximated, name, calls);
    }
    if (model.sizes_of_senders != 0) {
        report.count(ExportOutcome::approximated, kSizesOfSenders, model.sizes_of_senders);
    }
    for (const auto& [name, calls] : model.local) report.count(ExportOutcome::merged, name, calls);
    for (const auto& [type, records] : model.records) team.kept().add(type, records);
    team.kept().add_communication();
    team.kept().add_calls(model.read_calls);
    return team.finish(out.size());
}

}  // namespace tracefold
