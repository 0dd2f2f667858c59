// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/compare/machine_report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Whether the bytes of a call and its time belong together. Bytes of a message count with the call
/// that posts it, the time that it takes with the one that waits for it.
enum class CallPart : u8 {
    whole,   ///< blocking calls and collectives: bandwidth means something
    posts,   ///< non-blocking ones, persistent requests and one-sided transfers
    waits,   ///< what completes them
    nothing  ///< moves no data
};
CallPart part_of(const std::string& function);

/// Calls of one function and size, in all reports.
struct ComparedCalls {
    std::string function;
    std::optional<u64> from_bytes;  ///< none: of all sizes together
    CallPart part = CallPart::nothing;
    std::vector<std::optional<CallsOfSize>> reports;  ///< none: no such call there
};

/// Why a report takes longer or shorter than the first one: seconds of all ranks together.
struct DifferencePart {
    std::string function;  ///< empty: time outside of MPI calls
    u64 from_bytes = 0;
    u64 calls = 0;
    double first = 0;
    double other = 0;
    /// What the difference would be if every call had taken as long as the shortest one of its
    /// report: the network and the library. The rest is waiting for partners, and for the
    /// processor.
    double by_shortest = 0;

    [[nodiscard]] double difference() const { return other - first; }
    [[nodiscard]] double by_waiting() const { return difference() - by_shortest; }
};

/// Parts of the difference between the first report and another one, the largest first; they add up
/// to it.
struct Explanation {
    std::size_t report = 0;  ///< in Comparison::reports
    double first = 0;        ///< wall times of all ranks together
    double other = 0;
    std::vector<DifferencePart> parts;
};

/// Reports of the same replay on several machines. The first one is what others are compared with.
struct Comparison {
    std::vector<MachineReport> reports;
    std::vector<ComparedCalls> calls;  ///< in the order of the first report
    std::optional<ComparedCalls>
        non_blocking;  ///< posts and waits of all sizes together, if there are any
    std::vector<Explanation> explanations;  ///< of every report but the first
};

/// Throws Error(unsupported), naming what differs, if reports are of different traces or of replays
/// that were asked for something else. Precondition: at least one report. Cost: linear in their
/// calls by size.
Comparison compare_reports(std::vector<MachineReport> reports);

}  // namespace tracefold
