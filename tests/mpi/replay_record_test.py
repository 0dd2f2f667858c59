#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""What trace_replay --record writes: the calls of the trace with the times of the replay.

usage: replay_record_test.py BIN ARCHIVE RANKS DELTAS MPIEXEC -n
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(60)
TIME_COLUMNS = slice(1, 3)


class Cases:
    def __init__(self, tools, archive, ranks, deltas, launcher, work):
        self.tools = tools
        self.launcher = [*launcher, ranks]
        self.deltas = deltas
        self.work = work
        self.trace = work / "run.tfold"
        self.found = []
        self.run(tools / "trace_compress", "-q", archive, "-o", self.trace)

    def run(self, *command, code=0):
        result = subprocess.run(command, capture_output=True, text=True, check=False,
                                timeout=TIMEOUT_SECONDS)
        if result.returncode != code:
            self.found.append(f"{command}: exit code {result.returncode}\n{result.stderr}")
        return result

    def replay(self, trace, *options, code=0):
        return self.run(*self.launcher, self.tools / "trace_replay", trace, "--timeout", f"{limits.seconds(30)}s",
                        *options, code=code)

    def calls(self, trace):
        """All records without their times, and whether times go forward."""
        calls = []
        last = {}
        for line in self.run(self.tools / "trace_convert", trace, "--to", "text").stdout.splitlines():
            if line.startswith("#"):
                continue
            words = line.split()
            time = float(words[1])
            if time < last.get(words[0], time):
                self.found.append(f"{trace.name} goes back in time: {line}")
            last[words[0]] = time
            del words[TIME_COLUMNS]
            calls.append(words)
        return calls

    def check(self):
        first = self.work / "first.tfold"
        report = self.replay(self.trace, "--deltas", self.deltas, "--repeat", "2", "--json",
                             "--record", first)
        if self.found:
            return self.found
        if self.calls(first) != self.calls(self.trace):
            self.found.append("the recording has other calls than the trace")
        self.run(self.tools / "trace_inspect", "check", first)
        self.run(self.tools / "trace_inspect", "diff", self.trace, first)
        self.run(self.tools / "trace_convert", first, "--to", "otf2", "-o", self.work / "archive")
        again = json.loads(self.replay(first, "--json", "--verify").stdout)
        # The recording is of the last repetition; its clock counts nanoseconds.
        wall = json.loads(report.stdout)["wall_seconds"][-1]
        recorded = again["recorded"]["wall"]["max"]
        if abs(wall - recorded) > 1e-6 + 1e-3 * wall:
            self.found.append(f"the replay took {wall} s, its recording says {recorded} s")
        self.replay(self.trace, "--record", first, code=1)
        self.replay(self.trace, "--record", first, "--bytes-scale", "2", code=2)
        left = [path.name for path in self.work.iterdir() if ".archive-" in path.name]
        if left:
            self.found.append(f"left behind: {left}")
        return self.found


def main(tools, archive, ranks, deltas, *launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-record-") as folder:
        found = Cases(pathlib.Path(tools), archive, ranks, deltas, launcher,
                      pathlib.Path(folder)).check()
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
