#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""A replay under valgrind, with MPI checking its arguments: no invalid or uninitialised memory, no
memory lost.

usage: replay_valgrind_test.py VALGRIND BIN ARCHIVE RANKS OPTIONS MPIEXEC -n
"""

import os
import pathlib
import subprocess
import sys
import tempfile

TIMEOUT_SECONDS = 200
FOUND = 77


def main(valgrind, tools, archive, ranks, options, *launcher):
    tools = pathlib.Path(tools)
    with tempfile.TemporaryDirectory(prefix="tracefold-valgrind-") as folder:
        folder = pathlib.Path(folder)
        trace = folder / "run.tfold"
        subprocess.run([tools / "trace_compress", "-q", archive, "-o", trace], check=True)
        result = subprocess.run(
            [*launcher, ranks, valgrind, "--quiet", f"--error-exitcode={FOUND}",
             "--leak-check=full", "--show-leak-kinds=definite",
             "--errors-for-leak-kinds=definite", f"--log-file={folder}/log.%p",
             tools / "trace_replay", trace, "-q", *options.split()],
            capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS,
            env={**os.environ, "MPIR_CVAR_ERROR_CHECKING": "1"})
        logs = [log.read_text() for log in sorted(folder.glob("log.*"))]
    if result.returncode == 0 and len(logs) == int(ranks):
        return 0
    print(f"exit code {result.returncode}\n{result.stderr}", *logs, sep="\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
