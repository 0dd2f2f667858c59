// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tracefold {

/// Lets the process keep memory that it frees, for a program to call at its start: each location
/// needs buffers like those of the one before, and memory that went back to the system in between
/// comes again page by page. Has no effect with other C libraries than glibc.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
    constexpr int kMebibyte = 1 << 20;
    mallopt(M_MMAP_THRESHOLD, 32 * kMebibyte);
    mallopt(M_TRIM_THRESHOLD, 64 * kMebibyte);
#endif
}

}  // namespace tracefold
