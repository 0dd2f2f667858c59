#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Judgements of trace_replay --compare about made reports: intervals against all arrangements of the repetitions, and how often
equal and slower machines are called different.

usage: judgement_test.py BIN REPORT
"""

import copy
import itertools
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

PAIRS = 100


class Cases:
    def __init__(self, tools, report, work):
        self.tools, self.work = tools, work
        self.report = json.loads(pathlib.Path(report).read_text(encoding="utf-8"))
        self.found = []

    def write(self, name, factors, second=None):
        """A report whose repetitions take so many times as long, which began in this second of a minute."""
        report = copy.deepcopy(self.report)
        if second is not None:
            report["environment"]["date"] = f"2026-01-31T12:00:{second:06.3f}Z"
        walls = report["repetitions"]["list"][0]
        report["repetitions"]["list"] = [{key: value * factor for key, value in walls.items()} for factor in factors]
        for calls in report["calls_by_size"]:
            first = calls["repetitions"][0]
            calls["repetitions"] = [{key: value * factor for key, value in first.items()} for factor in factors]
        path = self.work / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(report), encoding="utf-8")

    def judge(self, *names):
        return self.differences(*names)["judgements"]

    def differences(self, *names):
        result = subprocess.run([self.tools / "trace_replay", "--compare", *(self.work / name for name in names), "--json", "-q"],
                                capture_output=True, text=True, check=True, timeout=60)
        return json.loads(result.stdout)["differences"][0]

    def expect(self, what, found, wanted):
        if not (found == wanted or (isinstance(wanted, float) and math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9))):
            self.found.append(f"{what}: {found} instead of {wanted}")

    def check_interval(self, first, other):
        """Mann and Whitney's distribution by enumeration; order statistics of all ratios."""
        self.write("first.json", first)
        self.write("other.json", other)
        for judgement in self.judge("first.json", "other.json"):
            what = f"{len(first)} and {len(other)}, {judgement['quantity']}"
            ratios = sorted(b / a for a in first for b in other)
            ranks = range(len(first) + len(other))
            sums = [sum(chosen) - len(other) * (len(other) - 1) // 2 for chosen in itertools.combinations(ranks, len(other))]
            outside = 0
            while 2 * sum(one <= outside + 1 for one in sums) <= 0.05 * len(sums):
                outside += 1
            confidence = max(0.0, 1 - 2 * sum(one <= outside for one in sums) / len(sums))
            self.expect(what, judgement["ratio"], statistics.median(ratios))
            self.expect(what + ", low", judgement["ratio_low"], ratios[outside])
            self.expect(what + ", high", judgement["ratio_high"], ratios[-1 - outside])
            self.expect(what + ", confidence", judgement["confidence"], confidence)
            beyond = ratios[outside] > 1.05 or ratios[-1 - outside] < 1 / 1.05
            self.expect(what + ", different", judgement["different"], confidence >= 0.95 and beyond)

    def check_pairs(self, first, other):
        """Wilcoxon's distribution by enumeration of all signs; order statistics of the geometric means of two ratios."""
        size = len(first)
        for launch, times in enumerate(zip(first, other)):
            turn = random.sample("ab", 2)
            for side, time in zip("ab", times):
                self.write(f"turns_{side}{size}/{size - launch:02}.json", [time], launch + turn.index(side) / 2)
        ratios = [b / a for a, b in zip(first, other)]
        means = sorted(math.sqrt(one * ratios[j]) for i, one in enumerate(ratios) for j in range(i + 1))
        sums = [sum(rank for rank, sign in enumerate(signs, 1) if sign) for signs in itertools.product((0, 1), repeat=size)]
        outside = 0
        while 2 * sum(one <= outside + 1 for one in sums) <= 0.05 * len(sums):
            outside += 1
        for judgement in self.judge(f"turns_a{size}", f"turns_b{size}"):
            what = f"{size} pairs, {judgement['quantity']}"
            self.expect(what, judgement["ratio"], statistics.median(means))
            self.expect(what + ", low", judgement["ratio_low"], means[outside])
            self.expect(what + ", high", judgement["ratio_high"], means[-1 - outside])
            self.expect(what + ", confidence", judgement["confidence"], 1 - 2 * sum(one <= outside for one in sums) / len(sums))
            self.expect(what + ", different", judgement["different"], means[outside] > 1 or means[-1 - outside] < 1)

    def check_turns(self):
        """Pairs need the same number of launches, at least six, in turns."""
        for what, first, other, wanted in (("in turns", (0, 3, 4, 7, 8, 11), (1, 2, 5, 6, 9, 10), True),
                                           ("one after the other", range(6), range(6, 12), False),
                                           ("two in a row", (0, 1, 4, 7, 8, 11), (2, 3, 5, 6, 9, 10), False),
                                           ("too few", range(0, 10, 2), range(1, 10, 2), False),
                                           ("not as many", range(0, 12, 2), range(1, 14, 2), False),
                                           ("at the same moment", range(6), range(6), False)):
            names = [f"{what} {side}" for side in "ab"]
            for name, seconds in zip(names, (first, other)):
                for number, second in enumerate(seconds):
                    self.write(f"{name}/{number}.json", [1, 1], second)
            self.expect(what, self.differences(*names)["paired"], wanted)

    def check_damaged(self):
        """Every damage is one sentence that names the report."""
        def without(*path):
            def damage(report):
                for key in path[:-1]:
                    report = report[key]
                del report[path[-1]]
            return damage

        def with_value(value, *path):
            def damage(report):
                for key in path[:-1]:
                    report = report[key]
                report[path[-1]] = value
            return damage

        run = ("repetitions", "list", 0)
        size = ("calls_by_size", 0)
        damages = [without(key) for key in self.report if key not in ("deltas", "seed", "compute_scale", "oversubscription", "stopped",
                                                                      "threads", "calls_not_issued", "calls_left_out",
                                                                      "buffer_bytes", "wall_seconds", "calls_by_function",
                                                                      "message_sizes", "collective_sizes", "inferences")]
        damages += [without(*run, "wall"), without(*run, "waited_for_processor"), without(*size, "median_seconds"),
                    without(*size, "repetitions", 0), without("environment", "mpi"), without("environment", "nodes", 0, "processors"),
                    with_value([], "repetitions", "list"), with_value(0, *run, "wall"), with_value("long", *run, "wall"),
                    with_value(0, "ranks"), with_value(-1, *size, "replayed_seconds"), with_value({}, "calls_by_size"),
                    with_value(1, "environment", "date"), with_value("half", "bytes_scale")]
        self.write("whole.json", [1, 1, 1, 1, 1])
        for number, damage in enumerate(damages):
            report = copy.deepcopy(self.report)
            damage(report)
            bad = self.work / "bad.json"
            bad.write_text(json.dumps(report), encoding="utf-8")
            self.refuse(f"damage {number}", bad)
        for text in ("", "{", json.dumps(self.report)[:-100]):
            bad.write_text(text, encoding="utf-8")
            self.refuse("no JSON", bad)
        self.write("mixed/0.json", [1, 1])
        (self.work / "mixed/1.json").write_text(json.dumps(self.report | {"trace": "00"}), encoding="utf-8")
        self.refuse("launches of several traces", self.work / "mixed")

    def refuse(self, what, bad):
        result = subprocess.run([self.tools / "trace_replay", "--compare", self.work / "whole.json", bad, "-q"],
                                capture_output=True, text=True, check=False, timeout=60)
        lines = result.stderr.splitlines()
        if result.returncode != 1 or len(lines) != 1 or str(bad) not in lines[0] or result.stdout:
            self.found.append(f"{what}: exit code {result.returncode}: {result.stderr}{result.stdout}")

    def count(self, launches, repetitions, of_launch, of_repetition, slower):
        """How many pairs are called different, by wall time."""
        count = 0
        for _ in range(PAIRS):
            for side, factor in (("a", 1), ("b", slower)):
                for launch in range(launches):
                    here = factor * math.exp(random.gauss(0, of_launch))
                    self.write(f"{side}{launches}/{launch}.json",
                               [here * math.exp(random.gauss(0, of_repetition)) for _ in range(repetitions)])
            names = [f"{side}{launches}" if launches > 1 else f"{side}1/0.json" for side in "ab"]
            count += self.judge(*names)[0]["different"]
        return count

    def check(self):
        random.seed(68)
        self.check_damaged()
        for sizes in ((5, 5), (1, 1), (2, 3), (3, 3), (4, 4), (4, 6), (7, 5)):
            for slower in (1, 1.3, 0.8):
                self.check_interval([random.uniform(1, 1.1) for _ in range(sizes[0])],
                                    [slower * random.uniform(1, 1.1) for _ in range(sizes[1])])
                self.check_pairs(*([slower**side * random.uniform(1, 1.1) for _ in range(max(6, *sizes))] for side in (0, 1)))
        self.check_turns()
        # Launches differ by more than their repetitions do.
        for launches, slower, low, high in ((1, 1, 0, 5), (1, 1.1, 95, 100), (5, 1, 0, 5), (5, 1.1, 95, 100)):
            count = self.count(launches, 5, 0.01, 0.005, slower)
            if not low * PAIRS / 100 <= count <= high * PAIRS / 100:
                self.found.append(f"{launches} launches, {slower} times as slow: {count} of {PAIRS} called different")
        return self.found


def main(tools, report):
    with tempfile.TemporaryDirectory(prefix="tracefold-judgement-") as folder:
        found = Cases(pathlib.Path(tools), report, pathlib.Path(folder)).check()
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
