// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/restore.hpp"
#include "common/clock_option.hpp"
#include "common/cut_option.hpp"
#include "common/trace_input.hpp"
#include "export/export_format.hpp"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

struct ConvertTarget {
    enum class Kind : u8 { otf2, text, tfold, exporter };

    Kind kind = Kind::otf2;
    const ExportFormat* format = nullptr;  ///< for Kind::exporter
    std::string_view name;
    std::string_view title;
    std::string_view keeps;
    std::string_view drops;
    std::string_view suffix;  ///< of its files; empty: none
};

/// All targets, in display order.
const std::vector<ConvertTarget>& convert_targets();

/// The target with the suffix of `output`. Throws Error(usage) if there is none.
const ConvertTarget& target_of_output(const std::string& output);

/// Output of `--to help`.
std::string describe_targets();

/// Options that select a part of the trace.
struct PartArguments : CutOption {
    NameFilter calls;
    RecordKindSet drop;
    bool closed = false;
    const CutReport* report = nullptr;  ///< set once the input is cut
};

/// Command line of trace_convert, without shared options.
struct ConvertArguments {
    TraceInput input;
    std::string output;
    const ConvertTarget* target = nullptr;
    PartArguments part;
    ClockOption clocks;
    const SyncReport* clock_report = nullptr;  ///< set once the clocks are corrected
    RestoredFiles restored = RestoredFiles::same_bytes;
    bool strict = false;
    bool allow_left_out = false;  ///< a proxy application may lack calls that communicate
    bool anonymize = false;
    bool dry_run = false;
    std::string mapping;  ///< file that maps original to neutral names; empty: none
    ExportOptions options;
    std::vector<const CLI::Option*> settings;  ///< options of some formats only
};

void add_options(CLI::App& app, ConvertArguments& arguments);

}  // namespace tracefold
