#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the statistics of trace_inspect with a plain serial computation over otf2-print's output.

Usage: check_stats.py [--launcher "mpirun -n 4"] BIN_FOLDER ARCHIVE_FOLDER

Of every function: calls, locations, bytes sent and received, time; count, sum, mean, deviation, least
and largest, over calls and over locations; histograms of bytes and of the time of the function
that takes most; and which locations call all functions of MPI as often as each other. otf2-print
corrects clocks, so times are taken back by the clock offsets and compared to within two ticks; without
clock offsets, to the tick. Exit code 3 if anything differs, 4 if otf2-print cannot print the archive.
"""

import argparse
import bisect
import collections
import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys

LINE = re.compile(r"^([A-Z][A-Z_0-9]+) +(\d+) +(\d+) *(.*)$")
REGION = re.compile(r'^Region: "(.*)" <\d+>')
CONTEXT = re.compile(r'Calling Context: "(.*)" <\d+>')
NUMBER = {
    word: re.compile(word + r": (\d+)") for word in ("Length", "Sent", "Received", "Bytes", "Request")
}
TICKS = re.compile(r"Ticks per Seconds: (\d+)")
LOCATION = re.compile(r"^LOCATION +(\d+) ")
MPI_REGION = re.compile(r'^REGION .*Name: "([^"]*)".*Paradigm: "?MPI\b')
OFFSET = re.compile(r"^CLOCK_OFFSET +(\d+) +Time: (\d+), Offset: ([+-]\d+)")


class Clock:
    """Takes the correction of a location's clock back."""

    def __init__(self):
        self.points = []

    def raw(self, corrected):
        if len(self.points) < 2:
            return corrected - (self.points[0][1] if self.points else 0)
        at = [time + offset for time, offset in self.points]
        i = min(max(bisect.bisect_right(at, corrected) - 1, 0), len(at) - 2)
        (t0, o0), (t1, o1) = self.points[i : i + 2]
        if t1 == t0:
            return corrected - o0
        # corrected = t + o0 + (t - t0) * (o1 - o0) / (t1 - t0), in whole numbers
        width = t1 - t0
        return t0 + round((corrected - t0 - o0) * width / (width + o1 - o0))

    @property
    def is_plain(self):
        return len({offset for _, offset in self.points}) < 2


class Location:
    def __init__(self):
        self.clock = Clock()
        self.stack = []  # (region, time)
        self.requests = {}  # (kind, id): region


class Reference:
    """Samples by (function, metric): over calls a list, over locations by location."""

    def __init__(self, anchor):
        self.locations = collections.defaultdict(Location)
        self.samples = collections.defaultdict(list)
        self.totals = collections.defaultdict(lambda: collections.defaultdict(int))
        self.order = []  # of locations in the definitions
        self.mpi = set()  # functions
        self.ticks = 1
        self.plain = True
        self.unsure = False  # calling contexts have no plain reading
        self.read(anchor)
        for number, location in self.locations.items():
            for region, _ in location.stack:
                self.add(region, number, "calls", 1)

    def read(self, anchor):
        definitions = self.print(anchor, "-G")
        self.ticks = int(TICKS.search(definitions).group(1))
        for line in definitions.splitlines():
            location, region = LOCATION.match(line), MPI_REGION.match(line)
            if location:
                self.order.append(int(location.group(1)))
            elif region:
                self.mpi.add(region.group(1))
        for line in self.print(anchor, "-C").splitlines():
            offset = OFFSET.match(line)
            if offset:
                location, time, step = (int(text) for text in offset.groups())
                self.locations[location].clock.points.append((time, step))
        self.plain = all(location.clock.is_plain for location in self.locations.values())
        command = ["otf2-print", str(anchor)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, errors="surrogateescape") as process:
            events = False  # else: snapshots of them
            for line in process.stdout:
                if line.startswith("=== "):
                    events = line.startswith("=== Events")
                found = LINE.match(line)
                if found and events:
                    event, location, time, rest = found.groups()
                    self.event(event, int(location), int(time), rest)
        if process.returncode != 0:
            sys.exit(4)

    @staticmethod
    def print(anchor, option):
        done = subprocess.run(["otf2-print", option, str(anchor)], capture_output=True, text=True,
                              errors="surrogateescape")
        if done.returncode != 0:
            sys.exit(4)
        return done.stdout

    def add(self, region, location, metric, value):
        self.samples[region, metric].append(value)
        self.totals[region, metric][location] += value

    def event(self, event, number, time, rest):
        location = self.locations[number]
        if event.startswith("CALLING_CONTEXT"):
            self.unsure = True
        if event == "ENTER":
            location.stack.append((self.region(rest), location.clock.raw(time)))
        elif event == "LEAVE":
            self.leave(number, self.region(rest), location.clock.raw(time))
        else:
            self.transfer(event, number, rest)

    @staticmethod
    def region(rest):
        return REGION.match(rest).group(1)

    def leave(self, number, region, time):
        stack = self.locations[number].stack
        if region not in (name for name, _ in stack):
            return
        while True:
            name, entered = stack.pop()
            self.add(name, number, "calls", 1)
            if name == region:
                if time >= entered:
                    self.add(name, number, "time", time - entered)
                return

    def transfer(self, event, number, rest):
        location = self.locations[number]
        region = location.stack[-1][0] if location.stack else None
        size = lambda word: int(NUMBER[word].search(rest).group(1))
        posting = {"MPI_IRECV_REQUEST": "receive", "NON_BLOCKING_COLLECTIVE_REQUEST": "collective"}
        completing = {"MPI_IRECV": "receive", "NON_BLOCKING_COLLECTIVE_COMPLETE": "collective"}
        if event in posting:
            location.requests[posting[event], size("Request")] = region
            return
        if event == "MPI_REQUEST_CANCELLED":
            for kind in ("receive", "collective"):
                location.requests.pop((kind, size("Request")), None)
            return
        if event in completing:
            region = location.requests.pop((completing[event], size("Request")), region)
        region = region if region is not None else "(no function)"
        if event in ("MPI_SEND", "MPI_ISEND"):
            self.add(region, number, "sent", size("Length"))
        elif event in ("MPI_RECV", "MPI_IRECV"):
            self.add(region, number, "received", size("Length"))
        elif event in ("MPI_COLLECTIVE_END", "NON_BLOCKING_COLLECTIVE_COMPLETE", "RMA_ATOMIC"):
            self.add(region, number, "sent", size("Sent"))
            self.add(region, number, "received", size("Received"))
        elif event == "RMA_PUT":
            self.add(region, number, "sent", size("Bytes"))
        elif event == "RMA_GET":
            self.add(region, number, "received", size("Bytes"))


def figures(numbers):
    count = len(numbers)
    total = sum(numbers)
    spread = count * sum(number * number for number in numbers) - total * total
    return {
        "count": count,
        "sum": total,
        "mean": total / count,
        "deviation": math.sqrt(spread) / count,
        "min": min(numbers),
        "max": max(numbers),
    }


class Comparison:
    def __init__(self, reference, tool, archive):
        self.reference = reference
        self.tool = tool
        self.archive = archive
        self.problems = []

    def inspect(self, *options, command="stats"):
        command = self.tool + [command, str(self.archive), "--json", *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)

    def slack(self, metric, name, count, values):
        """How far a figure may be off, in ticks."""
        if metric != "time" or self.reference.plain:
            return 1e-9 * max(1, abs(values[name])) if name in ("mean", "deviation") else 1e-6
        return 2.0 * values.get("parts", 1) * (count if name == "sum" else 1)

    def same(self, place, metric, found, wanted):
        for name, value in wanted.items():
            if name == "parts":
                continue
            number = found[name]
            if metric == "time" and name != "count":
                number *= self.reference.ticks
            slack = self.slack(metric, name, wanted["count"], wanted) + 1e-9 * abs(value)
            if abs(number - value) > slack:
                self.problems.append(f"{place}, {metric}, {name}: {number}, not {value}")

    def functions(self):
        found = {row["path"][0]: row for row in self.inspect()["rows"]}
        names = {name for name, _ in self.reference.samples if name != "(no function)"}
        # What no function is around is named by the record there.
        for name in names ^ {row for row in found if not row.startswith(("Mpi", "Rma", "NonB"))}:
            self.problems.append(f"{name} is on one side only")
        for (name, metric), numbers in sorted(self.reference.samples.items()):
            if name not in found:
                continue
            row = found[name]
            totals = list(self.reference.totals[name, metric].values())
            by_kind = {(f["over"], f["metric"]): f for f in row["figures"]}
            for over, wanted in (("calls", figures(numbers)), ("ranks", figures(totals))):
                if over == "ranks":
                    wanted["parts"] = max(1, len(numbers))
                if (over, metric) not in by_kind:
                    self.problems.append(f"{name}, over {over}: no {metric}")
                else:
                    self.same(f"{name}, over {over}", metric, by_kind[over, metric], wanted)

    def histogram(self, name, metric, over, bins):
        numbers = (
            self.reference.samples[name, metric]
            if over == "calls"
            else list(self.reference.totals[name, metric].values())
        )
        if not numbers:
            return
        pattern = "/^" + re.sub(r"([^\w])", r"\\\1", name) + "$/"
        found = self.inspect("--histogram", pattern, "--metric", metric, "--over", over, "--bins",
                             str(bins))
        place = f"histogram of {name}, {metric} over {over}"
        unit = self.reference.ticks if metric == "time" else 1
        edges = [round(b["from"] * unit) for b in found["bins"]] + [
            round(found["bins"][-1]["to"] * unit) + 1
        ]
        low, high = edges[0], edges[-1] - 1
        count = min(bins, high - low + 1)
        wanted = [low + -(-(high - low + 1) * i // count) for i in range(count)] + [high + 1]
        if edges != wanted:
            self.problems.append(f"{place}: bins begin at {edges}, not {wanted}")
            return
        slack = 0 if metric != "time" or self.reference.plain else 2 * max(
            1, 1 if over == "calls" else len(self.reference.samples[name, metric])
        )
        self.cumulated(place, found["rows"][0]["counts"][0], edges, sorted(numbers), slack)

    def cumulated(self, place, counts, edges, numbers, slack):
        before = 0
        for i, edge in enumerate(edges[1:]):
            before += counts[i]
            least = bisect.bisect_left(numbers, edge - slack)
            most = bisect.bisect_left(numbers, edge + slack)
            if not least <= before <= most:
                self.problems.append(f"{place}: {before} below {edge}, not {least} to {most}")

    def classes(self):
        """Locations with the same number of calls of every function of MPI."""
        calls = collections.defaultdict(list)
        for name in self.reference.mpi:
            for location, count in self.reference.totals[name, "calls"].items():
                calls[location].append((name, count))
        wanted = collections.defaultdict(list)
        for place, location in enumerate(self.reference.order):
            wanted[tuple(sorted(calls[location]))].append(place)
        found = self.inspect("--by", "calls", command="classes")["classes"]
        if [c["members"] for c in found] != sorted(wanted.values()):
            self.problems.append(f"classes by calls: not {sorted(wanted.values())}")

    def run(self):
        self.functions()
        self.classes()
        times = {
            name: sum(numbers)
            for (name, metric), numbers in self.reference.samples.items()
            if metric == "time" and '"' not in name and "/" not in name
        }
        for name in sorted(times, key=lambda name: (-times[name], name))[:2]:
            self.histogram(name, "time", "calls", 7)
            self.histogram(name, "time", "ranks", 5)
        sizes = [key for key in self.reference.samples if key[1] == "sent" and "/" not in key[0]]
        for name, metric in sorted(sizes)[:3]:
            if name != "(no function)":
                self.histogram(name, metric, "calls", 9)
                self.histogram(name, metric, "ranks", 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--launcher", default="", help="command in front of the tool")
    parser.add_argument("bin")
    parser.add_argument("archive", type=pathlib.Path)
    arguments = parser.parse_args()
    anchors = sorted(arguments.archive.glob("*.otf2"))
    if not anchors:
        parser.error(f"{arguments.archive} holds no archive")
    reference = Reference(anchors[0])
    if reference.unsure:
        print(f"{arguments.archive.name}: calling contexts are not compared")
        return 0
    tool = shlex.split(arguments.launcher) + [os.path.join(arguments.bin, "trace_inspect")]
    comparison = Comparison(reference, tool, arguments.archive)
    comparison.run()
    for problem in comparison.problems[:20]:
        print(f"{arguments.archive.name}: {problem}")
    return 3 if comparison.problems else 0


if __name__ == "__main__":
    sys.exit(main())
