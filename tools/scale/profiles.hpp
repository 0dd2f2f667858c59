// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scale/runs.hpp"
#include "scaling/run_models.hpp"

#include <functional>
#include <vector>

namespace tracefold {

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
