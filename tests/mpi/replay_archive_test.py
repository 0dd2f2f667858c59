#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Replays an archive as it is: all processes fold it, nothing is left of that, and every call is proven to be
that of the trace.

usage: replay_archive_test.py BIN ARCHIVE RANKS MPIEXEC -n
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(100)


def run(scratch, *command):
    return subprocess.run(
        command, env={**os.environ, "TMPDIR": str(scratch)}, capture_output=True, text=True,
        timeout=TIMEOUT_SECONDS, check=False)


def problems(tools, archive, ranks, launcher):
    replay = tools / "trace_replay"
    with tempfile.TemporaryDirectory(prefix="tracefold-replay-") as scratch:
        result = run(scratch, *launcher, ranks, replay, archive, "--verify", "-q",
                     "--timeout", f"{limits.seconds(60)}s")
        if result.returncode != 0 or result.stderr:
            yield f"exit code {result.returncode}:\n{result.stderr}"
        result = run(scratch, *launcher, "2", replay, archive)
        if result.returncode != 2 or f"has {ranks} MPI ranks" not in result.stderr:
            yield f"two processes: exit code {result.returncode}:\n{result.stderr}"
        result = run(scratch, *launcher, ranks, replay, archive + "/nowhere.otf2")
        lines = [line for line in result.stderr.splitlines() if line.startswith("trace_replay")]
        if result.returncode != 1 or len(lines) != 1 or "nowhere.otf2" not in lines[0]:
            yield f"no archive: exit code {result.returncode}:\n{result.stderr}"
        left = os.listdir(scratch)
        if left:
            yield f"left behind: {left}"


def main(arguments):
    tools, archive, ranks, *launcher = arguments
    found = list(problems(pathlib.Path(tools), archive, ranks, launcher))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
