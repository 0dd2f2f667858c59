# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import filecmp
import itertools
import os
import subprocess

from .common import PATIENCE, Campaign, Failure, path

USAGE_ERROR = 2
ANALYSES = ["info", "info --all", "structure", "calls", "matrix", "matrix --by node", "sizes", "system", "check",
            "check --unsupported skip", "profile", "profile --by rank", "stats", "stats --by path", "stats --by loop", "classes",
            "classes --by calls", "efficiency", "io", "metrics", "accelerators"]
TABLES = ["calls", "matrix", "sizes", "profile", "stats", "stats --by loop", "classes", "efficiency", "io", "metrics"]
PICTURES = ["matrix --svg", "sizes --svg", "stats --svg --histogram MPI_*", *(f"graph --format {name}" for name in ("dot", "graphml", "json"))]
INSPECT = [*ANALYSES, "graph", *(f"{words} --json" for words in ANALYSES), *(f"{words} --csv" for words in TABLES),
           *PICTURES]
# Of exact times only.
OTHERS = ["trace_inspect explain FILE --json", "trace_inspect messages FILE --csv", "trace_inspect predict FILE --network infiniband",
          "trace_inspect predict FILE --network infiniband --json",
          "trace_inspect diff FILE none.tfold", "trace_inspect report FILE -o OUT.html", "trace_scale compare FILE none.tfold",
          "trace_replay --check FILE", "trace_replay --dry-run FILE", "trace_replay --dry-run FILE --json"]
TARGETS = ["otf2", "ti", "ti --platform-template", "goal", "c", "dim", "dumpi", "chakra", "chakra --collective-nodes",
           "prv", "csv", "chrome", "jsonl", "text", "tfold --ranks 0 --closed", "tfold --iterations 1-2", "tfold --anonymize",
           "tfold --sync-clocks", "otf2 --drop attributes"]


def commands():
    """Each with the name of its output, if it writes one."""
    for timing in ("none", "histogram", "quantized", "exact"):
        output = f"{timing}.tfold"
        yield f"trace_compress -q archive --timing {timing} -o {output}", output
    for timing, words in itertools.product(("exact", "none"), INSPECT):
        yield f"trace_inspect {words} {timing}.tfold", None
    for words in OTHERS:
        yield words.replace("FILE", "exact.tfold").replace("OUT", "out"), "out.html" if "OUT" in words else None
    for number, words in enumerate(TARGETS):
        yield f"trace_convert -q exact.tfold -o converted{number} --to {words}", f"converted{number}"


def different_file(a, b):
    """The first file below two places that differs, or None."""
    if a.is_dir() and b.is_dir():
        names = sorted({one.name for folder in (a, b) for one in folder.iterdir()})
        return next(filter(None, (different_file(a / name, b / name) for name in names)), None)
    if not a.exists() and not b.exists():
        return None
    return None if a.is_file() and b.is_file() and filecmp.cmp(a, b, shallow=False) else a.name


def first_difference(a, b):
    """The first lines that differ, from shortly before the place where they do."""
    with open(a, "rb") as old_lines, open(b, "rb") as new_lines:
        for old, new in itertools.zip_longest(old_lines, new_lines, fillvalue=b"(end)"):
            if old != new:
                begin = max(0, len(os.path.commonprefix([old, new])) - 30)
                return ", now ".join(repr(line[begin:begin + 90].decode(errors="replace")) for line in (old, new))
    return ""


class Compare(Campaign):
    """Compare the outputs of two builds, byte by byte.

Runs every command and conversion, and every timing level, with the tools of both folders. Exit codes, standard output,
standard error and written files, such as folded files, must be the same. A difference is a line on standard error.
"""

    name = "compare"
    columns = ("commands", "refused by both", "differences")

    @classmethod
    def add_bin(cls, parser):
        parser.add_argument("bin", type=path, metavar="BEFORE_BIN", help="folder of the tools of the first build")
        parser.add_argument("after", type=path, metavar="AFTER_BIN")

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--only", nargs="+", metavar="WORD", help="commands with one of these words, and trace_compress")

    def is_wanted(self, command):
        return not self.options.only or {"trace_compress", *self.options.only} & set(command.split())

    def check(self, archive):
        sides = [(self.options.bin, archive.work / "a"), (self.options.after, archive.work / "b")]
        for _, folder in sides:
            folder.mkdir()
            (folder / "archive").symlink_to(archive.path)
        count, refused, differences = 0, 0, []
        for command, output in commands():
            if not self.is_wanted(command):
                continue
            count += 1
            before, after = (self.exit_code(*side, command) for side in sides)
            refused += before == after == USAGE_ERROR
            if before != after:
                differences.append(f"{command}: exit code {before}, now {after}")
            for stream in ("standard output", "standard error"):
                printed = [folder / stream for _, folder in sides]
                if not filecmp.cmp(*printed, shallow=False):
                    differences.append(f"{command}: {stream}: {first_difference(*printed)}")
            if output and (name := different_file(*(folder / output for _, folder in sides))):
                differences.append(f"{command}: file {name}")
        if differences:
            raise Failure(f"{len(differences)} differences in {count} commands", differences)
        return count, refused, 0

    def exit_code(self, tools, folder, command):
        tool, *words = command.split()
        with open(folder / "standard output", "wb") as out, open(folder / "standard error", "wb") as err:
            try:
                return subprocess.run([tools / tool, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder,
                                      timeout=self.options.timeout * PATIENCE, check=False).returncode
            except subprocess.TimeoutExpired as expired:
                raise Failure(f"{command} takes more than {self.options.timeout:g} s") from expired
