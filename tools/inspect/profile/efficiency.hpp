// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/clock_option.hpp"
#include "common/console.hpp"
#include "common/cut_option.hpp"
#include "questions/profile/profile_table.hpp"

#include <optional>
#include <ostream>
#include <string>

namespace tracefold {

/// Efficiency figures with their title.
struct EfficiencyView : EfficiencyFigures {
    std::string file;
    std::optional<SyncReport> clocks;  ///< if corrected
};

/// "load balance", "transfer efficiency"
std::string factor_title(const EfficiencyFactor& factor);
/// "95.0 %", or "93.1 % to 95.0 %"
std::string factor_text(const EfficiencyFactor& factor);

/// Prints the factors, the times of the ranks, and the largest waits.
void print_efficiency(const EfficiencyView& view, Console& console);

/// Writes one line per figure: what,path,rank,figure,value. Times in seconds.
void write_efficiency_csv(const EfficiencyView& view, std::ostream& out);

void write_efficiency_json(const EfficiencyView& view, Console& console);

}  // namespace tracefold
