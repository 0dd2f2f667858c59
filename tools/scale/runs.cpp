// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scale/runs.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "common/text.hpp"
#include "common/trace_input.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>

#include <fmt/core.h>

namespace tracefold {

namespace {

std::set<std::string> names_called(const TrainingRun& run, const CallTypes& kinds) {
    std::set<std::string> names;
    for (const auto& threads : run.locations) {
        for (const auto& location : threads) {
            for (const u32 call : location.events->calls) names.insert(kinds[call].name);
        }
    }
    return names;
}

std::string named(const std::string& program) {
    return program.empty() ? "a program without a name" : program;
}

/// Runs of one program call mostly the same functions.
void expect_one_program(const std::vector<TrainingRun>& runs, const CallTypes& kinds) {
    const std::set<std::string> first = names_called(runs.front(), kinds);
    for (const TrainingRun& run : runs) {
        if (run.program != runs.front().program) {
            throw Error(ErrorKind::usage, "{} is a run of {}, but {} is a run of {}",
                        runs.front().name, named(runs.front().program), run.name,
                        named(run.program));
        }
        const std::set<std::string> names = names_called(run, kinds);
        std::vector<std::string> common;
        std::ranges::set_intersection(first, names, std::back_inserter(common));
        if (2 * common.size() >= std::max(first.size(), names.size())) continue;
        throw Error(
            ErrorKind::usage,
            "{} and {} have {} of {} kinds of calls in common: they are not runs of one program",
            runs.front().name, run.name, common.size(), std::max(first.size(), names.size()));
    }
}

void expect_sizes(const std::vector<TrainingRun>& runs) {
    for (std::size_t i = 1; i < runs.size(); ++i) {
        if (runs[i - 1].ranks != runs[i].ranks) continue;
        throw Error(ErrorKind::usage, "{} and {} are both runs of {} ranks; one of each is enough",
                    runs[i - 1].name, runs[i].name, runs[i].ranks);
    }
}

}  // namespace

void RunArguments::add_options(CLI::App& app) {
    app.add_option("RUNS", paths,
                   "Runs of one program with different numbers of ranks: folded files, or OTF2 "
                   "archives (anchor file or folder)")
        ->required()
        ->default_str("")
        ->type_name("FILE");
    add_drop_unknown_option(app, drop_unknown);
}

std::vector<std::unique_ptr<FoldedInput>> open_runs(const RunArguments& arguments,
                                                    Console& console) {
    if (arguments.paths.size() < 2 && std::filesystem::exists(arguments.paths.front())) {
        throw Error(ErrorKind::usage, "{} is the only run; give at least two",
                    arguments.paths.front());
    }
    std::vector<TraceInput> traces;
    for (const std::string& path : arguments.paths) {
        traces.push_back({path, arguments.drop_unknown});
    }
    return open_all(traces, console);
}

OpenedRuns::OpenedRuns(const RunArguments& arguments, Console& console,
                       const std::function<bool(const std::string& path, u32 ranks)>& uses)
    : inputs(open_runs(arguments, console)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const u32 ranks = inputs[i]->file().definitions().world_size();
        if (uses && !uses(arguments.paths[i], ranks)) continue;
        runs.push_back(read_run(inputs[i]->file(), arguments.paths[i], kinds));
    }
    std::ranges::stable_sort(runs, {}, &TrainingRun::ranks);
    expect_sizes(runs);
    expect_one_program(runs, kinds);
}

namespace {

/// "n=8,27,64"
void parse_parameter(const std::string& text, RunParameter& out) {
    const std::size_t equals = text.find('=');
    const bool has_name = equals != 0 && equals != std::string::npos;
    const auto values = has_name ? parse_numbers<double>(text.substr(equals + 1)) : std::nullopt;
    if (!values) throw CLI::ValidationError("--param", text + " is not like n=100,200,400");
    out.name = text.substr(0, equals);
    out.values = *values;
}

}  // namespace

void RunParameter::add_options(CLI::App& app) {
    app.add_option_function<std::string>(
           "--param", [this](const std::string& text) { parse_parameter(text, *this); },
           "Parameter that differs between the runs instead of the number of ranks: its name, and "
           "its value in each run, at least 1")
        ->type_name("NAME=V1,V2,...");
}

RunProfiles::RunProfiles(
    const RunArguments& arguments, Console& console,
    const std::function<RunProfileRequest(std::size_t run, u32 ranks)>& request_of)
    : inputs(open_runs(arguments, console)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        TraceFile& file = inputs[i]->file();
        const RunProfileRequest request = request_of(i, file.definitions().world_size());
        runs.push_back(profile_run(file, arguments.paths[i], request));
    }
    unify_roots(runs);
}

void RunProfiles::sort_by(const RunParameter& parameter) {
    if (!parameter.values.empty()) {
        if (parameter.values.size() != runs.size()) {
            throw Error(ErrorKind::usage, "--param has {} values of {} for {} runs",
                        parameter.values.size(), parameter.name, runs.size());
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (runs[i].ranks != runs.front().ranks) {
                throw Error(ErrorKind::usage,
                            "{} has {} ranks and {} has {}: numbers are functions of one "
                            "parameter, so runs that differ in {} need the same number of ranks",
                            runs.front().name, runs.front().ranks, runs[i].name, runs[i].ranks,
                            parameter.name);
            }
            runs[i].size = parameter.values[i];
        }
    }
    std::ranges::stable_sort(runs, {}, &RunProfile::size);
}

void write_file(const std::string& path, const std::string& text, bool force) {
    AtomicFile file(path, force);
    file.write(text);
    file.commit();
}

std::string unit_text(Unit unit, double value) {
    if (unit == Unit::seconds) return format_time(value);
    if (unit == Unit::bytes) return format_size(static_cast<u64>(std::llround(value)));
    const bool whole = value == std::floor(value) || value >= 1000;
    return whole ? format_count(static_cast<u64>(std::llround(value)))
                 : fmt::format("{:.3g}", value);
}

}  // namespace tracefold
