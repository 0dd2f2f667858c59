#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""One damaged event file must end trace_compress under mpiexec on all processes, and be told once.

usage: compress_failure_test.py TRACE_COMPRESS ARCHIVE MPIEXEC...   (with its options)
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(50)


def problems(tool, archive, launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-mpi-") as folder:
        work = pathlib.Path(folder)
        shutil.copytree(archive, work / "a")
        events = work / "a" / "traces" / "2.evt"
        events.write_bytes(events.read_bytes()[:500])
        result = subprocess.run(
            [*launcher, tool, "a", "-o", "out.tfold"],
            cwd=work, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
        told = [line for line in result.stderr.splitlines() if "trace_compress: error: " in line]
        if result.returncode != 1:
            yield f"exit code {result.returncode} instead of 1"
        if len(told) != 1 or "location 2 " not in told[0]:
            yield f"not one sentence about the damaged location:\n{result.stderr}"
        left = sorted(path.name for path in work.iterdir() if path.name != "a")
        if left:
            yield f"left behind: {left}"


def main(tool, archive, *launcher):
    found = list(problems(tool, archive, launcher))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
