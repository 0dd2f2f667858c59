#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Replays that end by --time-limit: between repetitions with a report, in MPI_Init with a sentence; and one whose rank dies.

usage: replay_limit_test.py BIN ARCHIVE LIBRARY MPIEXEC -n   (LIBRARY is tests/support/mpi_fail.c)
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(60)
MOST = 1000000  # repetitions


def main(tools, archive, library, *launcher):
    launcher = list(launcher)
    problems = []
    replayer = pathlib.Path(tools) / "trace_replay"
    with tempfile.TemporaryDirectory(prefix="tracefold-limit-") as name:
        folder = pathlib.Path(name)
        trace, report = folder / "run.tfold", folder / "report.json"
        subprocess.run([pathlib.Path(tools) / "trace_compress", "-q", archive, "-o", trace], check=True)

        def replay(*options, fail="", **environment):
            preload = " ".join(filter(None, (os.environ.get("LD_PRELOAD"), library)))
            begin = time.monotonic()
            result = subprocess.run([*launcher, "4", replayer, trace, "-q", "--report", report, "-f", *options],
                                    capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS,
                                    env={**os.environ, "LD_PRELOAD": preload, "FAIL": fail, **environment})
            return result, time.monotonic() - begin

        def expect(what, holds, result):
            if not holds:
                problems.append(f"{what}: exit code {result.returncode}\n{result.stdout}\n{result.stderr}")

        limit = limits.seconds(4)
        result, _ = replay("--repeat", str(MOST), "--time-limit", f"{limit}s", "--verify")
        expect("limit between repetitions", result.returncode == 0, result)
        expect("words", "stopped by the time limit after " in result.stdout, result)
        written = json.loads(report.read_text())
        count = written["repetitions"]["count"]
        expect("repetitions", written["stopped"] and 0 < count < MOST and len(written["wall_seconds"]) == count, result)
        expect("proof", written["verified"]["differences"] == 0, result)
        compared = subprocess.run([replayer, "--compare", report, report, "-q"], capture_output=True, text=True, check=False,
                                  timeout=TIMEOUT_SECONDS)
        expect("comparison", compared.returncode == 0 and "not distinguishable" in compared.stdout, compared)
        report.unlink()
        result, took = replay("--time-limit", "2s", fail="init")
        told = [line for line in result.stderr.splitlines() if "error: " in line]
        expect("MPI_Init", result.returncode != 0 and len(told) == 1 and told[0].endswith("it was in MPI_Init"), result)
        expect("time in MPI_Init", took < TIMEOUT_SECONDS / 2, result)
        result, _ = replay("--time-limit", f"{limits.seconds(30)}s", fail="rank")
        expect("dead rank", result.returncode != 0 and not report.exists(), result)
        # MPICH's launcher can leave the others alive: on one node they tell whom they wait for, unless it fails itself.
        version = subprocess.run([launcher[0], "--version"], capture_output=True, text=True, check=False).stdout
        if "HYDRA" in version:
            launcher.insert(1, "-disable-auto-cleanup")
            result, _ = replay("--timeout", "2s", fail="rank", MPIR_CVAR_NOLOCAL="0")
            waits = [line for line in result.stderr.splitlines() if "error: " in line]
            expect("partners of a dead rank", result.returncode != 0 and
                   all("waits for 2 s in MPI_" in line for line in waits), result)
            launcher.pop(1)
        result, _ = replay("--verify", "--bytes-scale", "0.3", "--repeat", "1")
        expect("scaled bytes", result.returncode == 0 and "0 differences" in result.stdout, result)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
