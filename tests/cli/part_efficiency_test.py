#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Efficiency of a part of a trace: that of its cut, and that by the list of the calls of the trace.

Usage: part_efficiency_test.py BIN SAMPLES
"""

import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS, SAMPLES = (pathlib.Path(argument) for argument in sys.argv[1:3])
STEPS = {"npb-lu.S-4": "10-19", "micro-stencil2d9p-isend-4": "1-3", "micro-user-4": "1-2"}
THREADS = {"micro-omphyb-4": "3-5"}


def run(tool, *arguments):
    command = [str(TOOLS / tool), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def end_of(row):
    return float(row["begin"]) + float(row["duration"] or 0)


class Call:
    """A row of the list: MPI functions communicate, all else is computation."""

    def __init__(self, row):
        self.begin = float(row["begin"])
        self.end = end_of(row)
        self.name = row["call"]
        self.is_mpi = row["kind"] == "call" and self.name.startswith("MPI_")


class Part(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def efficiency(self, path, *options):
        found = json.loads(run("trace_inspect", "efficiency", "--json", path, *options))
        del found["file"]
        return found

    def folded(self, sample):
        path = self.folder / f"{sample}.tfold"
        run("trace_compress", "-q", SAMPLES / sample, "-o", path)
        return path

    def calls(self, path, *options):
        calls = {}
        for row in csv.DictReader(io.StringIO(run("trace_inspect", "calls", "--csv", path, *options))):
            calls.setdefault(row["location"], []).append(Call(row))
        return calls

    def test_a_part_is_its_cut(self):
        for sample, steps in (STEPS | THREADS).items():
            path = self.folded(sample)
            for options in (
                ["--iterations", steps],
                ["--iterations", steps, "--ranks", "0-3"],
                ["--iterations", f"0,{steps}"],
                ["--time", "20%:70%"],
                ["--ranks", "1-2"],
                ["--regions", "/MPI_(Wait|Recv|Send|Allreduce)/"],
            ):
                with self.subTest(sample=sample, options=options):
                    part = self.folder / "part.tfold"
                    run("trace_convert", "-f", path, *options, "-o", part)
                    self.assertEqual(self.efficiency(path, *options), self.efficiency(part))

    def check(self, found, windows, calls):
        """Compares factors with those of windows, by location, of a list of calls."""
        computation = []
        for location, (begin, end) in windows.items():
            used = [
                max(0, min(end, call.end) - max(begin, call.begin))
                for call in calls[location]
                if call.is_mpi
            ]
            computation.append(end - begin - sum(used))
        runtime = max(end for _, end in windows.values()) - min(
            begin for begin, _ in windows.values()
        )
        mean = sum(computation) / len(computation)
        self.assertAlmostEqual(found["runtime"], runtime, delta=1e-7)
        for rank, expected in zip(found["ranks"], computation):
            self.assertAlmostEqual(rank["computation"], expected, delta=1e-6)
        self.assertAlmostEqual(found["efficiency"]["parallel"], mean / runtime, delta=1e-3)
        self.assertAlmostEqual(
            found["efficiency"]["communication"], max(computation) / runtime, delta=1e-3
        )

    def test_steps_begin_with_the_end_of_the_record_before(self):
        for sample, steps in STEPS.items():
            with self.subTest(sample=sample):
                path = self.folded(sample)
                calls = self.calls(path)
                windows = {}
                for location, chosen in self.calls(path, "--iterations", steps).items():
                    ends = [call.end for call in calls[location] if call.end <= chosen[0].begin]
                    windows[location] = (max(ends), chosen[-1].end)
                self.check(self.efficiency(path, "--iterations", steps), windows, calls)

    def test_a_window_cuts_through_calls_and_computation(self):
        path = self.folded("npb-lu.S-4")
        calls = self.calls(path)
        begin = max(call.end for of in calls.values() for call in of if call.name == "MPI_Init")
        end = min(call.begin for of in calls.values() for call in of if call.name == "MPI_Finalize")
        window = (round(begin + (end - begin) / 4, 6), round(begin + (end - begin) / 2, 6))
        windows = {location: window for location in calls}
        options = ["--time", "{:.6f}:{:.6f}".format(*window)]
        self.check(self.efficiency(path, *options), windows, calls)

    def test_the_focus_is_the_part_of_the_steps_after_the_first(self):
        for sample in STEPS | THREADS:
            with self.subTest(sample=sample):
                path = self.folded(sample)
                if sample == "micro-user-4":  # switches the measurement off
                    self.assertNotIn("focus", self.efficiency(path, "--focus"))
                    continue
                self.assertNotIn("focus", self.efficiency(path))
                focus = self.efficiency(path, "--focus")["focus"]
                steps = f"{focus['first_step']}-{focus['last_step']}"
                part = self.efficiency(path, "--iterations", steps, "--focus")
                self.assertNotIn("focus", part)
                self.assertEqual(focus["first_step"], 1)
                self.assertEqual(focus["runtime"], part["runtime"])
                self.assertEqual(focus["efficiency"].keys(), part["efficiency"].keys())
                for name, value in focus["efficiency"].items():
                    self.assertAlmostEqual(value, part["efficiency"][name], 12, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
