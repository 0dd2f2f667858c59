// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/restore.hpp"
#include "common/clock_option.hpp"
#include "common/part_options.hpp"
#include "common/trace_input.hpp"
#include "convert/target.hpp"
#include "cut/cut_trace.hpp"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// The options that name a part of the trace.
struct PartArguments {
    RankList ranks;
    TimeWindow window;
    RankList iterations;
    NameFilter regions;
    NameFilter calls;
    RecordKindSet drop;
    bool closed = false;
    std::vector<const CLI::Option*> options;  ///< these, in the order of the manual
    const CutReport* report = nullptr;        ///< once the input is the part alone
};

/// The command line of trace_convert, without the options that all tools share.
struct ConvertArguments {
    TraceInput input;
    std::string output;
    const ConvertTarget* target = nullptr;
    PartArguments part;
    ClockOption clocks;
    const SyncReport* clock_report = nullptr;  ///< once the clocks of the input are corrected
    RestoredFiles restored = RestoredFiles::same_bytes;
    bool strict = false;
    bool anonymize = false;
    bool dry_run = false;
    std::string mapping;  ///< file for original and neutral names; empty: none
    ExportOptions options;
    std::vector<const CLI::Option*> settings;  ///< options that only some formats take
};

void add_options(CLI::App& app, ConvertArguments& arguments);

}  // namespace tracefold
