# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time

from .common import FAILED, Archive, Campaign, print_head, print_row

MOST_MEGABYTES, MOST_SECONDS = 512, 60
BUSY_SECONDS = 0.15
TWO_PROCESSES = ["mpirun", "-n", "2"]
# FILE is the folded file, ARCHIVE the archive, OUT a file or folder to write.
EXPORTS = [f"trace_convert FILE --to {form} -o OUT.{form}"
           for form in ("otf2", "text", "jsonl", "csv", "chrome", "prv", "ti", "goal", "dim", "dumpi", "chakra")]
REPORT = "trace_inspect report FILE -o OUT.html"
GRAPH = "trace_inspect graph --times FILE -o OUT.json"
ALL = ["trace_compress ARCHIVE -o OUT.tfold", "trace_compress --timing none ARCHIVE -o OUT.tfold",
       *(f"trace_inspect {words} FILE" for words in (
           "info", "structure", "calls --ranks 0", "matrix", "sizes", "system", "diff FILE", "check", "profile", "stats",
           "stats --by path", "classes", "efficiency", "predict --network infiniband", "io", "metrics")),
       "trace_inspect graph FILE -o OUT.json", GRAPH, REPORT,
       *(f"trace_convert FILE --to tfold {words} -o OUT.tfold" for words in ("--ranks 0-3", "--sync-clocks", "--anonymize")),
       *EXPORTS, "trace_convert FILE --to c -o OUT.c", "trace_replay FILE --check", "trace_replay FILE --dry-run"]
WITH_PROCESSES = [*(f"trace_inspect {words} FILE" for words in ("stats", "profile", "classes", "efficiency")), REPORT]
WITH_THREADS = [*EXPORTS, "trace_inspect check FILE", GRAPH, *WITH_PROCESSES]


class Measurement(Campaign):
    """A table with a row per command and a column per archive."""

    jobs = 0

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--before", type=shlex.split, default=[], metavar="COMMAND",
                            help='that starts each command, such as "chrt -f 1"')
        parser.add_argument("--only", nargs="+", metavar="WORD", help="commands with one of these words")

    def commands(self):
        return ALL

    def cell(self, command, archive):
        raise NotImplementedError

    def run(self):
        with tempfile.TemporaryDirectory(dir=self.options.work) as work:
            archives = []
            for number, place in enumerate(self.found()):
                folder = pathlib.Path(work) / str(number)
                folder.mkdir()
                archive = Archive(place, self.options, folder)
                archive.tool("trace_compress", "-q", "--no-verify", place, "-o", archive.file)
                archives.append(archive)
            print_head(["command", *(archive.name for archive in archives)])
            for command in self.commands():
                if not self.options.only or set(self.options.only) & set(command.split()):
                    print_row([f"`{command.replace('trace_', '', 1)}`", *(self.cell(command, one) for one in archives)])
        return 0

    def measure(self, command, archive, launcher=(), more=()):
        """Exit code, megabytes and seconds of a command."""
        out = archive.work / "out"
        out.mkdir()
        names = {"FILE": str(archive.file), "ARCHIVE": str(archive.path)}
        words = [names.get(word, word.replace("OUT", str(out / "result"))) for word in command.split()]
        words = [*self.options.before, *launcher, str(self.options.bin / words[0]), *words[1:], *more]
        start = time.monotonic()
        with open(out / "printed", "wb") as printed:
            # pylint: disable-next=consider-using-with
            child = subprocess.Popen(words, cwd=out, stdout=printed, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        shutil.rmtree(out)
        return child.returncode, usage.ru_maxrss / 1000, seconds


class Costs(Measurement):
    """Measure peak memory and wall time of every command.

Each archive is folded with exact times first. A cell has megabytes and seconds; commands that refuse an archive have the exit
code in place of them. Exit code 3 if a command needs more than 512 MB or 60 s.
"""

    name = "costs"

    def run(self):
        self.exceeded = []
        super().run()
        for line in self.exceeded:
            print(f"more than {MOST_MEGABYTES} MB or {MOST_SECONDS} s: {line}")
        return FAILED if self.exceeded else 0

    def cell(self, command, archive):
        code, megabytes, seconds = self.measure(command, archive)
        if megabytes > MOST_MEGABYTES or seconds > MOST_SECONDS:
            self.exceeded.append(f"{archive.name}: {command}")
        return f"{megabytes:.0f} MB, {seconds:.1f} s" if code in (0, 3) else f"exit code {code}"


class Threads(Measurement):
    """Measure the speedup of commands with two threads, or as two processes.

One and two take turns, and before each all cores are kept busy for a moment: on some machines a core that has idled is
slow at first, which only the command that needs it would pay for. A cell has the medians of the wall times in seconds and
the median of the ratios of neighbours.
"""

    name = "threads"

    @classmethod
    def add_options(cls, parser):
        super().add_options(parser)
        parser.add_argument("--runs", type=int, default=9, metavar="N", help="measurements (default: %(default)s)")
        parser.add_argument("--processes", action="store_true", help="compare with `mpirun -n 2` instead of two threads")

    def commands(self):
        return WITH_PROCESSES if self.options.processes else WITH_THREADS

    def cell(self, command, archive):
        pairs = []
        for _ in range(self.options.runs):
            pairs.append([self.seconds(command, archive, number) for number in (1, 2)])
            if None in pairs[-1]:
                return "refused"
        one, two = (statistics.median(times) for times in zip(*pairs))
        return f"{one:.2f}, {two:.2f}: {statistics.median(a / b for a, b in pairs):.2f}"

    def seconds(self, command, archive, number):
        self.keep_cores_busy()
        if number == 2 and self.options.processes:
            code, _, seconds = self.measure(command, archive, TWO_PROCESSES)
        else:
            code, _, seconds = self.measure(command, archive, more=["--threads", str(number)])
        return seconds if code in (0, 3) else None

    @staticmethod
    def keep_cores_busy():
        children = []
        for _ in os.sched_getaffinity(0):
            child = os.fork()
            if child == 0:
                end = time.monotonic() + BUSY_SECONDS
                while time.monotonic() < end:
                    pass
                os._exit(0)
            children.append(child)
        for child in children:
            os.waitpid(child, 0)
