# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import collections
import json
import pathlib
import subprocess

from .common import FAILED, ROOT, Campaign, need, path, print_head, print_row

SOURCES = ("lib/base", "lib/file", "lib/otf2", "tools/inspect/page/http_server.cpp")


class Coverage(Campaign):
    """Count the branches that the tests take, of what reads untrusted bytes.

The build and its tests are those of the preset `coverage` (of cmake, cmake --build and ctest). A branch is an outcome of
a condition, or a case; those of `while (true)` do not count. Fails if less than --least percent of all branches were taken.
"""

    name = "coverage"
    archives = False

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--build", type=path, default=ROOT / "build/coverage", help="build folder")
        parser.add_argument("--sources", nargs="+", default=SOURCES, metavar="PATH", help="default: " + ", ".join(SOURCES))
        parser.add_argument("--least", type=float, default=95, help="percent (default: %(default)s)")
        parser.add_argument("--branches", action="store_true", help="list the conditions with an outcome that never happened")

    def run(self):
        need("llvm-profdata", "llvm-cov")
        build = self.options.build
        profile = build / "tests.profdata"
        subprocess.run(["llvm-profdata", "merge", "-sparse", "-o", profile, *(build / "profiles").glob("*.profraw")], check=True)
        programs = sorted(one for one in (build / "bin").iterdir() if one.read_bytes()[:4] == b"\x7fELF")
        sources = [source for place in self.options.sources
                   for source in ([ROOT / place] if (ROOT / place).is_file() else sorted((ROOT / place).rglob("*.[ch]pp")))]
        exported = json.loads(subprocess.run(
            ["llvm-cov", "export", "-instr-profile", profile, "-skip-expansions", programs[0],
             *(word for one in programs[1:] for word in ("-object", one)), *sources],
            check=True, capture_output=True).stdout)
        files = [(str(one["filename"]).removeprefix(f"{ROOT}/"), self.branches(one)) for one in exported["data"][0]["files"]]
        print_head(["source", "branches", "taken", "percent"])
        total = collections.Counter()
        for name, branches in sorted(files):
            taken = sum(1 for count in branches.values() if count)
            total.update(all=len(branches), taken=taken)
            if branches:
                print_row([name, len(branches), taken, f"{100 * taken / len(branches):.1f}"])
            if self.options.branches:
                for (line, column, outcome), count in sorted(branches.items()):
                    if not count:
                        print(f"{name}:{line}:{column}: never {outcome}")
        percent = 100 * total["taken"] / max(1, total["all"])
        print_row(["all", total["all"], total["taken"], f"{percent:.1f}"])
        return 0 if percent >= self.options.least else FAILED

    @staticmethod
    def branches(exported):
        """By line, column and outcome: how often; of templates over all instances."""
        counts = collections.Counter()
        lines = pathlib.Path(exported["filename"]).read_text(encoding="utf-8").splitlines()
        for line, column, _, _, when_true, when_false, *_ in exported["branches"]:
            if lines[line - 1][column - 1:].startswith("true"):
                continue
            counts[line, column, "true"] += when_true
            counts[line, column, "false"] += when_false
        return counts
