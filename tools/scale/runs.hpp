// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/folded_input.hpp"
#include "common/console.hpp"
#include "common/json_document.hpp"
#include "core/json_writer.hpp"
#include "scaling/training_run.hpp"

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// The runs of a program as they stand on the command line.
struct RunArguments {
    std::vector<std::string> paths;
    bool drop_unknown = false;

    /// Adds the argument RUNS and --drop-unknown; `this` must outlive APP.
    void add_options(CLI::App& app);
};

/// Opens the runs. Throws Error: usage if there is one only; io, corrupt, unsupported.
std::vector<std::unique_ptr<FoldedInput>> open_runs(const RunArguments& arguments,
                                                    Console& console);

/// The runs, opened and read, by rising number of ranks.
struct OpenedRuns {
    std::vector<std::unique_ptr<FoldedInput>> inputs;
    CallTypes kinds;
    std::vector<TrainingRun> runs;

    /// Throws Error: usage if there is one only, two of one size, or runs of different programs;
    /// io, corrupt, unsupported.
    OpenedRuns(const RunArguments& arguments, Console& console);
};

/// The member "runs": file and number of ranks of each.
template <class Run>
void write_runs(const std::vector<Run>& runs, JsonWriter& json) {
    write_objects("runs", runs, json, [&](const Run& run) {
        json.member("file", run.name).member("ranks", run.ranks);
    });
}

}  // namespace tracefold
