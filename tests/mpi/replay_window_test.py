#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Replays parts of an archive under mpiexec: nobody may wait for what is outside, and what is issued
has to be what the trace says.

usage: replay_window_test.py BIN ARCHIVE RANKS MPIEXEC -n
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(100)


def run(command):
    return subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)


class Windows:
    def __init__(self, tools, archive, ranks, launcher, folder):
        self.tools = tools
        self.trace = str(folder / "run.tfold")
        self.start = [*launcher, ranks, tools / "trace_replay", self.trace, "--json", "--verify",
                      "--timeout", f"{limits.seconds(60)}s", "--unsupported", "skip", "--allow-left-out"]
        run([tools / "trace_compress", "-q", archive, "-o", self.trace])

    def calls(self, *options):
        """How many calls are issued; none of them may differ from the trace."""
        result = run([*self.start, *options])
        if result.returncode != 0:
            sys.exit(f"{options}: exit code {result.returncode}:\n{result.stderr}{result.stdout}")
        report = json.loads(result.stdout.splitlines()[0])
        return report["calls"], report["recorded"]["wall"]["max"]

    def has_steps(self):
        text = run([self.tools / "trace_inspect", "structure", self.trace, "--json"]).stdout
        return "steps" in json.loads(text)["findings"]

    def last_call(self):
        """The number of calls of the location that has most."""
        text = run([self.tools / "trace_convert", self.trace, "--to", "text"]).stdout
        counts = {}
        for line in text.splitlines():
            words = line.split()
            if len(words) > 3 and words[3].startswith("MPI_") and not line.startswith("#"):
                counts[words[0]] = counts.get(words[0], 0) + 1
        return max(counts.values())


def check(windows):
    last = windows.last_call()
    whole, seconds = windows.calls()
    if windows.calls("--from", "call:0", "--to", f"call:{9 * last}")[0] != whole:
        sys.exit("all calls are not the whole program")
    for first, end in ((0.1, 0.5), (0.3, 0.31), (0.5, 1), (0.77, 0.9)):
        part = ("--from", f"call:{int(first * last)}", "--to", f"call:{int(end * last)}")
        calls, _ = windows.calls(*part)
        if not calls < whole:
            sys.exit(f"{part}: {calls} calls of {whole}")
    if windows.calls("--from", f"call:{9 * last}")[0] != 0:
        sys.exit("there are calls after the last one")
    wall = windows.calls("--from", f"call:{last // 4}", "--to", f"call:{3 * last // 4}",
                         "--deltas", "exact")[1]
    if not 0 < wall < seconds:
        sys.exit(f"half of the calls took {wall} s of {seconds} s")
    windows.calls("--from", "time:1ms", "--repeat", "2")
    if windows.has_steps():
        windows.calls("--from", "iteration:3", "--to", "iteration:6", "--repeat", "2")


def main(tools, archive, ranks, *launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-replay-") as folder:
        check(Windows(pathlib.Path(tools), archive, ranks, launcher, pathlib.Path(folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
