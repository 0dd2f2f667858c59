// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>

namespace tracefold {

/// How many event types of the table, from the first on, the libotf2 of this process reads and
/// writes; the rest are those of a newer OTF2. May differ from what the headers at build time had.
u8 known_event_types();

/// "3.2 or later", or "older than 3.2": libotf2 does not tell its version.
std::string otf2_library_version();

}  // namespace tracefold
