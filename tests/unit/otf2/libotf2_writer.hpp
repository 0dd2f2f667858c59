// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/otf2_all_records.hpp"

#include <string>

namespace tracefold::testing {

/// Writes an archive as write_archive() does, but by libotf2: the reference for our own encoder.
/// Throws Error(corrupt) if libotf2 refuses a record, or does not know its type.
void write_by_libotf2(const AllRecords& records, const std::string& directory);

}  // namespace tracefold::testing
