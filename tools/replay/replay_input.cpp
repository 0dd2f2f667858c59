// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/replay_input.hpp"

#include "archives/archive_source.hpp"
#include "archives/input_kind.hpp"
#include "common/check_report.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "mpi/call_fingerprint.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "replay/run.hpp"

namespace tracefold {

ReplayInput::ReplayInput(const TraceInput& input, Console& console) : input_(input) {
    try {
        look(console);
        if (ranks_ != 0) return;
        failure_ = Error(ErrorKind::unsupported, input.path + " contains no MPI program");
    } catch (const Error& error) {
        failure_ = error;
    }
}

void ReplayInput::look(Console& console) {
    refuse_foreign_input(input_.path);
    if (is_archive(input_.path)) {
        const ArchiveOutline outline = outline_archive(input_.path, {input_.drop_unknown});
        ranks_ = outline.ranks;
        threads_ = outline.has_threads;
        return;
    }
    opened_ = input_.open(console);
    ranks_ = opened_->file().definitions().world_size();
    threads_ = calls_mpi_from_threads(opened_->file());
}

void ReplayInput::check() const {
    if (failure_) throw *failure_;
}

void ReplayInput::expect_alike(Communicator& comm) const {
    if (opened_) return opened_->expect_alike(comm);
    // Folding an archive compares the rest.
    tracefold::expect_alike(comm, ranks_, input_.path);
}

TraceFile& ReplayInput::open(Communicator& comm, Console& console) {
    if (!opened_) opened_ = input_.open(comm, console);
    return opened_->file();
}

namespace {

/// Sizes of messages; a few recorders write lengths around 2^64 for "unknown".
std::string size_text(u64 bytes) { return bytes == 0 ? "" : format_size(bytes); }

void print_text(const std::string& path, const DryRun& run, Console& console) {
    console.text() << console.paint(Style::bold, path) << ": " << run.calls << " MPI calls of "
                   << run.ranks << " ranks on " << run.locations << " locations\n";
    Table table({{"call"}, {"calls", kRight}, {"sent", kRight}, {"received", kRight}, {"kind"}});
    for (const DryRun::Function& function : run.functions) {
        table.add_row({function.name, std::to_string(function.calls), size_text(function.sent),
                       size_text(function.received), std::string(family_name(function.family))});
    }
    if (!run.functions.empty()) table.print(console, 2);
    for (const Finding& finding : run.inferred) print_finding(finding, {}, console);
}

void print_json(const std::string& path, const DryRun& run, Console& console) {
    JsonWriter json(console.out(), console.json_layout());
    begin_document(json, "dry_run")
        .member("file", path)
        .member("ranks", run.ranks)
        .member("locations", run.locations)
        .member("calls", run.calls);
    json.key("functions").begin_array();
    for (const DryRun::Function& function : run.functions) {
        json.begin_object()
            .member("name", function.name)
            .member("kind", family_name(function.family))
            .member("calls", function.calls)
            .member("bytes_sent", function.sent)
            .member("bytes_received", function.received)
            .end_object();
    }
    json.end_array();
    json.key("inferred").begin_array();
    for (const Finding& finding : run.inferred) write_finding(finding, {}, json);
    json.end_array().end_object();
}

}  // namespace

CheckChoice check_choice(const ReplayOptions& options) {
    return {options.skip_unsupported, options.neighbour_bytes.has_value()};
}

std::string fingerprint_of(TraceFile& file, const ReplayOptions& options) {
    return fingerprint_text(replay_fingerprint(
        file,
        {options.window, options.wildcards, options.neighbour_bytes, options.skip_unsupported}));
}

ExitCode print_fingerprint(const ReplayArguments& arguments, Console& console) {
    const std::unique_ptr<FoldedInput> opened = arguments.input.open(console);
    const std::string text = fingerprint_of(opened->file(), arguments.options);
    if (console.json()) {
        begin_document(console, "fingerprint")
            .member("file", arguments.input.path)
            .member("fingerprint", text)
            .end_object();
    } else {
        console.out() << text << '\n';
    }
    return exit_ok;
}

ExitCode run_dry(const TraceInput& input, Console& console) {
    const std::unique_ptr<FoldedInput> opened = input.open(console);
    const DryRun run = dry_run(opened->file());
    if (console.json()) {
        print_json(input.path, run, console);
    } else {
        print_text(input.path, run, console);
    }
    return exit_ok;
}

}  // namespace tracefold
