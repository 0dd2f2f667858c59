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

/// Approximated with SizeSource::sender.
inline constexpr std::string_view kSizesOfSenders = "receives (in the size of their sends)";

/// The outcomes of a conversion: counts by outcome, named by MPI function ("MPI_Put") or record
/// type ("Metric records"), and the contents of the output in the terms of its format ("isend").
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

    /// Adds the counts of another report; `ranks` is the same in all.
    void add(const ExportReport& other);

    u32 ranks = 0;
    u64 calls = 0;     ///< MPI calls of the trace
    u64 bytes = 0;     ///< of the output
    u64 left_out = 0;  ///< calls that communicate and that a proxy application lacks

  private:
    static void add(Counts& counts, std::string_view thing, u64 times);

    Counts contents_;
    std::array<Counts, kExportOutcomes> counts_;
};

/// Settings of a conversion. Each format uses only those in its ExportFormat::settings.
struct ExportOptions {
    bool force = false;     ///< overwrite an existing output
    u32 threads = 1;        ///< that share the ranks; 0: as many as pay off
    ProgressSink progress;  ///< called with MPI calls written since the last call; may be empty
    /// Simulators: the algorithm for collective operations that the format lacks.
    CollectiveAlgorithm collectives = CollectiveAlgorithm::automatic;
    SizeSource sizes = SizeSource::recorded;  ///< simulators and C: size of messages
    double flops_per_ns = 1;                  ///< TI: work per nanosecond of computation
    bool platform_template = false;           ///< TI, Chakra: also write a description of a machine
    bool collective_nodes = false;  ///< Chakra: collective operations of all types become nodes
    bool pipit = false;             ///< CSV: also write events.csv for Pipit
    double calc_unit_ns = 1;        ///< GOAL: nanoseconds per unit of computation
};

/// Writes the trace to `output`, atomically. Memory: the folded size and that of one location.
/// Throws Error: io, corrupt, unsupported (the format cannot represent the trace).
using WriteExport = ExportReport(TraceFile& file, const std::string& output,
                                 const ExportOptions& options);

/// A format that a trace can be converted to.
struct ExportFormat {
    enum class Output : u8 { file, folder };

    std::string_view name;    ///< for --to
    std::string_view title;   ///< description and consumers
    std::string_view keeps;   ///< parts of a trace that it keeps
    std::string_view drops;   ///< parts that it always drops
    std::string_view suffix;  ///< default suffix of the output
    Output output = Output::file;

    WriteExport* write = nullptr;
    /// Its specific options of trace_convert, separated by blanks.
    std::string_view settings = {};
    /// Operations without a partner would block its reader, or are left out.
    bool needs_partners = false;

    /// True if `option` ("--pipit") is among its settings.
    [[nodiscard]] TRACEFOLD_API bool takes(std::string_view option) const;
};

/// In the order of documentation.
TRACEFOLD_API std::span<const ExportFormat> export_formats();

/// The format of that name, or null.
TRACEFOLD_API const ExportFormat* find_export_format(std::string_view name);

// The functions of export_formats(), one file each.
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
