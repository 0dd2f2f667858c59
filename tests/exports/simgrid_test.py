#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""SimGrid replays the sample traces to their ends. Skipped where smpirun is not installed.

Usage: simgrid_test.py BIN SAMPLES
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
TRACES = ("micro-anysrc-4", "micro-stencil2d9p-isend-4", "micro-rma-4", "micro-omphyb-4", "npb-lu.S-4")
SKIPPED = 77


class SimgridTest(unittest.TestCase):
    def replay(self, trace, *arguments):
        with tempfile.TemporaryDirectory() as work:
            folder = pathlib.Path(work) / "run.ti"
            said = subprocess.run(
                [BIN / "trace_convert", SAMPLES / trace, "--to", "ti", "-o", folder, "--json",
                 "--platform-template", *arguments], check=True, capture_output=True, text=True)
            report = json.loads(said.stdout)
            result = subprocess.run(
                ["smpirun", "-np", str(report["ranks"]), "-platform", "platform.xml", "-hostfile",
                 "hostfile", "-replay", "ranks.txt", "--log=smpi_replay.thresh:verbose"],
                cwd=folder, capture_output=True, text=True, timeout=120)
            output = result.stdout + result.stderr
            # A deadlock, too, ends with exit code 0.
            self.assertEqual(result.returncode, 0, output[-2000:])
            self.assertNotIn("Deadlock detected", output)
            self.assertIn("Simulation time", output)
            executed = output.count("[smpi_replay/VERBOSE]")
            actions = sum(number for name, number in report["contents"].items() if name != "ranks without MPI calls")
            # init and finalize are not told of.
            self.assertEqual(executed + 2 * report["ranks"], actions)

    def test_native_collectives(self):
        for trace in TRACES:
            with self.subTest(trace):
                self.replay(trace)

    def test_expanded_collectives(self):
        for algorithm in ("linear", "ring", "recursive-doubling"):
            for trace in ("npb-lu.S-4", "micro-stencil2d9p-isend-4"):
                with self.subTest(trace=trace, algorithm=algorithm):
                    self.replay(trace, "--collectives", algorithm)

    def test_parts(self):
        """Nobody waits for what is not in the part."""
        for part in (["--iterations", "2-4"], ["--ranks", "0-2"], ["--calls", "MPI_Send,MPI_Isend,MPI_Wait*"],
                     ["--time", "100ms:200ms", "--ranks", "1-3"]):
            for trace in ("npb-lu.S-4", "micro-stencil2d9p-isend-4"):
                with self.subTest(trace=trace, part=part):
                    self.replay(trace, *part)


if __name__ == "__main__":
    if shutil.which("smpirun") is None:
        print("smpirun is not installed; it is in Debian's libsimgrid-dev")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
