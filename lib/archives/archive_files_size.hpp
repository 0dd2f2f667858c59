// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/archive_info.hpp"

namespace tracefold::inline archives {

/// Bytes of the files that OTF2 knows of: anchor, definitions, markers, events; those that are
/// missing have none. Throws Error(io).
u64 archive_bytes(const ArchiveInfo& info);

}  // namespace tracefold::inline archives
