// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// What may differ in the structure of two runs.
enum class StructureKind : u8 {
    calls,   ///< call paths of one side only
    counts,  ///< visits of a call path
    bytes,   ///< that a call path sends, receives, reads or writes
    peers,   ///< partners of a function, and its messages to each of them
    order,   ///< the sequence of all calls; with renamed functions, of those of MPI
};

inline constexpr std::array kStructureKinds = {StructureKind::calls, StructureKind::counts,
                                               StructureKind::bytes, StructureKind::peers,
                                               StructureKind::order};

/// "calls", "counts", ...
std::string_view structure_kind_name(StructureKind kind);

struct GuardSettings {
    /// Relative changes of a time below this one do not count.
    double least_effect = 0.02;
    /// Whether the structure may differ in this place: a call path, a function of messages, or the
    /// empty text for the whole program. Null: nowhere.
    std::function<bool(StructureKind kind, const std::string& place)> allows;
};

/// A difference in structure. Numbers are sums over all ranks.
struct StructureDifference {
    StructureKind kind{};
    std::string place = {};  ///< as for GuardSettings::allows
    std::string what = {};   ///< "visits", "bytes_sent_p2p", ...; empty if there is no number
    u64 baseline = 0;
    u64 current = 0;
    std::string ranks = {};  ///< that differ, as "0-3,7"; empty: unknown
    std::string run = {};    ///< the first new run that differs
    std::string file = {};   ///< of the source; empty: unknown
    u64 line = 0;
    bool allowed = false;
};

enum class TimeVerdict : u8 { equal, faster, undecided, slower };

/// "equal", "faster", ...
std::string_view time_verdict_name(TimeVerdict verdict);

/// The exclusive time of a call path. Changes are relative: 0.05 is 5 % slower.
struct GuardedTime {
    std::string path;
    TimeVerdict verdict = TimeVerdict::undecided;
    double share = 0;  ///< of the time of the baselines
    /// Means over the ranks, in seconds, by run.
    std::vector<double> baseline;
    std::vector<double> current;
    std::size_t used = 0;  ///< the last of the baselines, since the last change of level
    double change = 0;
    double low = 0;  ///< ends of the 90 % interval
    double high = 0;
    double detectable = 0;  ///< the change that is found in 90 % of the cases; infinite: none is
    double p = 1;           ///< that it is not slower, adjusted over all call paths
    bool by_ranks = false;  ///< a rank test instead of a t-test
    std::string file;       ///< of the source; empty: unknown
    u64 line = 0;
};

enum class GuardVerdict : u8 { equal, faster, undecided, slower, structure };

/// "equal", ..., "structure differs".
std::string_view guard_verdict_name(GuardVerdict verdict);

struct GuardResult {
    GuardVerdict verdict = GuardVerdict::undecided;
    u32 ranks = 0;
    TimingLevel timing{};
    std::vector<std::string> baselines;  ///< names
    std::vector<std::string> runs;
    std::vector<StructureDifference> differences;
    /// Numbers that differ between the baselines, and were compared as sums or not at all.
    u64 varying = 0;
    /// Call paths whose names differ: in the first new run, and in a baseline.
    std::vector<std::pair<std::string, std::string>> renamed;
    /// Of the whole run first, then of call paths by descending share; empty if the runs have no
    /// times.
    std::vector<GuardedTime> times;
    /// The change that most call paths share is `common`, and was taken out of theirs.
    bool has_common = false;
    double common = 0;
};

/// A gate for new runs of a program: their structure must be that of the baselines, and their times
/// no longer. docs/reference/guard.md defines the rules and names their sources.
class Guard {
  public:
    Guard();
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    /// Reads a run; baselines in the order in which they were made. Throws Error: corrupt;
    /// unsupported if its number of ranks or timing level is not that of the runs before. Cost: as
    /// trace_profile() and visit_transfers(), and an entry per equal calls in a row. Memory: the
    /// call paths of all runs; numbers by rank are shared by runs where they are equal.
    void add_baseline(TraceFile& file, const std::string& name);
    void add_run(TraceFile& file, const std::string& name);

    /// Without baselines, nothing is compared. Precondition: a run. Cost: the call paths times the
    /// square of the runs.
    [[nodiscard]] GuardResult judge(const GuardSettings& settings) const;

  private:
    struct Runs;

    std::unique_ptr<Runs> runs_;
};

}  // namespace tracefold
