// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/trace_input.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "common/common_options.hpp"
#include "common/console.hpp"
#include "common/progress.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

std::unique_ptr<FoldedInput> open_checked(const TraceInput& input, Communicator& comm,
                                          Console& console) {
    if (input.opened != nullptr) return std::make_unique<FoldedInput>(input.opened->file);
    FoldedInputOptions options;
    options.scratch = scratch_directory();
    options.level = input.level;
    options.threads = input.threads;
    options.drop_unknown = input.drop_unknown;
    options.producer = "tracefold " TRACEFOLD_VERSION;
    std::optional<Progress> progress;
    options.expected_records = [&](u64 records) {
        progress.emplace(console, "folding", records, "records");
    };
    options.progress = [&](u64 records) { progress->advance(records); };
    auto opened = std::make_unique<FoldedInput>(comm, input.path, options);
    progress.reset();
    if (opened->was_folded()) {
        warn_about_dropped_unknown(opened->file().summary().dropped_unknown_records, console);
    }
    warn_about_clock(opened->file().definitions().knows_tick_rate(), input.path, console);
    return opened;
}

[[noreturn]] void refuse_idle_option(const TraceInput& input) {
    throw Error(ErrorKind::usage,
                "--drop-unknown applies to OTF2 archives only, and {} is already folded",
                input.path);
}

}  // namespace

void TraceInput::add_options(CLI::App& app) {
    add_trace_argument(app, "FILE", path);
    add_drop_unknown_option(app, drop_unknown);
}

void TraceInput::add_threads(CLI::App& app, const std::string& does) {
    add_threads_option(app, threads, does, "one per core for large traces, one under mpirun");
}

std::string TraceInput::name() const {
    const std::filesystem::path whole = path;
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::unique_ptr<FoldedInput> TraceInput::open(Communicator& comm, Console& console) const {
    std::unique_ptr<FoldedInput> input = open_checked(*this, comm, console);
    if (drop_unknown && !input->was_folded()) refuse_idle_option(*this);
    return input;
}

std::unique_ptr<FoldedInput> TraceInput::open(Console& console) const {
    SerialCommunicator alone;
    return open(alone, console);
}

CLI::Option* add_trace_argument(CLI::App& app, const std::string& name, std::string& path) {
    return app.add_option(name, path, "Folded file, or OTF2 archive (anchor file or folder)")
        ->type_name("")
        ->required();
}

CLI::Option* add_drop_unknown_option(CLI::App& app, bool& drop) {
    return app.add_flag("--drop-unknown", drop, "Skip and count records of types unknown to OTF2");
}

std::vector<std::unique_ptr<FoldedInput>> open_all(const std::vector<TraceInput>& inputs,
                                                   Console& console) {
    SerialCommunicator alone;
    std::vector<std::unique_ptr<FoldedInput>> opened;
    for (const TraceInput& input : inputs) opened.push_back(open_checked(input, alone, console));
    const bool idle =
        std::ranges::none_of(opened, [](const auto& one) { return one->was_folded(); });
    if (inputs.front().drop_unknown && idle) refuse_idle_option(inputs.front());
    return opened;
}

void warn_about_clock(bool knows_tick_rate, const std::string& path, Console& console) {
    if (knows_tick_rate) return;
    console.warning(path +
                    " claims a clock of 0 ticks per second: a tick is taken for a nanosecond");
}

void warn_about_dropped_unknown(u64 records, Console& console) {
    if (records == 0) return;
    console.warning(fmt::format("left out {}{} unknown to OTF2 (--drop-unknown)", records,
                                records == 1 ? " record of a type" : " records of types"));
}

}  // namespace tracefold
