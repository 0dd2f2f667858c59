# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shared by all campaigns: options, archives, running programs, parallelism, the table and the exit code."""

import functools
import importlib.util
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHECKERS = ROOT / "tests/exports"
PATIENCE = int(os.environ.get("TRACEFOLD_TEST_PATIENCE", "1"))  # tests/cli/limits.py
FAILED = 3
# In the messages of trace_convert about traces that a format cannot hold.
REFUSALS = ("several threads of ", "the trace has ", "communicator ")


class Failure(Exception):
    """A check that does not hold, and perhaps lines of details."""

    def __init__(self, text, details=()):
        super().__init__(text)
        self.details = details


class Refusal(Exception):
    """The archive is none that the check applies to."""


class Missing(Exception):
    """A program or module that is not installed."""


class UsageError(Exception):
    """Options that do not fit together."""


def need(*programs, modules=()):
    for name in programs:
        if not shutil.which(name):
            raise Missing(name)
    for name in modules:
        if not importlib.util.find_spec(name):
            raise Missing(f"Python's {name}")


def run(command, timeout=600, codes=(0,), text=True, **options):
    """The finished process; Failure if it takes too long or has another exit code than these (None: any)."""
    program = pathlib.Path(command[0]).name
    try:
        result = subprocess.run([str(word) for word in command], capture_output=True, text=text, timeout=timeout * PATIENCE,
                                errors="replace" if text else None, check=False, **options)
    except subprocess.TimeoutExpired as expired:
        raise Failure(f"{program} takes more than {timeout:g} s") from expired
    if codes is not None and result.returncode not in codes:
        said = result.stderr + result.stdout if text else (result.stderr + result.stdout).decode(errors="replace")
        kind = Refusal if program == "trace_convert" and any(words in said for words in REFUSALS) else Failure
        raise kind(f"{program}: exit code {result.returncode}: {said.strip()[-300:]}")
    return result


def with_preloaded(*libraries):
    """The environment of a process under mpiexec."""
    first = os.environ.get("TRACEFOLD_MPI_PRELOAD") or os.environ.get("LD_PRELOAD", "")
    return {**os.environ, "LD_PRELOAD": ":".join(str(one) for one in (first, *libraries) if one)}


def print_row(cells):
    texts = [f"{cell:,}" if isinstance(cell, int) else str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells]
    print("| " + " | ".join(texts) + " |", flush=True)


def print_head(columns):
    """The first column has names, the others figures."""
    print_row(columns)
    print("|---|" + "---:|" * (len(columns) - 1), flush=True)


def archives_in(place):
    """A folded file, or all folders below a place that have an anchor file."""
    if place.is_file():
        return [place.parent if place.suffix == ".otf2" else place]
    return sorted({anchor.parent for anchor in place.rglob("*.otf2")})


def series_in(files):
    """Files or folders with names NAME-RANKS: by name, pairs of ranks and path."""
    found = {}
    for path in files:
        name, _, ranks = path.name.removesuffix(".tfold").rpartition("-")
        if ranks.isdigit():
            found.setdefault(name, []).append((int(ranks), path))
    return {name: sorted(paths) for name, paths in sorted(found.items())}


@functools.cache
def info_of(tools, archive):
    return json.loads(run([tools / "trace_inspect", "info", archive, "--json"]).stdout)


class Archive:
    """An archive, or a folded file, with a scratch folder of its own."""

    def __init__(self, path, options, work):
        self.path, self.options, self.work = path, options, work
        self.name = path.name
        self.file = work / "run.tfold"

    def tool(self, name, *arguments, codes=(0,)):
        """Standard output of a tool."""
        return run([self.options.bin / name, *arguments], self.options.timeout, codes).stdout

    def inspect(self, *arguments, codes=(0,)):
        return json.loads(self.tool("trace_inspect", *arguments, "--json", codes=codes))

    def fold(self, *arguments):
        self.tool("trace_compress", "-q", "-f", "--no-verify", "--level", "3", *arguments, self.path, "-o", self.file)
        return self.file

    def convert(self, form, *arguments, output=None):
        """Converts the folded file to run.FORM; returns path and report."""
        output = output or self.work / f"run.{form}"
        shutil.rmtree(output, ignore_errors=True)
        return output, json.loads(self.tool("trace_convert", self.file, "--to", form, "-o", output, "-f", "--json", *arguments))

    def launch(self, ranks, command, timeout=None, libraries=(), codes=(0,)):
        """Runs a command under mpiexec."""
        return run([*shlex.split(self.options.launcher), ranks, *command], timeout or self.options.timeout, codes,
                   env=with_preloaded(*libraries))

    @property
    def info(self):
        return info_of(self.options.bin, self.path)

    @property
    def bytes(self):
        return sum(path.stat().st_size for path in self.path.rglob("*") if path.is_file())


class Campaign:
    """A subcommand: its documentation is the help, and check() judges one archive."""

    all = []
    name = None
    columns = ()  # of the table, after the archive's name
    archives = True  # false: run() chooses its input
    jobs = os.cpu_count()  # archives at a time: 1 where they start processes, 0 where run() takes them as it likes
    launcher = False  # whether it starts processes under mpiexec
    max_ranks = None
    timeout = 600
    programs = modules = ()  # that it needs

    def __init_subclass__(cls):
        if cls.name:
            Campaign.all.append(cls)

    def __init__(self, options):
        self.options = options

    @classmethod
    def add_bin(cls, parser):
        parser.add_argument("--bin", type=path, default=ROOT / "build/release/bin", help="folder of the built tools")

    @classmethod
    def add_common_options(cls, parser):
        cls.add_bin(parser)
        parser.add_argument("--timeout", type=float, default=cls.timeout, metavar="SECONDS", help="of one step")
        if cls.archives:
            parser.add_argument("--archives", type=path, nargs="+", default=[ROOT / "sample_traces"], metavar="PLACE",
                                help="archives, and folders that are searched for archives")
            parser.add_argument("--max-events", type=int, metavar="N", help="leave out larger archives")
            parser.add_argument("--max-ranks", type=int, metavar="N", default=cls.max_ranks,
                                help="leave out archives with more ranks (default: %(default)s)")
            if cls.jobs:
                parser.add_argument("--jobs", type=int, default=cls.jobs, metavar="N",
                                    help="archives at a time (default: %(default)s)")
            parser.add_argument("--work", type=path, metavar="FOLDER", help="for temporary files")
        if cls.launcher:
            mpiexec = shutil.which("mpiexec.mpich") or "mpiexec"
            parser.add_argument("--launcher", default=f"{mpiexec} -n", help="command that takes a number of processes")

    @classmethod
    def add_options(cls, parser):
        """Options of its own."""

    def head(self):
        return ["archive", *self.columns]

    def check(self, archive):
        """The cells of its row, of which some may begin with FAILED. Raises Failure or Refusal."""
        raise NotImplementedError

    def found(self):
        """The archives within the limits."""
        paths = [found for place in self.options.archives for found in archives_in(place)]
        if not paths:
            raise UsageError("there are no archives in " + " ".join(map(str, self.options.archives)))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return [path for path, fits in zip(paths, pool.map(self.fits, paths)) if fits]

    def fits(self, archive):
        try:
            return all(low <= info_of(self.options.bin, archive)[key] <= high for key, low, high in self.limits())
        except Failure:
            return True  # its row has the reason

    def limits(self):
        """Figures of `trace_inspect info`, minimum and maximum."""
        limits = (("events", self.options.max_events), ("ranks", self.options.max_ranks))
        return [(key, 0, high) for key, high in limits if high is not None]

    def row(self, place):
        """Cells, how it went, and lines of details."""
        with tempfile.TemporaryDirectory(prefix="campaign-", dir=self.options.work) as work:
            archive = Archive(place, self.options, pathlib.Path(work))
            try:
                cells = self.check(archive)
                return cells, "failed" if any(str(cell).startswith("FAILED") for cell in cells) else "passed", ()
            except Refusal as refusal:
                return [f"refused: {refusal}"], "refused", ()
            except Failure as failure:
                return [f"FAILED: {failure}"], "failed", failure.details

    def run(self):
        """The exit code."""
        places = self.found()
        need(*self.programs, *(shlex.split(self.options.launcher)[:1] if self.launcher else ()), modules=self.modules)
        counts = dict.fromkeys(("passed", "refused", "failed"), 0)
        print_head(self.head())
        with ThreadPoolExecutor(self.options.jobs) as pool:
            for place, (cells, outcome, details) in zip(places, pool.map(self.row, places)):
                counts[outcome] += 1
                print_row([place.name, *cells])
                for line in details:
                    print(f"{place.name}: {line}", file=sys.stderr, flush=True)
        print("\n" + ", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
        return FAILED if counts["failed"] else 0


def path(text):
    """The type of an option that is a path."""
    return pathlib.Path(text).resolve()


def run_checker(name, *arguments, timeout=600, python=sys.executable):
    """Standard output of a program of tests/exports."""
    return run([python, CHECKERS / f"check_{name}.py", *arguments], timeout).stdout


def simulate(folder, report, timeout, smpirun="smpirun"):
    """Actions that SimGrid executes, which must be all that were written with --platform-template."""
    said = run([smpirun, "-np", report["ranks"], "-platform", "platform.xml", "-hostfile", "hostfile", "-replay", "ranks.txt",
                "--log=smpi_replay.thresh:verbose"], timeout, cwd=folder)
    said = said.stdout + said.stderr
    # A deadlock, too, ends with exit code 0.
    if "Deadlock detected" in said or "Simulation time" not in said:
        raise Failure(f"smpirun: {said.strip()[-200:]}")
    # It does not log init and finalize.
    executed = said.count("[smpi_replay/VERBOSE]") + 2 * report["ranks"]
    written = sum(count for name, count in report["contents"].items() if name != "ranks without MPI calls")
    if executed != written:
        raise Failure(f"smpirun executed {executed} of {written} actions")
    return executed
