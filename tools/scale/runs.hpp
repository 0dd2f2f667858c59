// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/folded_input.hpp"
#include "common/console.hpp"
#include "common/json_document.hpp"
#include "core/json_writer.hpp"
#include "scaling/training_run.hpp"

#include <charconv>
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

}  // namespace tracefold
