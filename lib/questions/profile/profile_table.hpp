// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/csv_table.hpp"
#include "questions/accelerators/accelerator_activity.hpp"
#include "questions/profile/detail/efficiency.hpp"
#include "questions/profile/step_imbalance.hpp"
#include "questions/profile/trace_profile.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Figures of a metric by number (TraceProfile::metrics()).
MetricFigures figures(const TraceProfile& profile, u32 node, u32 metric, bool inclusive);

/// Values of the groups, in the units of the profile; empty: all zero.
std::span<const u64> groups_of(const TraceProfile& profile, u32 node, ProfileMetric metric,
                               bool inclusive);

/// Value of a group in display units; NaN if it needs more than 64 bits.
double group_value(const TraceProfile& profile, u32 node, u32 metric, bool inclusive,
                   std::size_t group);

/// Converts time to seconds; other metrics keep their value.
double in_units(const TraceProfile& profile, ProfileMetric metric, double value);

/// Nodes down to a level, depth first; kNone: all.
std::vector<u32> nodes_down_to(const TraceProfile& profile, u32 depth);

/// Writes one row per call path and metric: moments over the locations.
void put_profile(const TraceProfile& profile, std::span<const u32> nodes, TableSink& table);

/// Writes one row per call path, group of locations and metric; `group`: name of the group column.
void put_profile_by(const TraceProfile& profile, std::span<const u32> nodes, std::string_view group,
                    TableSink& table);

/// Efficiency figures of a trace with its call paths and labels.
struct EfficiencyFigures {
    Efficiency data;
    std::vector<std::string> labels = {};  ///< location labels: "3", "3.1"
    AcceleratorActivity accelerators = {};
    std::optional<StepImbalance> imbalance = {};  ///< on request

    [[nodiscard]] const std::string& label(u32 location) const { return labels[location]; }
};

/// By location: ParticipantNames::label().
std::vector<std::string> location_labels(const TraceFile& file);

/// Calls figure(name, value), or figure for NAME_least and NAME_most of a range.
void each_figure(const std::string& name, double value, const std::optional<double>& most,
                 const auto& figure) {
    if (!most) return figure(name, value);
    figure(name + "_least", value);
    figure(name + "_most", *most);
}

/// A factor by name; no value if it was not computed.
struct EfficiencyFactor {
    std::string_view name;
    int level =
        0;  ///< tree level: a factor is the product of the following factors one level deeper
    std::optional<double> value;
    std::optional<double> most = std::nullopt;  ///< upper end of a range that begins with `value`

    /// Calls figure(name, value) for the value, or for both ends of a range.
    void each_figure(const auto& figure) const {
        if (value) tracefold::each_figure(std::string(name), *value, most, figure);
    }
};
/// Upper end of a range in seconds; none if it is no range.
std::optional<double> ideal_most(const Efficiency& efficiency, const IdealTime& time);
std::vector<EfficiencyFactor> factors(const Efficiency& efficiency);

/// Key of communication time: "mpi" or, without MPI, "communication".
std::string_view communication_key(const Efficiency& efficiency);

/// Label of the waiting rank, or of its thread if several call MPI.
std::string waiter(const EfficiencyFigures& figures, const Efficiency::Wait& wait);

/// Calls figure(name, value) for instructions, cycles, instructions per cycle and Hz.
void each_counter_figure(const Efficiency& efficiency, const ComputationCounters& counters,
                         const auto& figure) {
    for (std::size_t i = 0; i < kHardwareCounters; ++i) {
        const auto counter = static_cast<HardwareCounter>(i);
        if (const auto value = counters.value(counter)) {
            figure(hardware_counter_name(counter), *value);
        }
    }
    if (const auto ipc = counters.ipc()) figure(std::string_view("ipc"), *ipc);
    if (const auto frequency = counters.frequency()) {
        figure(std::string_view("frequency"), *frequency / efficiency.seconds(1));
    }
}
/// Ranks with computation that is not counted. Precondition: Efficiency::has_counters().
std::vector<u32> uncounted_ranks(const Efficiency& efficiency);

/// Writes one row per figure: what, path, rank, figure, value. Times in seconds.
void put_efficiency(const EfficiencyFigures& figures, TableSink& table);

}  // namespace tracefold
