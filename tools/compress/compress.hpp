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

/// The command line of trace_compress, without the options that all tools share.
struct CompressArguments {
    std::string archive;
    std::string output;  ///< empty: ARCHIVE's name with .tfold, beside it
    TimingLevel timing = TimingLevel::exact;
    std::optional<double> time_error;  ///< relative, of quantized times
    std::optional<bool> verify;        ///< unset: if every time is kept
    bool exact_bytes = true;           ///< as in CompressOptions
    int level = 19;
    bool portable = false;
    u32 threads = 0;  ///< as in CompressOptions
    bool drop_unknown = false;
    bool rescue = false;
    bool with_extra_files = false;
    bool estimate = false;  ///< only say how large the file would become

    /// In parts per million. Throws Error(usage) if an error is asked for at another level.
    [[nodiscard]] u32 time_error_ppm() const;
    [[nodiscard]] bool verifies() const { return verify.value_or(keeps_every_time(timing)); }
};

void add_options(CLI::App& app, CompressArguments& arguments);

/// Where the result goes if no -o is given: the archive's folder (or anchor) with the suffix
/// .tfold.
std::string default_output(const std::string& archive);

/// Reports how large the file would become at each timing level. Rank 0 does the work, all
/// processes end alike.
ExitCode run_estimate(Communicator& comm, const CompressArguments& arguments, Console& console);

/// Folds the archive and reports the result on rank 0.
ExitCode run_compress(Communicator& comm, const CompressArguments& arguments, Console& console,
                      const CommonOptions& common, const std::string& producer);

}  // namespace tracefold
