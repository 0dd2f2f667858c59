#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Extrapolates the largest run of each series from the others and compares it with the real one; goes
far beyond it; and sees to it that what cannot be told is refused.

Usage: series_test.py BIN FOLDER
"""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

FAR = {"made-grid1d-s20": 64, "stencil2d9p-n16-s20": 1024, "lulesh-s3-i4": 1000, "prk-transpose-o1280-i2": 64,
       "npb-sp.W-i6": 144}


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=limits.seconds(200))


def expect(condition, what, result):
    if not condition:
        print(f"FAILED: {what}\n{result.args}\n{result.stdout}{result.stderr}")
        sys.exit(1)


def series_in(folder):
    found = {}
    for file in folder.glob("*.tfold"):
        name, ranks = re.fullmatch(r"(.*)-(\d+)", file.stem).groups()
        found.setdefault(name, []).append((int(ranks), file))
    return {name: sorted(files) for name, files in sorted(found.items())}


def test_series(tools, name, files, scratch):
    (ranks, real), training = files[-1], [file for _, file in files[:-1]]
    made = scratch / "made.tfold"
    result = run(tools / "trace_scale", "extrapolate", *training, "--ranks", ranks, "-o", made, "-f")
    expect(result.returncode == 0, f"{name}: extrapolation", result)
    result = run(tools / "trace_inspect", "diff", made, real, "--ignore", "ProcessId")
    expect(result.returncode == 0, f"{name}: as the real run", result)
    far = FAR[name]
    result = run(tools / "trace_scale", "extrapolate", *training, real, "--ranks", far, "-o", made, "-f")
    expect(result.returncode == 0, f"{name}: {far} ranks", result)
    result = run(tools / "trace_inspect", "check", made)
    expect(result.returncode == 0, f"{name}: {far} ranks, check", result)


def test_refusals(tools, series, scratch):
    made = scratch / "refused.tfold"
    scale = tools / "trace_scale"
    lulesh = [file for _, file in series["lulesh-s3-i4"]]
    stencil = [file for _, file in series["stencil2d9p-n16-s20"]]
    sweeps = [file for _, file in series["npb-sp.W-i6"]]  # a box of 36 x 36 x 36 points
    sort = [file for _, file in series["npb-is.W"]]
    cases = [
        (1, "have a cube of ranks", [*lulesh, "--ranks", 100]),
        (1, "have a square of ranks", [*sweeps, "--ranks", 48]),
        (1, "have a power of two of ranks", [*sort, "--ranks", 48]),
        (1, "MPI_Alltoallv, size_received: no formula gives", [*sort, "--ranks", 32]),
        (1, "perhaps the program cannot run on so many", [*sweeps, "--ranks", 1600]),
        (2, "is the only run", [lulesh[0], "--ranks", 64]),
        (2, "both runs of 8 ranks", [lulesh[0], lulesh[0], "--ranks", 64]),
        (2, "is a run of lulesh, but", [lulesh[0], stencil[1], "--ranks", 64]),
        (2, "6 places for 7 ranks", [*stencil, "--ranks", 7, "--grid", "3,2"]),
        (2, "not a list of sizes", [*stencil, "--ranks", 6, "--grid", "3:2"]),
        (2, "not a list of sizes", [*stencil, "--ranks", 36, "--training-grid", "9=3:3"]),
        (2, "no grid of a run", [*stencil, "--ranks", 36, "--training-grid", "3,3"]),
        (2, "no run has 10 ranks", [*stencil, "--ranks", 36, "--training-grid", "10=5x2"]),
        (2, "4 places for 9 ranks", [*stencil, "--ranks", 36, "--training-grid", "9=2x2"]),
        (1, "cannot be derived from these", [*stencil[1:3], "--ranks", 36, "--training-grid", "9=9,1",
                                                "--training-grid", "16=16,1"]),
        (1, "cannot be derived from these", [stencil[0], stencil[1], "--ranks", 36]),
    ]
    for code, words, arguments in cases:
        result = run(scale, "extrapolate", *arguments, "-o", made)
        expect(result.returncode == code and words in result.stderr, f"refused: {words}", result)
        expect(result.stderr.count("\n") == 1, f"one sentence: {words}", result)
        expect(not made.exists(), f"no output: {words}", result)


def main(arguments):
    tools, folder = map(pathlib.Path, arguments)
    series = series_in(folder)
    with tempfile.TemporaryDirectory() as scratch:
        for name in FAR:
            test_series(tools, name, series[name], pathlib.Path(scratch))
        test_refusals(tools, series, pathlib.Path(scratch))


if __name__ == "__main__":
    main(sys.argv[1:])
