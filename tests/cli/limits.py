# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""How long the commands of a test may take, and whether their memory is limited."""

import os

# How many times as long as usual everything takes with a sanitizer; the build sets it (cmake/TracefoldSanitizer.cmake).
PATIENCE = int(os.environ.get("TRACEFOLD_TEST_PATIENCE", "1"))
# A sanitizer takes terabytes of addresses, and several times the memory.
MEMORY_IS_LIMITED = PATIENCE == 1
# The thread sanitizer hands a signal on when the thread that it has interrupted calls the C library or comes back
# from there: not in a loop that only computes, nor in one that waits. It writes a file when a program begins.
# The preset sets its options.
THREAD_SANITIZER = "TSAN_OPTIONS" in os.environ


def seconds(usual):
    return usual * PATIENCE
