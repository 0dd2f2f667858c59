// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scale/runs.hpp"

#include "common/trace_input.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <iterator>
#include <set>

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
            throw Error(ErrorKind::usage, "{} is a run of {}, and {} is one of {}",
                        runs.front().name, named(runs.front().program), run.name,
                        named(run.program));
        }
        const std::set<std::string> names = names_called(run, kinds);
        std::vector<std::string> common;
        std::ranges::set_intersection(first, names, std::back_inserter(common));
        if (2 * common.size() >= std::max(first.size(), names.size())) continue;
        throw Error(ErrorKind::usage,
                    "{} and {} have {} of {} kinds of calls in common: they are no runs of one "
                    "program",
                    runs.front().name, run.name, common.size(),
                    std::max(first.size(), names.size()));
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
    if (arguments.paths.size() < 2) {
        throw Error(ErrorKind::usage,
                    "{} is one run only; what changes with the number of ranks takes two at least",
                    arguments.paths.front());
    }
    std::vector<TraceInput> traces;
    for (const std::string& path : arguments.paths) {
        traces.push_back({path, arguments.drop_unknown});
    }
    return open_all(traces, console);
}

OpenedRuns::OpenedRuns(const RunArguments& arguments, Console& console)
    : inputs(open_runs(arguments, console)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        runs.push_back(read_run(inputs[i]->file(), arguments.paths[i], kinds));
    }
    std::ranges::stable_sort(runs, {}, &TrainingRun::ranks);
    expect_sizes(runs);
    expect_one_program(runs, kinds);
}

}  // namespace tracefold
