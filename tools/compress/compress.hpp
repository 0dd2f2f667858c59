// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "common/run_tool.hpp"
#include "model/archive_info.hpp"

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace tracefold {

/// Command line of trace_compress, without shared options.
struct CompressArguments {
    std::string archive;
    std::string output;  ///< empty: ARCHIVE's name with suffix .tfold, next to it
    TimingLevel timing = TimingLevel::exact;
    std::optional<double> time_error;  ///< relative error of quantised times
    std::optional<bool> verify;        ///< unset: verify if all times are kept
    bool exact_bytes = true;           ///< see CompressOptions
    int level = 19;
    bool portable = false;
    u32 threads = 0;  ///< see CompressOptions
    bool drop_unknown = false;
    bool rescue = false;
    bool with_extra_files = false;
    bool estimate = false;  ///< only estimate the size

    /// In parts per million. Throws Error(usage) if an error is given at another level.
    [[nodiscard]] u32 time_error_ppm() const;
    [[nodiscard]] bool verifies() const { return verify.value_or(keeps_every_time(timing)); }
};

void add_options(CLI::App& app, CompressArguments& arguments);

/// Default output: the archive's folder (or anchor) with suffix .tfold.
std::string default_output(const std::string& archive);

/// Reports the estimated file size for each timing level. Rank 0 works; all exit alike.
ExitCode run_estimate(Communicator& comm, const CompressArguments& arguments, Console& console);

/// Folds the archive and reports the result on rank 0.
ExitCode run_compress(Communicator& comm, const CompressArguments& arguments, Console& console,
                      const CommonOptions& common, const std::string& producer);

}  // namespace tracefold
