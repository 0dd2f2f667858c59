// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

namespace tracefold::inline otf2::detail {

/// Memory for libotf2's writers: a few chunks for each open file, after which it writes them to the
/// disk. Without this it would keep up to 128 MiB of a file. The bytes of files are the same.
extern const OTF2_MemoryCallbacks kChunkMemory;

}  // namespace tracefold::inline otf2::detail
