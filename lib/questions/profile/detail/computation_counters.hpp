// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/metric_catalogue.hpp"
#include "questions/profile/detail/measured_time.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

enum class HardwareCounter : u8 { instructions, cycles };
inline constexpr std::size_t kHardwareCounters = 2;
inline constexpr std::array kAllCounters = {HardwareCounter::instructions, HardwareCounter::cycles};

/// "instructions", "cycles"
constexpr std::string_view hardware_counter_name(HardwareCounter counter) {
    return counter == HardwareCounter::instructions ? "instructions" : "cycles";
}

/// The counter that a metric of this name has, by the names of PAPI, perf, likwid and processors:
/// "PAPI_TOT_INS", "perf::CYCLES:u", "INSTR_RETIRED_ANY". Only of the processor's own clock: not
/// "ref-cycles".
std::optional<HardwareCounter> hardware_counter(std::string_view metric);

/// A counter in the computation of a thread: its value at the end of each interval outside of MPI
/// minus that at its begin. Intervals without values at both ends do not count.
struct CountedComputation {
    double value = 0;
    u64 counted = 0;    ///< ticks
    u64 uncounted = 0;  ///< ticks

    [[nodiscard]] bool is_known() const { return counted != 0; }
    void add(const CountedComputation& other) {
        value += other.value;
        counted += other.counted;
        uncounted += other.uncounted;
    }
};

/// Instructions and cycles of a rank's computation, or of all ranks.
struct ComputationCounters {
    std::array<CountedComputation, kHardwareCounters> counters{};

    [[nodiscard]] const CountedComputation& of(HardwareCounter counter) const {
        return counters[static_cast<std::size_t>(counter)];
    }
    [[nodiscard]] bool is_known() const { return counters[0].is_known() || counters[1].is_known(); }
    [[nodiscard]] std::optional<double> value(HardwareCounter counter) const;
    /// Instructions per cycle; none unless both were counted in the same intervals.
    [[nodiscard]] std::optional<double> ipc() const;
    /// Cycles per tick.
    [[nodiscard]] std::optional<double> frequency() const;
    /// Counted share of the computation, of the counter with the smaller one.
    [[nodiscard]] double coverage() const;
    void add(const ComputationCounters& other);
};

/// The hardware counters of a trace: by counter, the places of its metrics in the catalogue.
struct RecordedCounters {
    MetricCatalogue catalogue;
    std::vector<std::optional<HardwareCounter>> of_members;

    explicit RecordedCounters(TraceFile& file);
    [[nodiscard]] bool empty() const;
    /// Names of the metrics of a counter: "PAPI_TOT_INS"; empty: none.
    [[nodiscard]] std::string names(HardwareCounter counter) const;
};

/// The counters of a location in its computation, which is outside of MPI and in `time`. The value
/// at an end of an interval is that of a record at the time of the MPI call. Cost: unwinds the
/// location. Throws Error(corrupt).
ComputationCounters count_computation(TraceFile& file, const RecordedCounters& recorded,
                                      u32 location, const ClockMap& clock,
                                      const MeasuredTime& time);

}  // namespace tracefold
