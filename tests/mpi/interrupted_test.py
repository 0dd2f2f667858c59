#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Signals to a launcher or to one rank: all ranks end, and nothing that they were writing is left.

usage: interrupted_test.py BIN SAMPLES MPIEXEC -n
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(60)
RANKS = 4
# Of SIGHUP Hydra hears nothing: it dies, and its ranks are killed.
SIGNALS = {"launcher": (signal.SIGINT, signal.SIGTERM), "rank": (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
TRIES = 10


class Work:
    """A folder that commands write to."""

    def __init__(self, folder):
        self.folder = folder

    def entries(self):
        return sorted(path.name for path in self.folder.iterdir())

    def wait_for_something(self, process):
        end = time.monotonic() + TIMEOUT_SECONDS
        while not self.entries() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.0005)

    def wait_for_nothing(self):
        """Ranks may end after their launcher."""
        end = time.monotonic() + 5
        while self.entries() and time.monotonic() < end:
            time.sleep(0.01)
        return self.entries()


def processes_of(program, work):
    """Ranks that run this program with this folder in their command line."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if entry.name.isdigit() and words[0] == str(program) and any(str(work) in word for word in words):
                found.append(int(entry.name))
        except OSError:
            continue  # it has ended
    return sorted(found)


def try_once(command, program, whom, number, work):
    """What is left; nothing if the command was too fast."""
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        work.wait_for_something(process)
        ranks = processes_of(program, work.folder)
        if process.poll() is None and (whom == "launcher" or ranks):
            os.kill(process.pid if whom == "launcher" else ranks[-1], number)
        words = process.communicate(timeout=TIMEOUT_SECONDS)[1]
        if process.returncode == 0:
            return None
        left = work.wait_for_nothing()
    return f"{left} {words}" if left or f"interrupted by {number.name}" not in words else ""


def check(command, program, work):
    problems = []
    for whom, numbers in SIGNALS.items():
        for number in numbers:
            for _ in range(TRIES):
                left = try_once(command, program, whom, number, work)
                subprocess.run(["rm", "-rf", *work.folder.iterdir()], check=True)
                if left is not None:
                    break
            if left is None or left:
                problems.append(f"{program.name}, {number.name} to a {whom}: "
                                f"{'never interrupted' if left is None else left}")
    return problems


def main(tools, samples, *launcher):
    tools, samples = pathlib.Path(tools), pathlib.Path(samples)
    with tempfile.TemporaryDirectory(prefix="tracefold-interrupted-") as folder:
        folder = pathlib.Path(folder)
        work = Work(folder / "work")
        work.folder.mkdir()
        trace = folder / "run.tfold"
        compress, replay = tools / "trace_compress", tools / "trace_replay"
        subprocess.run([compress, "-q", samples / "micro-mpiio-4", "-o", trace], check=True)
        problems = check([*launcher, str(RANKS), compress, samples / "npb-lu.S-4", "-o", work.folder / "out"], compress, work)
        problems += check([*launcher, str(RANKS), replay, trace, "--repeat", "100000", "--scratch", work.folder], replay, work)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
