#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""A replay whose messages are lost ends by its watchdog, which says what every rank waits for.

usage: replay_deadlock_test.py BIN ARCHIVE LIBRARY MPIEXEC -n   (LIBRARY swallows sends with tag 3)
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(60)
SENTENCE = re.compile(
    r"rank ([0-3]) waits for 1 s in (MPI_Recv|MPI_Wait), call \d+ of its trace(, request \d+)?, "
    r"for a message of rank ([0-3]), tag 3, communicator MPI_COMM_WORLD")


def main(tools, archive, library, *launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-deadlock-") as folder:
        trace = pathlib.Path(folder) / "run.tfold"
        subprocess.run([pathlib.Path(tools) / "trace_compress", "-q", archive, "-o", trace],
                       check=True)
        preload = " ".join(filter(None, (os.environ.get("LD_PRELOAD"), library)))
        result = subprocess.run(
            [*launcher, "4", pathlib.Path(tools) / "trace_replay", trace, "--timeout", "1s"],
            capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS,
            env={**os.environ, "LD_PRELOAD": preload})
    told = [match for match in map(SENTENCE.search, result.stderr.splitlines()) if match]
    problems = []
    # What the launcher makes of processes that end themselves and of those that it kills, differs.
    if result.returncode == 0:
        problems.append("exit code 0")
    if not told or any(match[1] == match[4] for match in told):
        problems.append("nobody says what it waits for")
    for problem in problems:
        print(f"{problem}:\n{result.stderr}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
