// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/accelerator_activity.hpp"
#include "common/clock_option.hpp"
#include "common/console.hpp"
#include "names/participant_names.hpp"
#include "profile/efficiency.hpp"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// Efficiency figures and what they are of.
struct EfficiencyView {
    Efficiency data;
    std::string file;
    std::vector<std::string> labels;   ///< of locations, as people know them: "3", "3.1"
    std::optional<SyncReport> clocks;  ///< if they were corrected
    AcceleratorActivity accelerators = {};

    [[nodiscard]] const std::string& label(u32 location) const { return labels[location]; }
};

/// By location: ParticipantNames::label().
std::vector<std::string> location_labels(const TraceFile& file);

/// A factor by name; nothing if it was not computed.
struct EfficiencyFactor {
    std::string_view name;
    int level = 0;  ///< of factors: one is the product of those that follow a level deeper
    std::optional<double> value;
};
std::vector<EfficiencyFactor> factors(const Efficiency& efficiency);

/// Who waited: a rank, or its thread if several call MPI.
inline std::string waiter(const EfficiencyView& view, const Efficiency::Wait& wait) {
    return view.data.threads_call_mpi ? view.label(wait.location) : std::to_string(wait.rank);
}

/// The factors, times of the ranks, where most time was waited.
void print_efficiency(const EfficiencyView& view, Console& console);

/// One line per figure: what,path,rank,figure,value. Times in seconds.
void write_efficiency_csv(const EfficiencyView& view, std::ostream& out);

void write_efficiency_json(const EfficiencyView& view, Console& console);

}  // namespace tracefold
