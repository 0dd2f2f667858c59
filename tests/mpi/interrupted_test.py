#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Signals to a launcher or to one rank: all ranks end, and nothing that they were writing is left.

usage: interrupted_test.py compress|replay BIN SAMPLES SECONDS MPIEXEC -n
SECONDS: that the launcher may take to hand a signal on.
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
RANKS_PER_SECOND = 400  # of an archive, as they are folded here
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


def tells_of(number, whom, words):
    """Open MPI's launcher sends its ranks SIGTERM in place of SIGINT."""
    names = [number.name] + (["SIGTERM"] if whom == "launcher" else [])
    return any(f"interrupted by {name}" in words for name in names)


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
    return f"{left} {words}" if left or not tells_of(number, whom, words) else ""


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


def archive_to_fold(tools, samples, folder, seconds):
    """An archive of many ranks, extrapolated from small runs."""
    runs = [samples / "scaling" / f"stencil2d9p-n16-s20-{ranks}.tfold" for ranks in (4, 9, 16, 25)]
    trace, archive = folder / "many.tfold", folder / "many"
    subprocess.run([tools / "trace_scale", "extrapolate", "-q", *runs, "--ranks", str(seconds * RANKS_PER_SECOND), "-o", trace],
                   check=True)
    subprocess.run([tools / "trace_convert", "-q", trace, "--to", "otf2", "-o", archive], check=True)
    return archive


def command_line(what, tools, samples, folder, output, seconds):
    """What writes to the output folder for long enough to be interrupted."""
    if what == "compress":
        return ["trace_compress", archive_to_fold(tools, samples, folder, seconds), "-o", output / "out"]
    trace = folder / "run.tfold"
    subprocess.run([tools / "trace_compress", "-q", samples / "micro-mpiio-4", "-o", trace], check=True)
    return ["trace_replay", trace, "--repeat", "100000", "--scratch", output]


def main(what, tools, samples, seconds, *launcher):
    tools, samples = pathlib.Path(tools), pathlib.Path(samples)
    with tempfile.TemporaryDirectory(prefix="tracefold-interrupted-") as folder:
        folder = pathlib.Path(folder)
        work = Work(folder / "work")
        work.folder.mkdir()
        program, *arguments = command_line(what, tools, samples, folder, work.folder, int(seconds))
        problems = check([*launcher, str(RANKS), tools / program, *arguments], tools / program, work)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
