#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the times of functions in speedscope with those of `trace_inspect profile`.

Total and own time of each function, summed over all tracks, must agree to the nanosecond that is rounded for each
visit. In the profile, a function that other threads were started in counts for those that entered it. Explicit tasks
have a tree of their own in a profile, and are slices within what is open where they are executed in speedscope: their
time is taken out of the total time of that. The program, which is no region, is in the profile alone.
Prints what was compared. Exit code 0 if all agrees and speedscope has no warning, 1 if not.

usage: check_speedscope.py BIN TRACE.tfold NODE IMPORTER TRACE.json
(NODE: the program; IMPORTER: see speedscope_times.js)
"""

import collections
import csv
import io
import json
import pathlib
import subprocess
import sys

DRIVER = pathlib.Path(__file__).resolve().parent / "speedscope_times.js"
MEMORY = "--max-old-space-size=6000"  # megabytes
MICROSECONDS = 1e6
TASKS = "TASKS"


def output_of(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


class Profile:
    """Call paths of a profile, and total, own time and visits of their functions. A root is the program, which is no
    region, or a region that was entered outside of it; `with_roots` tells for which they are taken."""

    def __init__(self, text, with_roots):
        self.with_roots = with_roots
        self.names, self.parents, paths = {}, {}, {}
        self.visits = collections.Counter()  # by function
        self.total, self.own = collections.Counter(), collections.Counter()
        self.tasks = set()  # regions of explicit tasks
        rows = list(csv.DictReader(io.StringIO(text)))
        for row in rows:
            node, parent = row["id"], row["parent"]
            above = len(paths[parent]) + 1 if parent else 0
            paths[node], self.names[node], self.parents[node] = row["path"], row["path"][above:], parent
            if paths.get(parent) == TASKS and not self.parents[parent]:
                self.tasks.add(self.names[node])
        visited = {(row["id"], row["location"]): float(row["exclusive"]) for row in rows if row["metric"] == "visits"}
        for row in rows:
            self.add(row, visited)

    def add(self, row, visited):
        name = self.names[row["id"]]
        if not self.is_region(row["id"]):
            return
        if row["metric"] == "visits":
            self.visits[name] += float(row["exclusive"])
        if row["metric"] != "time":
            return
        self.own[name] += float(row["exclusive"]) * MICROSECONDS
        if self.is_entered(row["id"], row["location"], visited) and not self.is_within(row, visited):
            self.total[name] += float(row["inclusive"]) * MICROSECONDS

    def is_region(self, node):
        return bool(self.parents[node]) or self.with_roots

    @staticmethod
    def is_entered(node, location, visited):
        return visited.get((node, location), 0) > 0

    def is_within(self, row, visited):
        """Whether the same function is open above on the location."""
        at = self.parents[row["id"]]
        while at:
            if (self.names[at] == self.names[row["id"]] and self.is_region(at)
                    and self.is_entered(at, row["location"], visited)):
                return True
            at = self.parents[at]
        return False


def differences(name, profile, told):
    pairs = [("own", profile.own[name], told["own"]), ("total", profile.total[name], told["total"])]
    # Six digits of the table, and a nanosecond at both ends of each visit.
    return [f"{what} time of {name} is {theirs:.3f} us in speedscope, {ours:.3f} us in the profile"
            for what, ours, theirs in pairs
            if abs(ours - theirs) > 1e-5 * ours + 0.003 * max(profile.visits[name], 1) + 0.01]


def all_differences(regions, regions_and_roots, times):
    """Of functions that agree with neither view of the roots."""
    for name in sorted(set(regions_and_roots.own) | set(times)):
        told = times.get(name, {"total": 0, "own": 0})
        if differences(name, regions, told):
            yield from differences(name, regions_and_roots, told)


def main(arguments):
    bin_folder, trace, node, importer, exported = arguments
    text = output_of(pathlib.Path(bin_folder) / "trace_inspect", "profile", trace, "--csv", "--by", "location")
    regions = Profile(text, False)
    told = json.loads(output_of(node, MEMORY, DRIVER, importer, exported, *sorted(regions.tasks)))
    wrong = list(all_differences(regions, Profile(text, True), told["times"]))
    if told["warnings"]:
        wrong.append(f"speedscope has {told['warnings']} warnings")
    print("\n".join(wrong[:3]) or f"{len(told['times'])} functions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
