// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>

namespace tracefold::otf2_detail {

/// What the bytes of a definition or event file tell about its completeness. libotf2 does not
/// always notice that a file was cut: it then decodes what an earlier chunk left in its buffer.
struct RawFile {
    u64 size = 0;        ///< bytes
    bool ended = false;  ///< has an end mark, whatever follows it
    u64 last_event = 0;  ///< number of the last event as the last chunk says; 0 for definitions
};

/// Inspects a file that is cut into chunks of `chunk_size` bytes. Throws Error `io`, which names
/// `what`, if it cannot be read. Cost: two looks into the file, or a walk through it unless it ends
/// with the end mark.
RawFile inspect_file(const std::string& path, u64 chunk_size, const std::string& what);

}  // namespace tracefold::otf2_detail
