# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import csv
import io
import json
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile

from .common import Campaign, Failure, print_head, print_row, run, series_in

FLOW = re.compile(r"^.+: (\d+) nodes, (\d+) edges, \d+ events, cardinality ([\d.]+)", re.MULTILINE)


def xz_bytes(folder):
    # Without owner and time of the files, sizes are reproducible.
    tar = subprocess.run(["tar", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "-C", folder.parent,
                          "-c", folder.name], check=True, capture_output=True)
    return len(subprocess.run(["xz", "-9e", "-c"], input=tar.stdout, check=True, capture_output=True).stdout)


def folded_bytes(bin_folder, archive, timing, work, timeout):
    """The size of a folded file with all models."""
    output = work / "sized.tfold"
    run([bin_folder / "trace_compress", "-q", "-f", archive, "--timing", timing, "-o", output], timeout)
    return output.stat().st_size


class Sizes(Campaign):
    """Print the sizes of archives, also compressed by xz, and of their folded files."""

    name = "sizes"
    columns = ("events", "OTF2 bytes", "`tar | xz -9e` bytes", "order only bytes", "exact bytes", "exact / xz")
    programs = ("tar", "xz")

    def check(self, archive):
        order, exact = (folded_bytes(self.options.bin, archive.path, timing, archive.work, self.options.timeout)
                        for timing in ("none", "exact"))
        xz = xz_bytes(archive.path)
        return archive.info["events"], archive.bytes, xz, order, exact, f"{exact / xz:.2f}"


class Series(Campaign):
    """Print the sizes of one program's files at several numbers of ranks.

A series is the archives NAME-RANKS, folded without times. The last column is the size of the largest run relative to the
one before it.
"""

    name = "series"
    jobs = 0

    def run(self):
        print_head(["series", "ranks", "bytes", "last"])
        with tempfile.TemporaryDirectory(dir=self.options.work) as work:
            for name, archives in series_in(self.found()).items():
                sizes = [folded_bytes(self.options.bin, archive, "none", pathlib.Path(work), self.options.timeout)
                         for _, archive in archives]
                print_row([name, " ".join(str(ranks) for ranks, _ in archives), " ".join(map(str, sizes)),
                           f"{sizes[-1] / sizes[-2]:.2f}" if len(sizes) > 1 else ""])
        return 0


class Flow(Campaign):
    """Print tables 1 and 2 of the paper on event flow graphs: sizes and shapes of the graph of every rank.

The size of a graph is that of `trace_inspect graph --tuples`; the baseline is the rank's event file (traces/N.evt).
Cardinality is the mean number of visits of a node that an edge leads to. Cells have minimum, maximum and mean over ranks.
"""

    name = "flow"
    columns = ("ranks", "events file / graph", "nodes", "edges", "cardinality")
    timeout = 900

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--signature", default="call,peer,size,path")

    def check(self, archive):
        archive.fold("--timing", "none")
        text = archive.tool("trace_inspect", "graph", archive.file, "--tuples", "--signature", self.options.signature)
        starts = [*(found.start() for found in FLOW.finditer(text)), len(text)]
        sizes = [len(text[start:end].encode()) for start, end in zip(starts, starts[1:])]
        shapes = FLOW.findall(text)
        files = sorted(archive.path.glob("traces/*.evt"), key=lambda file: int(file.stem))
        if len(files) != len(sizes):
            raise Failure(f"{len(files)} event files, {len(sizes)} graphs")
        columns = [[file.stat().st_size / size for file, size in zip(files, sizes)]]
        columns += [[kind(shape[place]) for shape in shapes] for place, kind in enumerate((int, int, float))]
        return len(sizes), *map(self.spread, columns)

    @staticmethod
    def spread(numbers):
        ends = [str(number) if isinstance(number, int) else f"{number:.2f}" for number in (min(numbers), max(numbers))]
        return " / ".join([*ends, f"{statistics.fmean(numbers):.2f}"])


class Scaling(Campaign):
    """Extrapolate the largest run of each series from the others, and compare it with the real one.

A series is the folded files NAME-RANKS.tfold of a folder, made with times or without. The time of an extrapolation is that of the
processor.
"""

    name = "scaling"
    archives = False

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("folder", type=pathlib.Path, help="of folded files")

    def run(self):
        print_head(["series", "from", "to", "result", "time", "median error", "mean error", "left out"])
        with tempfile.TemporaryDirectory() as scratch:
            for name, files in series_in(self.options.folder.glob("*.tfold")).items():
                print_row(self.row(name, files, pathlib.Path(scratch)))
        return 0

    def tool(self, name, *arguments):
        return run([self.options.bin / name, *arguments], self.options.timeout, None)

    def row(self, name, files, scratch):
        (ranks, real), training = files[-1], [file for _, file in files[:-1]]
        made = scratch / "made.tfold"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = self.tool("trace_scale", "extrapolate", *training, "--ranks", ranks, "-o", made, "-f")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        errors = self.errors_of_times(made, real) if result.returncode == 0 else []
        return [name, " ".join(str(size) for size, _ in files[:-1]), str(ranks), self.verdict(made, real, result),
                f"{seconds:.1f} s", self.percent(statistics.median, errors), self.percent(statistics.mean, errors),
                self.percent(statistics.median, self.left_out_errors(training))]

    @staticmethod
    def percent(function, errors):
        return f"{100 * function(errors):.0f} %" if errors else ""

    def errors_of_times(self, made, real):
        """Relative errors of the time per rank, by call path; empty without times."""
        result = self.tool("trace_scale", "compare", made, real, "--csv")
        times = {}
        for row in csv.DictReader(io.StringIO(result.stdout)) if result.returncode == 0 else []:
            times.setdefault(row["path"], []).append(float(row["seconds_per_rank"]))
        return [abs(a / b - 1) for a, b in times.values() if b > 0]

    def left_out_errors(self, training):
        """By call path: the mean relative error of the time in runs that are left out one by one."""
        result = self.tool("trace_scale", "models", *training, "--json")
        models = json.loads(result.stdout)["models"] if result.returncode == 0 else []
        return [model["growth"]["leave_one_out_error"] for model in models if model["metric"] == "time"]

    def verdict(self, made, real, result):
        if result.returncode != 0:
            return "refused: " + result.stderr.strip().split("cannot be derived from these: ")[-1]
        differences = self.tool("trace_inspect", "diff", made, real, "--ignore", "ProcessId")
        if differences.returncode == 0:
            return "exact"
        if "is arbitrary" in result.stderr:
            return "exact except for the order of receives from any source"
        lines = [line for line in differences.stdout.splitlines() if "~" in line or "+" in line[:6]]
        return f"{len(lines)} differences"
