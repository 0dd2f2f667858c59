#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""A replay under valgrind, with MPI checking its arguments: no invalid or uninitialised memory, no
memory lost.

What MPI_Init and MPI_Finalize lose is not counted, nor what no frame of the replay is above: libraries that MPI finds at
its start, such as plugins of hwloc, depend on what else is installed.

usage: replay_valgrind_test.py VALGRIND BIN ARCHIVE RANKS OPTIONS MPIEXEC -n
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TIMEOUT_SECONDS = 200
FRAMES = 100  # enough to reach main() from below MPI_Init
START_AND_END = ("MPI_Init", "PMPI_Init", "MPI_Finalize", "PMPI_Finalize")


def is_ours(error, program):
    if not error.findtext("kind").startswith("Leak_"):
        return True
    frames = error.findall(".//frame")
    functions = [frame.findtext("fn") or "" for frame in frames]
    if any(name.startswith(START_AND_END) for name in functions):
        return False
    return any(frame.findtext("obj") == str(program) for frame in frames)


def told(error):
    lines = [error.findtext("kind") + ": " + (error.findtext("what") or error.findtext("xwhat/text") or "")]
    for frame in error.findall(".//frame"):
        lines.append(f"    {frame.findtext('fn') or '???'} ({frame.findtext('obj')})")
    return "\n".join(lines)


def main(valgrind, tools, archive, ranks, options, *launcher):
    tools = pathlib.Path(tools).resolve()
    program = tools / "trace_replay"
    with tempfile.TemporaryDirectory(prefix="tracefold-valgrind-") as folder:
        folder = pathlib.Path(folder)
        trace = folder / "run.tfold"
        subprocess.run([tools / "trace_compress", "-q", archive, "-o", trace], check=True)
        result = subprocess.run(
            [*launcher, ranks, valgrind, "--quiet", "--leak-check=full", "--show-leak-kinds=definite",
             f"--num-callers={FRAMES}", "--xml=yes", f"--xml-file={folder}/log.%p",
             program, trace, "-q", *options.split()],
            capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS,
            env={**os.environ, "MPIR_CVAR_ERROR_CHECKING": "1"})
        logs = [xml.etree.ElementTree.parse(log) for log in sorted(folder.glob("log.*"))]
    found = [told(error) for log in logs for error in log.iter("error") if is_ours(error, program)]
    if result.returncode == 0 and len(logs) == int(ranks) and not found:
        return 0
    print(f"exit code {result.returncode}, {len(logs)} logs\n{result.stderr}", *found, sep="\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
