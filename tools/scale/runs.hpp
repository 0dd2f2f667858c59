// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/folded_input.hpp"
#include "base/json_writer.hpp"
#include "common/console.hpp"
#include "common/output_format.hpp"
#include "forecast/run_profile.hpp"
#include "forecast/training_run.hpp"

#include <charconv>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// Numbers of at least 1 with commas between them; nothing if the text is something else.
template <class Number>
std::optional<std::vector<Number>> parse_numbers(std::string_view text) {
    std::vector<Number> numbers;
    const char* at = text.data();
    const char* end = at + text.size();
    while (true) {
        Number number = 0;
        const auto [next, error] = std::from_chars(at, end, number);
        if (error != std::errc() || !(number >= 1) || (next != end && *next != ',')) return {};
        numbers.push_back(number);
        if (next == end) return numbers;
        at = next + 1;
    }
}

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

/// What the sizes of runs are, if not their numbers of ranks.
struct RunParameter {
    std::string name = "p";
    std::vector<double> values;  ///< by run as on the command line; empty: the ranks

    /// Adds the option --param; `this` must outlive APP.
    void add_options(CLI::App& app);
};

/// The call-path profiles of runs. Throws Error: usage if there is one run only, or if runs differ
/// in a parameter and in the number of ranks as well; io, corrupt.
struct RunProfiles {
    std::vector<std::unique_ptr<FoldedInput>> inputs;
    std::vector<RunProfile> runs;  ///< in the order of the command line

    /// `request_of`: what is asked for of a run, by its place on the command line and its ranks.
    RunProfiles(const RunArguments& arguments, Console& console,
                const std::function<RunProfileRequest(std::size_t run, u32 ranks)>& request_of);

    /// By rising size; sizes are those of the parameter.
    void sort_by(const RunParameter& parameter);
};

/// A number with its unit: "1.2 ms", "3.4 kB", "12.5".
std::string unit_text(Unit unit, double value);

}  // namespace tracefold
