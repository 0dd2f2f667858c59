// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/archive_reader.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Reads all events of the locations with libotf2 alone and callbacks that only count; returns
/// their number. What every reader of an archive has to pay.
u64 bare_pass(const std::string& anchor, const std::vector<u64>& locations);

/// Ids of all locations in the global definitions.
std::vector<u64> location_ids(ArchiveReader& reader);

}  // namespace tracefold
