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

/// Prints the damage of a rescued archive, if any, under a heading; all files only if `all`.
void print_losses(const std::vector<FileLoss>& losses, bool all, Console& console);

/// Writes the member "damaged_files" of the current object: the damage of a rescued archive.
/// Omitted without damage.
void write_losses(const std::vector<FileLoss>& losses, JsonWriter& json);

/// Prints the numbers of Leaves that do not name the region they end, one line each.
void print_nesting(const NestingCounts& counts, Console& console);

/// Writes the member "nesting" of the current object; omitted if all Leaves name their region.
void write_nesting(const NestingCounts& counts, JsonWriter& json);

/// Prints how many samples of the call stack each interrupt generator took, and how many have no
/// calling context; nothing without samples.
void print_sample_origins(const SampleOrigins& samples, Console& console);

/// The members "interrupt_generators" and "samples_without_context" of the current object. Without
/// samples there are no such members.
void write_sample_origins(const SampleOrigins& samples, JsonWriter& json);

}  // namespace tracefold
