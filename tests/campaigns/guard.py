# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import json
import os
import pathlib
import random
import tempfile
from concurrent.futures import ThreadPoolExecutor

from .common import FAILED, Campaign, Failure, UsageError, path, print_head, print_row, run

MADE_RUNS = 30
MADE_NOISE = (0.004, 0.02)  # of a function in a run
MACHINE_NOISE = 0.01  # of all functions together
VISIBLE = 0.05  # detectable changes up to this one count


class Guard(Campaign):
    """Measure how often `trace_scale guard` raises false alarms, and finds a slower call path.

Draws comparisons from reruns of one program: baselines and new runs of one folder (A/A), and new runs of a second folder, in
which the call path --path takes --slower more. Without --runs, reruns with drawn noise are made. Columns: comparisons with a
false verdict `slower`, and with a difference in structure; comparisons whose detectable change of the call path is at most
5 %, and in how many of these it was found; the same of all comparisons; comparisons in which another call path was called
slower, too. Fails if more than 5 % of the verdicts are false, if a structure differs, or if more than one and a tenth of the
detectable changes are missed.
"""

    name = "guard"
    archives = False

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--runs", type=path, nargs="+", metavar="FOLDER", help="folders of folded reruns, one for each program")
        parser.add_argument("--slow", type=path, nargs="+", default=[], metavar="FOLDER", help="the same with a slower call path")
        parser.add_argument("--path", default="smooth", metavar="NAME", help="last name of it (default: %(default)s)")
        parser.add_argument("--slower", type=float, default=0.05, metavar="R", help="of made runs (default: %(default)s)")
        parser.add_argument("--make-trace", type=path, metavar="PROGRAM", help="make_trace, for made runs (default: in --bin)")
        parser.add_argument("--comparisons", type=int, default=200, metavar="N")
        parser.add_argument("--baselines", type=int, default=5, metavar="N")
        parser.add_argument("--new", type=int, nargs="+", default=[1, 3, 5], metavar="N", help="new runs in a comparison")
        parser.add_argument("--seed", type=int, default=1, metavar="N")

    def run(self):
        print_head(["reruns", "new runs", "false", "structure", "detectable", "found", "all", "found of all", "others"])
        self.failed = False
        with tempfile.TemporaryDirectory(prefix="tracefold-guard-") as work:
            for plain, slow in self.folders(pathlib.Path(work)):
                for new in self.options.new:
                    self.row(plain, slow, new)
        return FAILED if self.failed else 0

    def folders(self, work):
        """Pairs of folders of reruns; the second one may be missing."""
        if self.options.runs:
            if len(self.options.slow) > len(self.options.runs):
                raise UsageError("--slow has more folders than --runs")
            return [*zip(self.options.runs, [*self.options.slow, *[None] * len(self.options.runs)])]
        pairs = []
        for noise in MADE_NOISE:
            pairs.append(tuple(self.make(work / f"made {noise:.1%}{name}", noise, slower)
                               for name, slower in (("", 0), (" slower", self.options.slower))))
        return pairs

    def make(self, folder, noise, slower):
        folder.mkdir()
        maker = self.options.make_trace or self.options.bin / "make_trace"
        for number in range(MADE_RUNS):
            seed = 2 * number + (slower != 0)
            run([maker, "rerun", folder / f"{number:02}.tfold", f"{seed} {noise} {MACHINE_NOISE} {slower}"])
        return folder

    def row(self, plain, slow, new):
        draw = random.Random(self.options.seed)
        runs = sorted(plain.glob("*.tfold"))
        slower = sorted(slow.glob("*.tfold")) if slow else []
        if len(runs) < self.options.baselines + new:
            raise UsageError(f"{plain} has only {len(runs)} folded files")
        pairs = []
        for _ in range(self.options.comparisons):
            drawn = draw.sample(runs, self.options.baselines + new)
            drawn = sorted(drawn[:self.options.baselines]), drawn[self.options.baselines:]
            pairs.append((*drawn, draw.sample(slower, new) if slower else None))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            same = list(pool.map(lambda pair: self.compare(pair[0], pair[1]), pairs))
            other = list(pool.map(lambda pair: self.compare(pair[0], pair[2]), pairs)) if slower else []
        count = self.options.comparisons
        false = sum(any(time["verdict"] == "slower" for time in result["times"]) for result in same)
        structure = sum(bool(result["differences"]) for result in same + other)
        cells = [plain.name, new, f"{false} of {count}", structure]
        self.failed |= false > 0.05 * count or structure > 0
        if slower:
            own = [next(time for time in result["times"] if time["path"].endswith("/" + self.options.path)) for result in other]
            visible = [time for time in own if time.get("detectable", 1) <= VISIBLE]
            found = sum(time["verdict"] == "slower" for time in visible)
            others = sum(any(time["verdict"] == "slower" and not time["path"].endswith("/" + self.options.path)
                             for time in result["times"][1:]) for result in other)
            cells += [len(visible), found, count, sum(time["verdict"] == "slower" for time in own), others]
            self.failed |= found < 0.9 * len(visible) - 1
        print_row(cells)

    def compare(self, baselines, new):
        said = run([self.options.bin / "trace_scale", "guard", "--json", *baselines, "--", *new], self.options.timeout, (0, 3))
        result = json.loads(said.stdout)
        if (said.returncode == 3) != (not result["passed"]):
            raise Failure(f"exit code {said.returncode} for {result['verdict']}")
        return result
