// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/restore.hpp"
#include "common/clock_option.hpp"
#include "common/part_options.hpp"
#include "common/trace_input.hpp"
#include "export/export_format.hpp"
#include "transform/cut_trace.hpp"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// A word of --to and what it means.
struct ConvertTarget {
    enum class Kind : u8 { otf2, text, tfold, exporter };

    Kind kind = Kind::otf2;
    const ExportFormat* format = nullptr;  ///< of Kind::exporter
    std::string_view name;
    std::string_view title;
    std::string_view keeps;
    std::string_view drops;
    std::string_view suffix;  ///< of its files; empty: it has none of its own
};

/// All of them, in the order in which people are told.
const std::vector<ConvertTarget>& convert_targets();

/// The one whose files are named like `output`. Throws Error(usage) if there is none.
const ConvertTarget& target_of_output(const std::string& output);

/// What `--to help` prints.
std::string describe_targets();

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
