# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import collections
import re
import shutil

from .common import Campaign, Failure, Refusal, run, run_checker, simulate

# Why trace_convert finds nothing for a part.
NOTHING_THERE = ("has no region that matches", "this part is empty", "has no loop with iterations",
                 "has no steps common to all ranks", "no rank has any of these iterations")
EVENT = re.compile(r"^([A-Z][A-Z0-9_]*)\s+(\d+)\s+(\d+)(?:\s+(.*))?$")
REFERENCE = re.compile(r"<(\d+)>")


def printed_by(folder, timeout, *options):
    return run(["otf2-print", *options, next(folder.glob("*.otf2"))], timeout)


class Printed:
    """The events of an archive as otf2-print lists them."""

    def __init__(self, folder, timeout):
        result = printed_by(folder, timeout)
        self.complaints = result.stderr.replace(str(folder), "")
        self.events = collections.Counter()
        self.odd = set()  # locations with unbalanced regions
        stacks = collections.defaultdict(list)
        self.times = []
        last = {}
        for line in result.stdout.splitlines():
            match = EVENT.match(line)
            if not match:
                continue
            kind, location, time, fields = match.groups()
            if kind == "SNAPSHOT_START":  # after all events
                break
            self.events[location] += 1
            if int(time) < last.get(location, 0):
                raise Failure(f"time runs back on location {location}")
            last[location] = int(time)
            self.times.append(int(time))
            self.follow(kind, location, fields, stacks)
        self.odd |= {location for location, stack in stacks.items() if stack}
        self.wrong = set(self.wrong_counts(printed_by(folder, timeout, "-G").stdout))

    def follow(self, kind, location, fields, stacks):
        if kind in ("ENTER", "CALLING_CONTEXT_ENTER"):
            stacks[location].append(REFERENCE.search(fields).group(1))
        elif kind in ("LEAVE", "CALLING_CONTEXT_LEAVE"):
            if not stacks[location]:
                self.odd.add(location)
                return
            entered = stacks[location].pop()
            if kind == "LEAVE" and entered != REFERENCE.search(fields).group(1):
                self.odd.add(location)

    def wrong_counts(self, definitions):
        """Locations whose definitions declare another number of events."""
        for line in definitions.splitlines():
            match = re.match(r"LOCATION\s+(\d+)\s.*# Events: (\d+)", line)
            if match and self.events[match.group(1)] != int(match.group(2)):
                yield match.group(1)


def cuts(info, times):
    """The options of each part."""
    clock = info["clock"]
    bounds = [(times[int(len(times) * part)] - clock["offset_ticks"]) / clock["ticks_per_second"]
              for part in (0.4, 0.6)] if times else [0, 1]
    ranks = max(1, info["ranks"] or info["locations"])
    begin = max(0, bounds[0])
    middle = f"{begin:.9f}:{max(begin + 1e-6, bounds[1]):.9f}"
    return {
        "all": ["--time", ":1e6"],
        "middle": ["--time", middle],
        "half, middle": ["--time", middle, "--ranks", f"0-{(ranks - 1) // 2}"],
        "iterations": ["--iterations", "1-2"],
        "in calls": ["--regions", "MPI_*all,MPI_*Send,MPI_*Recv"],
        "calls": ["--calls", "MPI_Allreduce,MPI_Isend,MPI_Wait*,MPI_Bcast"],
        "drop": ["--drop", "attributes,metrics,regions"],
    }


class Cut(Campaign):
    """Cut archives in seven ways, and check the parts.

The parts: all; from the 40th to the 60th percentile of the events' times, of all ranks and of half of them; two iterations
of the main loop; some calls by name, with and without the calls in them; no attributes, metrics and regions. Of each
part, as an OTF2 archive: otf2-print reads it without a new complaint, locations have as many events as their definitions
declare, in the order of time; regions are balanced where they are in the trace; it folds, and the restored archive is
identical; the part "all" is identical to the trace. If the whole trace suits simulators, SimGrid executes every action of
parts by time and iterations, and tests/exports/check_goal.py finds both ends of every message and no cycle. Cells are
numbers of events.
"""

    name = "cut"
    programs = ("otf2-print",)
    columns = ("events", "all", "middle", "half, middle", "iterations", "in calls", "calls", "drop")

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--no-simulators", dest="simulators", action="store_false")

    def check(self, archive):
        archive.fold("--with-extra-files")
        archive.whole, _ = archive.convert("otf2", output=archive.work / "whole")
        whole = Printed(archive.whole, self.options.timeout)
        figures = [sum(whole.events.values())]
        is_simulated = self.options.simulators and shutil.which("smpirun") and self.suits_simulators(archive)
        for name, cut in cuts(archive.info, sorted(whole.times)).items():
            try:
                figures.append(self.check_part(archive, name, cut, whole))
                if is_simulated and ("--time" in cut or "--iterations" in cut):
                    self.check_simulators(archive, cut)
            except (Failure, Refusal) as problem:
                if not any(words in str(problem) for words in NOTHING_THERE):
                    raise Failure(f"{name}: {problem}") from problem
                figures.append(0)
        return figures

    @staticmethod
    def suits_simulators(archive):
        try:
            archive.convert("goal")
        except Refusal:
            return False
        return True

    def check_part(self, archive, name, cut, whole):
        part, report = archive.convert("otf2", *cut)
        printed = Printed(part, self.options.timeout)
        if sum(printed.events.values()) != report["events"]:
            raise Failure(f"otf2-print has {sum(printed.events.values())} events, not {report['events']}")
        if printed.complaints and printed.complaints != whole.complaints:
            raise Failure(f"otf2-print: {printed.complaints[-200:]}")
        if printed.wrong - whole.wrong:
            raise Failure(f"wrong numbers of events on locations {sorted(printed.wrong)}")
        if printed.odd - whole.odd:
            raise Failure(f"regions of locations {sorted(printed.odd - whole.odd)} are not balanced")
        folded, back = archive.work / "part.tfold", archive.work / "back"
        archive.tool("trace_compress", "-q", "-f", "--with-extra-files", part, "-o", folded)
        shutil.rmtree(back, ignore_errors=True)
        archive.tool("trace_convert", "-q", folded, "--to", "otf2", "-o", back)
        self.compare(archive, part, back)
        if name == "all":
            self.compare(archive, archive.whole, part)
        return report["events"]

    def compare(self, archive, one, other):
        is_current = archive.info["archive"]["otf2_version"].startswith("3.")
        lines = run(["diff", "-rq", one, other], self.options.timeout, (0, 1)).stdout.splitlines()
        # The anchors of old archives get a new id each time that they are written.
        odd = [line for line in lines if is_current or not line.split(" and ")[0].endswith(".otf2")]
        if odd:
            raise Failure(f"not the same archive: {odd[0]}")

    def check_simulators(self, archive, cut):
        simulate(*archive.convert("ti", "--platform-template", *cut), self.options.timeout)
        goal, _ = archive.convert("goal", *cut)
        run_checker("goal", "--part", goal, timeout=self.options.timeout)
