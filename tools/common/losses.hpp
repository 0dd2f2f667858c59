// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "common/console.hpp"
#include "file/region_nesting.hpp"
#include "file/sample_origins.hpp"
#include "model/archive_info.hpp"

#include <vector>

namespace tracefold {

/// Prints what was damaged in an archive that was rescued, under a heading; nothing without damage.
/// Of many files only some are listed unless `all`.
void print_losses(const std::vector<FileLoss>& losses, bool all, Console& console);

/// The member "damaged_files" of the current object: what was damaged in an archive that was
/// rescued. Without damage there is no such member.
void write_losses(const std::vector<FileLoss>& losses, JsonWriter& json);

/// Prints how many Leaves do not name the region that they end: one line each; nothing if all do.
void print_nesting(const NestingCounts& counts, Console& console);

/// The member "nesting" of the current object. If all Leaves do, there is no such member.
void write_nesting(const NestingCounts& counts, JsonWriter& json);

/// Prints how many samples of the call stack each interrupt generator took, and how many have no
/// calling context; nothing without samples.
void print_sample_origins(const SampleOrigins& samples, Console& console);

/// The members "interrupt_generators" and "samples_without_context" of the current object. Without
/// samples there are no such members.
void write_sample_origins(const SampleOrigins& samples, JsonWriter& json);

}  // namespace tracefold
