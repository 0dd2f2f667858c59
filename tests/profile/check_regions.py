#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares visits and times of regions with those of region_times.py, which has the definitions, to the tick.

usage: check_regions.py BIN ARCHIVE...

BIN is the folder of trace_inspect and trace_convert; an ARCHIVE is a folder, an anchor file or packed (.tar.zst).

Visits, exclusive and inclusive time by region and location are those of trace_inspect profile; visits and elapsed
times (sum, least, largest; of calls and of locations) those of trace_inspect stats; each visit is a row of regions.csv, and those
that are resumed have further rows.
Streams of accelerators are busy while a kernel or a copy runs; these are rows of trace_inspect accelerators.
The slices of a region in chrome's format last together as long as its visits, to two nanoseconds for each.
A clock without ticks per second has no seconds: its times are not compared, and tools may refuse it in a sentence.

Exit code 3 if anything differs, 4 if otf2-print cannot print an archive.
"""

import array
import collections
import contextlib
import csv
import decimal
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from printed_archive import Archive, Unprintable  # noqa: E402
from region_times import COPIES, Recording  # noqa: E402


class Tools:
    """What tools say of an archive, and what of it differs from what it should be."""

    def __init__(self, folder, path):
        self.folder, self.path = pathlib.Path(folder), pathlib.Path(path)
        self.archive = Archive(path)
        self.problems, self.compared = [], 0

    def run(self, tool, *options):
        """What it prints; check has exit code 3 for traces that cannot be replayed."""
        done = subprocess.run([self.folder / tool, *options], capture_output=True, encoding="utf-8",
                              errors="surrogateescape")
        if done.returncode not in (0, 3 if "check" in options else 0):
            if not self.archive.ticks and done.returncode == 1 and done.stderr.count("\n") == 1:
                return None
            words = " ".join(map(str, options))
            self.problems.append(f"{tool} {words}: exit code {done.returncode}: {done.stderr.strip()}")
            return None
        return done.stdout

    def inspect(self, *options):
        out = self.run("trace_inspect", *options, self.path, "--json", "-q")
        return None if out is None else json.loads(out)

    def same(self, what, found, wanted, slack=0):
        self.compared += 1
        if abs(found - wanted) > slack:
            self.problems.append(f"{what}: {found}, should be {wanted}")

    def same_ticks(self, what, seconds, wanted, parts=1, slack=0):
        """A double has 53 bits; a mean or a sum of doubles may be off in its last one."""
        if not self.archive.ticks:
            return
        found = (seconds or 0) * self.archive.ticks
        self.same(what, round(found), wanted, max(slack, parts * wanted * 2.0**-51))


class Comparison(Tools):
    def __init__(self, folder, path):
        super().__init__(folder, path)
        self.recording = Recording(self.archive)
        self.undefined = self.recording.undefined_places()
        self.clocks = {number: self.archive.clock_of_node(number) for number in self.archive.locations}
        times = [(place.first, place.time, self.clocks[place.location.number].common)
                 for place in self.recording.places.values() if place.events]
        self.start = min((common(first) for first, _, common in times), default=0)
        self.end = max((common(last) for _, last, common in times), default=0)
        self.is_plain = all(clock.is_plain for clock in self.clocks.values())
        self.profile()
        self.statistics()
        self.tables()
        self.slices()
        if any(location.is_stream and location.events for location in self.archive.locations.values()):
            self.streams()

    def __str__(self):
        places = self.recording.places.values()
        return (f"{sum(place.events for place in places)} events, {sum(place.renamed for place in places)} leaves name "
                f"another region, {self.recording.migrations} tasks migrate, {len(self.undefined)} locations do not "
                "balance")

    def profile(self):
        told = self.inspect("profile", "--by", "location")
        if told is None:
            return
        places = [place for place in self.recording.places.values() if place.location.kind != "METRIC"]
        if len(places) > len(told["groups"]):  # ranks without events may be left out
            recorded = {place.location.group for place in places if place.events}
            places = [place for place in places if place.location.group in recorded]
        if len(places) != len(told["groups"]):
            self.problems.append(f"profile: {len(told['groups'])} locations, should be {len(places)}")
            return
        found = collections.defaultdict(lambda: [0, 0, 0])
        above = []  # names of open nodes, and the places where each has visits
        for node in told["nodes"]:
            del above[node["depth"]:]
            metrics = {metric["metric"]: metric for metric in node["metrics"]}
            zero = [0] * len(places)
            groups = [metrics.get(name, {}).get(kind, zero) for name, kind in (
                ("visits", "exclusive_groups"), ("time", "exclusive_groups"), ("time", "inclusive_groups"))]
            # Where a task goes on, its regions have time and no visits; so have the paths that threads are below.
            of_task = bool(above) and above[0][0] == "TASKS"
            above.append((node["call"], {i for i, (visits, _, inclusive) in enumerate(zip(*groups))
                                         if visits or (of_task and inclusive)}))
            for i, (visits, exclusive, inclusive) in enumerate(zip(*groups)):
                if not visits and not exclusive and not (of_task and inclusive):
                    continue
                row = found[node["call"], places[i]]
                row[0] += visits
                row[1] += exclusive or 0
                if not any(name == node["call"] and i in here for name, here in above[:-1]):
                    row[2] += inclusive or 0
        wanted = collections.defaultdict(lambda: [0, 0, 0])
        for names in (self.recording.regions, self.recording.artificial):
            for name, figures in names.items():
                for place, row in figures.rows.items():
                    wanted[name, place] = [a + b for a, b in zip(wanted[name, place], row)]
        for key in sorted(found.keys() | wanted.keys(), key=lambda key: (key[0], key[1].location.number)):
            what = f"profile, {key[0]}, location {key[1].location.number}"
            self.same(f"{what}, visits", found[key][0], wanted[key][0])
            if told["times"] and key[1] not in self.undefined:
                self.same_ticks(f"{what}, exclusive ticks", found[key][1], wanted[key][1], 8)
                self.same_ticks(f"{what}, inclusive ticks", found[key][2], wanted[key][2], 8)

    def statistics(self):
        told = self.inspect("stats")
        if told is None:
            return
        rows = {row["path"][-1]: row for row in told["rows"]}
        self.same("stats, calls that end before they begin", told["backwards"], self.recording.backwards)
        for name, figures in sorted(self.recording.regions.items()):
            if name in COPIES.values():
                continue
            if name not in rows:
                self.problems.append(f"stats: no row of {name}")
                continue
            row = rows[name]
            self.same(f"stats, {name}, calls", row["calls"], figures.calls)
            if self.undefined & figures.rows.keys():
                continue
            by_kind = {(it["over"], it["metric"]): it for it in row["figures"]}
            calls = [ticks for location in figures.elapsed.values() for ticks in location]
            self.distribution(f"stats, {name}, time over calls", by_kind.get(("calls", "time")), calls)
            if not self.recording.migrations:
                ranks = [sum(location) for location in figures.elapsed.values()]
                self.distribution(f"stats, {name}, time over ranks", by_kind.get(("ranks", "time")), ranks)

    def distribution(self, what, found, ticks):
        if not ticks or found is None:
            self.same(f"{what}, samples", found["count"] if found else 0, len(ticks))
            return
        self.same(f"{what}, samples", found["count"], len(ticks))
        for kind, value in (("sum", sum(ticks)), ("min", min(ticks)), ("max", max(ticks))):
            self.same_ticks(f"{what}, {kind} in ticks", found[kind], value)

    def tables(self):
        with tempfile.TemporaryDirectory() as scratch:
            if self.run("trace_convert", "-q", self.path, "--to", "csv", "-o", f"{scratch}/tables") is None:
                return
            found = collections.defaultdict(lambda: (array.array("Q"), array.array("Q")))
            begun = collections.Counter()  # rows with which a visit begins, by region
            with open(f"{scratch}/tables/regions.csv", encoding="utf-8", errors="surrogateescape", newline="") as file:
                for row in csv.DictReader(file):
                    begins, ends = found[row["name"], row["rank"], int(row["thread"])]
                    begins.append(int(row["begin_ns"]))
                    ends.append(int(row["end_ns"]))
                    begun[row["name"]] += row["resumed"] == "0"
        has_ranks, has_tasks = any(rank for _, rank, _ in found), self.recording.processes_with_tasks()
        for name, figures in sorted(self.recording.regions.items()):
            visits = sum(len(begins) for begins, _ in figures.visits.values())
            self.same(f"csv, {name}, rows that are not resumed", begun[name], visits)
            of_tasks = collections.defaultdict(lambda: [0, 0])  # rows and ns, by process
            for number, location in self.archive.locations.items():
                place, what = self.recording.places[number], f"csv, {name}, location {number}"
                begins, ends = figures.visits.get(place, ([], []))
                rows = found.pop((name, *self.rank_and_thread(location, has_ranks)), ([], []))
                if location.group in has_tasks and not location.is_stream:
                    of_tasks[location.group][0] += len(rows[0])
                    of_tasks[location.group][1] += sum(rows[1]) - sum(rows[0])
                    if len(rows[0]) != len(begins) or figures.paused[place]:
                        continue
                self.same(f"{what}, visits", len(rows[0]), len(begins))
                if len(rows[0]) == len(begins) and place not in self.undefined and self.archive.ticks:
                    self.rows(what, rows, begins, ends, self.clocks[number])
            for group, (rows, lasted) in of_tasks.items():
                places = [place for place in figures.visits
                          if place.location.group == group and not place.location.is_stream]
                self.lasted(f"csv, {name}, process {group}", rows, lasted, figures, places)
        for (name, rank, thread), (begins, _) in sorted(found.items()):
            where = f"rank {rank or 'none'}, thread {thread}"
            self.problems.append(f"csv, {name}, {where}: {len(begins)} visits, should be 0")

    def rank_and_thread(self, location, has_ranks):
        if not has_ranks:
            return "", [*self.archive.locations].index(location.number)
        return "" if location.rank is None else str(location.rank), location.thread

    def lasted(self, what, parts, lasted, figures, places):
        """Rows or slices (`parts`) that last so many nanoseconds together."""
        visits = sum(len(figures.visits[place][0]) for place in places)
        self.same(f"{what}, parts", parts, max(parts, visits))
        if self.undefined.isdisjoint(places) and self.archive.ticks:
            wanted = 0
            for place in places:
                common = self.clocks[place.location.number].common
                begins, ends = figures.visits[place]
                ran = place.time - place.first
                rate = (common(place.time) - common(place.first)) / ran if ran else 1
                wanted += sum(map(common, ends)) - sum(map(common, begins)) - round(figures.paused[place] * rate)
            tick = 0 if self.is_plain else -(-10**9 // self.archive.ticks)
            self.same(f"{what}, ns", int(lasted), wanted * 10**9 // self.archive.ticks, 2 * parts * (1 + tick))

    def rows(self, what, rows, begins, ends, clock):
        wanted = [[max(0, clock.common(ticks) - self.start) * 10**9 // self.archive.ticks for ticks in moments]
                  for moments in (begins, ends)]
        self.compared += 2 * len(begins)
        if clock.is_plain:
            if off := [pair for pair in zip(sorted(zip(*rows)), sorted(zip(*wanted))) if pair[0] != pair[1]]:
                self.problems.append(f"{what}: {len(off)} differ, first {off[0][0]} ns, should be {off[0][1]}")
            return
        slack = 1 + -(-10**9 // self.archive.ticks)
        for kind, found, moments in zip(("begins", "ends"), rows, wanted):
            if off := [pair for pair in zip(sorted(found), sorted(moments)) if abs(pair[0] - pair[1]) > slack]:
                self.problems.append(f"{what}, {kind}: {len(off)} differ, first {off[0][0]} ns, should be {off[0][1]}")


    def streams(self):
        told = self.inspect("accelerators")
        if told is None:
            return
        intervals = {place: [] for place in self.recording.places.values() if place.location.is_stream and place.events}
        rows = {row["name"]: row for row in told["calls"] if row["on_stream"]}
        for name, figures in sorted(self.recording.regions.items()):
            lasted = []
            for place in intervals.keys() & figures.visits.keys():
                spans = [*zip(*figures.visits[place])]
                intervals[place] += spans
                lasted += [end - begin for begin, end in spans]
            if lasted:
                row = rows.get(name, {"calls": 0, "seconds": 0, "shortest": 0, "longest": 0})
                self.same(f"accelerators, {name}, calls", row["calls"], len(lasted))
                for kind, ticks in (("seconds", sum(lasted)), ("shortest", min(lasted)), ("longest", max(lasted))):
                    self.same_ticks(f"accelerators, {name}, {kind} in ticks", row[kind], ticks)
        self.same_ticks("accelerators, ticks", told["seconds"], self.end - self.start, 8, 0 if self.is_plain else 2)
        self.same("accelerators, streams", len(told["streams"]), len(intervals))
        for stream, (place, spans) in zip(told["streams"], intervals.items()):
            busy = until = 0
            for begin, end in sorted(spans):
                busy += max(0, end - max(begin, until))
                until = max(until, end)
            seconds = sum(use["seconds"] for use in stream["uses"])
            self.same_ticks(f"accelerators, location {place.location.number}, busy ticks", seconds, busy, 8)

    def slices(self):
        """Of suspended tasks there may be several for a visit."""
        found, open_slices = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(list)
        with tempfile.TemporaryDirectory() as scratch:
            if self.run("trace_convert", "-q", self.path, "--to", "chrome", "-o", f"{scratch}/run.json") is None:
                return
            with open(f"{scratch}/run.json", encoding="utf-8", errors="surrogateescape") as file:
                for line in file:
                    if not line.startswith('{"ph":'):
                        continue
                    event = json.loads(line.rstrip(",\n"), parse_float=decimal.Decimal)
                    if event["ph"] == "B":
                        open_slices[event["pid"], event["tid"]].append((event["name"], event["ts"]))
                    elif event["ph"] in "EX":
                        name, begin = (event["name"], 0) if event["ph"] == "X" else open_slices[
                            event["pid"], event["tid"]].pop()
                        found[name][0] += 1
                        found[name][1] += event["dur"] if event["ph"] == "X" else event["ts"] - begin
        for name, figures in self.recording.regions.items():
            slices, microseconds = found[name]
            self.lasted(f"chrome, {name}", slices, microseconds * 1000, figures, figures.visits)


@contextlib.contextmanager
def folder_of(path):
    """That of an anchor file, and that in a packed archive."""
    path = pathlib.Path(path)
    if path.name.endswith(".tar.zst"):
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run(["tar", "-I", "zstd", "-xf", path, "-C", scratch], check=True)
            yield next(pathlib.Path(scratch).rglob("*.otf2")).parent
    else:
        yield path.parent if path.suffix == ".otf2" else path


def check_all(comparison, documentation, arguments):
    """The command line: BIN ARCHIVE..."""
    if len(arguments) < 2:
        sys.exit(documentation[documentation.index("usage:"):].splitlines()[0])
    code = 0
    for path in arguments[1:]:
        with folder_of(path) as folder:
            try:
                found = comparison(arguments[0], folder)
            except Unprintable as reason:
                print(reason)
                code = code or 4
                continue
        print(f"{folder.name}: {found}; {found.compared} figures compared, {len(found.problems)} differ", flush=True)
        for problem in found.problems[:20]:
            print(f"  {problem}")
        code = 3 if found.problems else code
    return code


if __name__ == "__main__":
    sys.exit(check_all(Comparison, __doc__, sys.argv[1:]))
