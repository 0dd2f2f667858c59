# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a test may expect of commands that are built with a sanitizer: the build sets it (cmake/TracefoldSanitizer.cmake)."""

import os

# How many times as long as usual everything takes.
PATIENCE = int(os.environ.get("TRACEFOLD_TEST_PATIENCE", "1"))
# A sanitizer takes terabytes of addresses, and several times the memory.
MEMORY_IS_LIMITED = PATIENCE == 1
# The thread sanitizer delivers a signal only when the thread enters or leaves a function of the C library: not while
# a program computes, nor while it waits in such a function. It also writes a temporary file when a program starts.
THREAD_SANITIZER = os.environ.get("TRACEFOLD_THREAD_SANITIZER", "0") == "1"


def seconds(usual):
    return usual * PATIENCE
