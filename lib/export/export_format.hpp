// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "base/types.hpp"
#include "file/trace_file.hpp"
#include "mpi/conversion_choices.hpp"

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace tracefold {

/// "written"
std::string_view outcome_name(ExportOutcome outcome);

/// What is approximated with SizeSource::sender.
inline constexpr std::string_view kSizesOfSenders = "receives (in the size of their sends)";

/// What a conversion did: how many of which things of the trace had which outcome, named by their
/// MPI function ("MPI_Put") or record type ("Metric records"), and what the output has how often,
/// in the words of its format ("isend").
class ExportReport {
  public:
    using Counts = std::map<std::string, u64, std::less<>>;

    void count(ExportOutcome outcome, std::string_view thing, u64 times = 1) {
        add(counts_[static_cast<std::size_t>(outcome)], thing, times);
    }
    [[nodiscard]] const Counts& of(ExportOutcome outcome) const {
        return counts_[static_cast<std::size_t>(outcome)];
    }
    [[nodiscard]] u64 total(ExportOutcome outcome) const;
    void contain(std::string_view thing, u64 times) { add(contents_, thing, times); }
    [[nodiscard]] const Counts& contents() const { return contents_; }

    /// What else was converted: all but the ranks, of which each report has the same.
    void add(const ExportReport& other);

    u32 ranks = 0;
    u64 calls = 0;  ///< MPI calls of the trace
    u64 bytes = 0;  ///< of the output

  private:
    static void add(Counts& counts, std::string_view thing, u64 times);

    Counts contents_;
    std::array<Counts, kExportOutcomes> counts_;
};

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

// The functions behind export_formats(), one file each.
WriteExport write_c;
WriteExport write_chakra;
WriteExport write_chrome;
WriteExport write_csv;
WriteExport write_dimemas;
WriteExport write_dumpi;
WriteExport write_goal;
WriteExport write_jsonl;
WriteExport write_paraver;
WriteExport write_simgrid_ti;

}  // namespace tracefold
