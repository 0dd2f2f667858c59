// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/archive_info.hpp"

#include <string>

namespace tracefold {

/// The anchor file that libotf2 3.x writes for an archive with these facts; anchor_bytes is not
/// looked at. Other releases may lay it out differently.
std::string expected_anchor(const ArchiveInfo& info);

}  // namespace tracefold
