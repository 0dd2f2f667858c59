// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>

namespace tracefold::otf2 {

/// What the bytes of a definition or event file tell about its completeness. libotf2 does not
/// notice that a file is cut, or has an end of chunk where its end mark should be: it then decodes
/// stale bytes of its buffer, or recurses until the stack overflows.
struct RawFile {
    u64 size = 0;             ///< bytes
    bool ended = false;       ///< has an end mark, whatever follows it
    const char* reason = "";  ///< why the last chunk has no end, such as "the end mark is missing"
    u64 damage = 0;           ///< offset of the first byte that cannot be understood
    u64 last_event = 0;  ///< number of the last event as the last chunk says; 0 for definitions
};

/// Throws Error `io`, which names `what`, unless there is a regular file that may be read. The
/// message about a missing event file names the option that goes on without it.
void expect_present(const std::string& path, const std::string& what);

/// Inspects a file that is cut into chunks of `chunk_size` bytes. Throws Error `io`, which names
/// `what`, if it cannot be read. Cost: a walk through the last chunk, or through the whole file if
/// that does not lead to an end mark.
RawFile inspect_file(const std::string& path, u64 chunk_size, const std::string& what);

}  // namespace tracefold::otf2
