// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// libotf2 loses the archive or its open file when it refuses an anchor file. The leak sanitizer
// asks this function; other builds never call it.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:otf2_archive_open\nleak:otf2_file_posix_open\n";
}
