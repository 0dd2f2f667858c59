#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Signals to a launcher or to one rank: all ranks end, and nothing that they were writing is left.

usage: interrupted_test.py compress|replay BIN SAMPLES openmpi|other MPIEXEC -n
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
# Open MPI's launcher sends its ranks SIGTERM whatever it was sent, and only a second later: folding has to take longer.
HANDED_ON = {"openmpi": {signal.SIGINT: signal.SIGTERM}, "other": {}}
RANKS_OF_ARCHIVE = {"openmpi": 1600, "other": 400}
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


def try_once(command, program, whom, number, handed_on, work):
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
    expected = handed_on.get(number, number) if whom == "launcher" else number
    return f"{left} {words}" if left or f"interrupted by {expected.name}" not in words else ""


def check(command, program, handed_on, work):
    problems = []
    for whom, numbers in SIGNALS.items():
        for number in numbers:
            for _ in range(TRIES):
                left = try_once(command, program, whom, number, handed_on, work)
                subprocess.run(["rm", "-rf", *work.folder.iterdir()], check=True)
                if left is not None:
                    break
            if left is None or left:
                problems.append(f"{program.name}, {number.name} to a {whom}: "
                                f"{'never interrupted' if left is None else left}")
    return problems


def archive_to_fold(tools, samples, folder, ranks):
    """An archive of many ranks, extrapolated from small runs."""
    runs = [samples / "scaling" / f"stencil2d9p-n16-s20-{size}.tfold" for size in (4, 9, 16, 25)]
    trace, archive = folder / "many.tfold", folder / "many"
    subprocess.run([tools / "trace_scale", "extrapolate", "-q", *runs, "--ranks", str(ranks), "-o", trace], check=True)
    subprocess.run([tools / "trace_convert", "-q", trace, "--to", "otf2", "-o", archive], check=True)
    return archive


def command_line(what, tools, samples, folder, output, ranks):
    """What writes to the output folder for long enough to be interrupted."""
    if what == "compress":
        return ["trace_compress", archive_to_fold(tools, samples, folder, ranks), "-o", output / "out"]
    trace = folder / "run.tfold"
    subprocess.run([tools / "trace_compress", "-q", samples / "micro-mpiio-4", "-o", trace], check=True)
    return ["trace_replay", trace, "--repeat", "100000", "--scratch", output]


def main(what, tools, samples, library, *launcher):
    tools, samples = pathlib.Path(tools), pathlib.Path(samples)
    with tempfile.TemporaryDirectory(prefix="tracefold-interrupted-") as folder:
        folder = pathlib.Path(folder)
        work = Work(folder / "work")
        work.folder.mkdir()
        program, *arguments = command_line(what, tools, samples, folder, work.folder, RANKS_OF_ARCHIVE[library])
        problems = check([*launcher, str(RANKS), tools / program, *arguments], tools / program, HANDED_ON[library], work)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
