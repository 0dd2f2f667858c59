#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""What trace_replay refuses: one sentence on one process, the right exit code, no hang.

usage: replay_refusal_test.py BIN SAMPLES MPIEXEC -n
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(50)
LAUNCHER_VARIABLES = ("PMI", "OMPI_COMM", "SLURM", "HYD", "MPI")


def run(command, **environment):
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(LAUNCHER_VARIABLES)}
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS,
                          check=False, env={**clean, **environment})


class Cases:
    def __init__(self, tools, samples, launcher, work):
        self.replay = tools / "trace_replay"
        self.launcher = launcher
        self.trace = work / "run.tfold"
        self.timeless = work / "timeless.tfold"
        self.durations = work / "durations.tfold"
        self.broken = work / "broken.tfold"
        self.files = work / "files.tfold"
        archive = samples / "micro-stencil2d9p-isend-4"
        compress = [tools / "trace_compress", "-q", archive, "-o"]
        run([*compress, self.trace])
        run([*compress, self.timeless, "--timing", "none"])
        run([*compress, self.durations, "--timing", "histogram"])
        run([tools / "trace_compress", "-q", samples / "micro-mpiio-4", "-o", self.files])
        self.broken.write_bytes(self.trace.read_bytes()[:-100])
        self.found = []

    def expect(self, what, result, code, *texts):
        """One line of error with all TEXTS in it, and the exit code."""
        told = [line for line in result.stderr.splitlines() if "trace_replay: error: " in line]
        if result.returncode != code:
            self.found.append(f"{what}: exit code {result.returncode} instead of {code}")
        if len(told) != 1 or not all(text in told[0] for text in texts):
            self.found.append(f"{what}: not one sentence with {texts}:\n{result.stderr}")

    def on(self, processes, *arguments):
        return run([*self.launcher, str(processes), self.replay, *arguments])

    def check(self):
        lines = (f"'mpirun -n 4 trace_replay {self.trace}'",
                 f"'srun -n 4 trace_replay {self.trace}'")
        self.expect("alone", run([self.replay, self.trace]), 2, "but there is 1", *lines)
        self.expect("too few", self.on(3, self.trace), 2, "but there are 3", *lines)
        self.expect("no times", self.on(4, self.timeless, "--deltas", "exact"), 2,
                    "does not hold the times", "--timing exact")
        self.expect("only durations", self.on(4, self.durations, "--deltas", "exact"), 2,
                    "but not when", "--deltas mean")
        self.expect("no durations", self.on(4, self.timeless, "--deltas", "sample"), 2,
                    "does not hold the times", "--timing exact")
        self.expect("broken", self.on(4, self.broken), 1, "was cut off")
        self.expect("no file", self.on(4, "missing.tfold"), 1, "missing.tfold")
        self.expect("no scratch directory", self.on(4, self.files, "--scratch", "missing"), 1,
                    "missing", "--scratch")
        self.expect("bad option", self.on(4, self.trace, "--deltas", "all"), 2, "none|mean|sample|exact")
        self.expect("bad scale", self.on(4, self.trace, "--bytes-scale", "-1"), 2, "--bytes-scale")
        foreign = run([self.replay, self.trace],
                      OMPI_COMM_WORLD_RANK="0", OMPI_COMM_WORLD_SIZE="4")
        self.expect("foreign launcher", foreign, 2, "started 4 processes", "another MPI library")
        return self.found


def main(tools, samples, *launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-replay-") as folder:
        found = Cases(pathlib.Path(tools), pathlib.Path(samples), launcher,
                      pathlib.Path(folder)).check()
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
