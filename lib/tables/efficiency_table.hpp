// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/accelerator_activity.hpp"
#include "core/table_sink.hpp"
#include "profile/efficiency.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Efficiency figures of a trace and what stands beside them.
struct EfficiencyFigures {
    Efficiency data;
    std::vector<std::string> labels = {};  ///< of locations, as people know them: "3", "3.1"
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

/// What time in communication is called: "mpi" or, without MPI, "communication".
std::string_view communication_key(const Efficiency& efficiency);

/// Who waited: a rank, or its thread if several call MPI.
std::string waiter(const EfficiencyFigures& figures, const Efficiency::Wait& wait);

/// One row per figure: what, path, rank, figure, value. Times in seconds.
void put_efficiency(const EfficiencyFigures& figures, TableSink& table);

}  // namespace tracefold
