#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""A replay that the system refuses a thread ends with a sentence on each rank, whatever thread it is: for signals, for
the watchdog, or for the calls of a location.

usage: replay_few_threads_test.py BIN ARCHIVE RANKS LIBRARY MPIEXEC -n   (LIBRARY is tests/support/few_threads.c)
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(60)
MOST_THREADS = 40
SENTENCE = "cannot start a thread: "


def main(tools, archive, ranks, library, *launcher):
    problems = []
    told = 0
    with tempfile.TemporaryDirectory(prefix="tracefold-threads-") as folder:
        trace = pathlib.Path(folder) / "run.tfold"
        subprocess.run([pathlib.Path(tools) / "trace_compress", "-q", archive, "-o", trace], check=True)
        preload = " ".join(filter(None, (os.environ.get("LD_PRELOAD"), library)))
        for threads in range(MOST_THREADS):
            result = subprocess.run(
                [*launcher, ranks, pathlib.Path(tools) / "trace_replay", trace, "-q", "--timeout", "50s"],
                capture_output=True, text=True, errors="replace", check=False, timeout=TIMEOUT_SECONDS,
                env={**os.environ, "LD_PRELOAD": preload, "FEW_THREADS": str(threads),
                     "FEW_THREADS_REFUSED": str(pathlib.Path(folder) / "refused")})
            if "terminate called" in result.stderr:
                problems.append(f"with {threads} threads a process crashed:\n{result.stderr}")
            if result.returncode == 0:
                break
            told += SENTENCE in result.stderr  # the MPI library may need a thread as well
        else:
            problems.append(f"{MOST_THREADS} threads are not enough:\n{result.stderr}")
    if told < 2:
        problems.append("nobody says that a thread cannot be started")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
