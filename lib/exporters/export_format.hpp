// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/export.hpp"
#include "core/progress_sink.hpp"
#include "exporters/export_report.hpp"
#include "replay/check.hpp"
#include "schedules/schedule.hpp"
#include "trace/trace_file.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tracefold {

/// How to convert. A format looks only at the settings that it names in ExportFormat::settings.
struct ExportOptions {
    bool force = false;     ///< replace what stands at the output
    u32 threads = 1;        ///< among which ranks are shared out; 0: as many as pay
    ProgressSink progress;  ///< called with MPI calls written since the last time; may be empty
    /// Simulators: how collective operations become messages where the format does not have them.
    CollectiveAlgorithm collectives = CollectiveAlgorithm::automatic;
    SizeSource sizes = SizeSource::recorded;  ///< simulators and C: of messages
    double flops_per_ns = 1;         ///< TI: work that stands for a nanosecond of computation
    bool platform_template = false;  ///< TI, Chakra: a description of a machine as well
    bool collective_nodes = false;   ///< Chakra: collective operations of all types are nodes
    bool pipit = false;              ///< CSV: events.csv for Pipit as well
    double calc_unit_ns = 1;         ///< GOAL: nanoseconds in a unit of computation
};

/// Writes the trace to `output`, which appears whole or not at all. Memory: the folded size and
/// what one location needs. Throws Error: io, corrupt, unsupported (the format cannot say what is
/// in the trace at all).
using WriteExport = ExportReport(TraceFile& file, const std::string& output,
                                 const ExportOptions& options);

/// A format that a trace can be converted to.
struct ExportFormat {
    enum class Output : u8 { file, folder };

    std::string_view name;    ///< of --to
    std::string_view title;   ///< what it is, and who reads it
    std::string_view keeps;   ///< of a trace
    std::string_view drops;   ///< whatever the trace is
    std::string_view suffix;  ///< of the output, if no name is given
    Output output = Output::file;

    WriteExport* write = nullptr;
    /// The options of trace_convert that it takes besides those that all take, a blank apart.
    std::string_view settings = {};
    /// What has no partner would make its reader wait for ever, or be left out.
    bool needs_partners = false;

    /// True if `option` ("--pipit") is among its settings.
    [[nodiscard]] TRACEFOLD_API bool takes(std::string_view option) const;
};

/// All of them, in the order in which people are told.
TRACEFOLD_API std::span<const ExportFormat> export_formats();

/// Null if there is none of that name.
TRACEFOLD_API const ExportFormat* find_export_format(std::string_view name);

}  // namespace tracefold
