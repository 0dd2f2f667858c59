# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from .common import FAILED, Campaign, UsageError, print_head, print_row

SECONDS = 60  # how long a command may take on a machine that is busy


def content_of(place):
    """Of a file or folder, to be compared."""
    if place.is_file():
        return place.read_bytes()
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


class Kill(Campaign):
    """End commands that replace an output at random moments, and check the files that remain.

Each of trace_compress, trace_convert --to otf2 and trace_inspect report is ended --count times by each of SIGTERM, SIGKILL and
SIGINT, while it replaces the output of the first archive with that of the second, or the other way round. The output must then be
the whole old one or the whole new one, and but for SIGKILL no other file may be left; the next run removes the rest of SIGKILL.
"""

    name = "kill"
    jobs = 0

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--count", type=int, default=1000, help="(default: %(default)s)")
        parser.add_argument("--seed", default="1")

    def run(self):
        self.draw = random.Random(self.options.seed)
        self.sources = self.found()[:2]
        if len(self.sources) < 2:
            raise UsageError("two archives are needed")
        shared = "/dev/shm" if os.path.isdir("/dev/shm") else None
        print_head(["command", "signal", "times", "failures so far"])
        with tempfile.TemporaryDirectory(prefix="tracefold-kill-", dir=self.options.work or shared) as folder:
            self.work = pathlib.Path(folder)
            for number, source in enumerate(self.sources):
                self.done(["trace_compress", "-q", source, "-o", self.work / f"{number}.tfold"])
            failures = sum(self.try_command(name) for name in ("compress", "to otf2", "report"))
        return FAILED if failures else 0

    def done(self, words):
        subprocess.run([self.options.bin / words[0], *words[1:]], check=True, stdout=subprocess.DEVNULL)

    def commands(self, out):
        return {
            "compress": lambda n: ["trace_compress", "-q", "-f", self.sources[n], "-o", out],
            "to otf2": lambda n: ["trace_convert", "-q", "-f", self.work / f"{n}.tfold", "--to", "otf2", "-o", out],
            "report": lambda n: ["trace_inspect", "report", "-f", self.work / f"{n}.tfold", "-o", out],
        }

    def one(self, command, out, number, wanted, seconds):
        """The failure of a run of `command` that was ended, or None."""
        # pylint: disable-next=consider-using-with
        process = subprocess.Popen([self.options.bin / command[0], *map(str, command[1:])], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(self.draw.random() * seconds)
        process.send_signal(number)
        code = process.wait(SECONDS)
        if code not in (0, -number):
            return f"exit code {code}"
        if content_of(out) not in wanted:
            return "neither the old nor the new output"
        if code == 0 and content_of(out) != wanted[1]:
            return "not the new output"
        rest = [path.name for path in out.parent.iterdir() if path != out]
        if rest and number != signal.SIGKILL:
            subprocess.run(["rm", "-rf", *(out.parent / name for name in rest)], check=True)
            return f"left {rest}"
        return None

    def try_command(self, name):
        folder = self.work / "o"
        folder.mkdir()
        out = folder / "out"
        command = self.commands(out)[name]
        wanted = []
        for number in (0, 1):
            begin = time.monotonic()
            self.done(command(number))
            seconds = time.monotonic() - begin
            wanted.append(content_of(out))
        failures = 0
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
            for _ in range(self.options.count):
                target = self.draw.randrange(2)
                new = wanted[target]
                old = content_of(out)
                problem = self.one(command(target), out, number, (old, new), seconds * 1.2)
                if problem:
                    failures += 1
                    print(f"{name}, {number.name}: {problem}", file=sys.stderr)
                if number == signal.SIGKILL:
                    self.done(command(target))
                    if len(list(folder.iterdir())) != 1:
                        failures += 1
                        print(f"{name}: the next run leaves {list(folder.iterdir())}", file=sys.stderr)
            print_row([name, number.name, self.options.count, failures])
        shutil.rmtree(folder)
        return failures
