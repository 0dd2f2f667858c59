# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import os
import re
import subprocess

from .common import Campaign, Failure, run
from .compare import ANALYSES

ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
OF_TIMES = ["structure --times", "structure --all", "info --columns", "system --unfold", "sizes --exact", "matrix --kind rma",
            "matrix --kind collective", "profile --metric time --by rank", "profile --advise", "metrics --by path",
            "efficiency --focus", "efficiency --sync-clocks", "io --by path", "io --by rank", "graph --stats", "graph --tuples",
            "graph --diff none.tfold", "stats --histogram MPI_*", "stats --histogram MPI_* --over-time", "stats --over ranks",
            "classes --histogram MPI_*", "classes --per-iteration", "explain", "messages --top 20", "predict", "predict --delays --steps",
            "predict --network infiniband --network ethernet --faster *=2", "diff none.tfold"]
OTHERS = ["trace_compress -f archive -o again.tfold", "trace_compress --estimate archive",
          "trace_convert -f run.tfold --to otf2 -o out", "trace_convert -f run.tfold --to csv -o out.csv",
          "trace_convert -f run.tfold --to chrome -o out.json", "trace_convert -f run.tfold --to c -o out.c",
          "trace_convert run.tfold --to tfold --dry-run --anonymize", "trace_convert --to help",
          "trace_inspect report run.tfold -f -o out.html", "trace_inspect list .", "trace_inspect list . --like run.tfold --sort state",
          "trace_replay --check run.tfold", "trace_replay --dry-run run.tfold",
          "trace_scale compare run.tfold none.tfold", "trace_scale compare run.tfold run.tfold --by-class",
          "trace_scale models run.tfold run.tfold", "trace_scale guard run.tfold -- run.tfold"]
TOOLS = ["trace_compress", "trace_convert", "trace_inspect", "trace_replay", "trace_scale"]


def commands():
    yield from (f"trace_inspect {words} run.tfold" for words in [*ANALYSES, *OF_TIMES])
    yield from (f"trace_inspect {words} none.tfold" for words in ANALYSES)
    yield from OTHERS
    yield from (f"{tool} --help" for tool in TOOLS)
    yield from (f"trace_inspect help {command}" for command in ("graph", "predict", "stats", "serve"))
    yield "trace_scale help extrapolate"


class Width(Campaign):
    """Run every command at a width of 80 columns, and look for longer lines of text.

The lines are those of standard output, in characters without escape sequences.
"""

    name = "width"
    columns = ("commands", "refused", "longest line")

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--columns", type=int, default=80, metavar="N", help="of the terminal (default: %(default)s)")
        parser.add_argument("--list", action="store_true", help="print the longest line of each command")

    def check(self, archive):
        for timing in ("exact", "none"):
            run([self.options.bin / "trace_compress", "-q", "--no-verify", "--level", "3", "--timing", timing, archive.path, "-o",
                 archive.work / f"{'run' if timing == 'exact' else timing}.tfold"], self.options.timeout)
        (archive.work / "archive").symlink_to(archive.path)
        count, refused, longest, details = 0, 0, 0, []
        for command in commands():
            code, width, line = self.longest(archive, command)
            count += 1
            refused += code not in (0, 3)
            longest = max(longest, width)
            if width > self.options.columns or self.options.list:
                details.append(f"{width:5} {command}: {line if width > self.options.columns else ''}")
        if longest > self.options.columns or self.options.list:
            raise Failure(f"{longest} columns", details)
        return count, refused, longest

    def longest(self, archive, command):
        """The exit code, the width of the longest line, and the line."""
        tool, *words = command.split()
        environment = {**os.environ, "COLUMNS": str(self.options.columns)}
        result = subprocess.run([self.options.bin / tool, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                errors="replace", cwd=archive.work, timeout=self.options.timeout, env=environment, check=False)
        lines = [ESCAPES.sub("", line) for line in result.stdout.splitlines()]
        line = max(lines, key=len, default="")
        return result.returncode, len(line), line
