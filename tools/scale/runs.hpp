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

/// The runs of a program on the command line.
struct RunArguments {
    std::vector<std::string> paths;
    bool drop_unknown = false;

    /// Adds the argument RUNS and --drop-unknown; `this` must outlive APP.
    void add_options(CLI::App& app);
};

/// Parses comma-separated numbers of at least 1; none if the text is invalid.
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

/// Opens the runs. Throws Error: usage for a single run; io, corrupt, unsupported.
std::vector<std::unique_ptr<FoldedInput>> open_runs(const RunArguments& arguments,
                                                    Console& console);

/// The runs, opened and read, by ascending number of ranks.
struct OpenedRuns {
    std::vector<std::unique_ptr<FoldedInput>> inputs;
    CallTypes kinds;
    std::vector<TrainingRun> runs;

    /// `uses`: if given, whether to read a run, by its path and number of ranks. Throws Error:
    /// usage for a single run, equal numbers of ranks, or different programs; io, corrupt,
    /// unsupported.
    OpenedRuns(const RunArguments& arguments, Console& console,
               const std::function<bool(const std::string& path, u32 ranks)>& uses = {});
};

/// Writes the member "runs": file and number of ranks of each.
template <class Run>
void write_runs(const std::vector<Run>& runs, JsonWriter& json) {
    write_objects("runs", runs, json, [&](const Run& run) {
        json.member("file", run.name).member("ranks", run.ranks);
    });
}

/// The independent variable of runs, if not the number of ranks.
struct RunParameter {
    std::string name = "p";
    std::vector<double> values;  ///< by run in command line order; empty: ranks

    /// Adds the option --param; `this` must outlive APP.
    void add_options(CLI::App& app);
};

/// Call-path profiles of runs. Throws Error: usage for a single run, or if both a parameter and the
/// number of ranks vary; io, corrupt.
struct RunProfiles {
    std::vector<std::unique_ptr<FoldedInput>> inputs;
    std::vector<RunProfile> runs;  ///< in command line order

    /// `request_of`: the request for a run, by command line position and ranks.
    RunProfiles(const RunArguments& arguments, Console& console,
                const std::function<RunProfileRequest(std::size_t run, u32 ranks)>& request_of);

    /// Sorts by ascending size, which is the parameter's value.
    void sort_by(const RunParameter& parameter);
};

/// Writes a text as a file, whole or not at all. Throws Error(io).
void write_file(const std::string& path, const std::string& text, bool force);

/// A number with its unit: "1.2 ms", "3.4 kB", "12.5".
std::string unit_text(Unit unit, double value);

}  // namespace tracefold
