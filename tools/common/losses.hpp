// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "core/json_writer.hpp"
#include "model/file_loss.hpp"

#include <vector>

namespace tracefold {

/// Prints what was damaged in an archive that was rescued, under a heading; nothing without damage.
/// Of many files only some are listed unless `all`.
void print_losses(const std::vector<FileLoss>& losses, bool all, Console& console);

/// The member "damaged_files" of the current object: what was damaged in an archive that was
/// rescued. Without damage there is no such member.
void write_losses(const std::vector<FileLoss>& losses, JsonWriter& json);

}  // namespace tracefold
