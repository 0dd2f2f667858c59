#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares a profile with the one that Score-P made of the same run.

Usage: scorep_test.py TRACE_INSPECT ARCHIVE
ARCHIVE holds, besides the trace, profile.csv and profile.calltree.txt as the Cube tools dump them. Visits
and bytes must be equal for every call path and thread, times to the clock's resolution. Regions of the file
for Cube must be described as there.

Score-P's tree is brought into the form of ours (docs/reference/profile.md): a region's nodes for different
parameters are one; the instances of a dynamic region are no calls; a phase has a tree of its own, and in
the place of its call stands a node with the phase's inclusive values.
"""

import collections
import csv
import io
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as ElementTree

# Each level is two blanks, and a bar if the node there has another one below it.
NODE = re.compile(r"^((?:  \|?)*)(?:(?<=\|)-)?(\S.*?)  \[ \( id=(\d+),.*role=([\w ]+),")
# Its name, mangled name, lines, paradigm, role and file.
REGION = re.compile(r"^\t(.*):(.*?)\s+\( id=\d+, (-?\d+), (-?\d+), paradigm=(.*?), role=(.*?), .* mod=(.*)\)")
METRICS = ("visits", "time", "bytes_sent", "bytes_received")
# Times are printed with six significant digits.
DIGITS = 1e-5
# A few ticks of a clock of GHz, for each visit.
TICKS = 4e-9


class Node:
    def __init__(self, number, name, role, parent):
        self.number, self.name, self.role, self.parent = number, name, role, parent
        self.children = []
        self.values = {}
        if parent is not None:
            parent.children.append(self)


def read_tree(path):
    """All nodes by number."""
    nodes = {}
    above = []
    lines = open(path, encoding="utf-8").read().split("CALL TREE", 1)[1].splitlines()
    for line in lines:
        match = NODE.match(line)
        if not match:
            continue
        depth = match.group(1).count("  ")
        del above[depth:]
        node = Node(int(match.group(3)), match.group(2), match.group(4), above[-1] if above else None)
        above.append(node)
        nodes[node.number] = node
    return nodes


def read_values(path, nodes):
    for row in csv.DictReader(open(path, encoding="utf-8")):
        node = nodes[int(row["Cnode ID"])]
        thread = int(row[" Thread ID"])
        node.values[thread] = {metric: float(row[metric]) for metric in METRICS}


def expected(nodes):
    """Exclusive values by path and thread."""
    phases = {node.name for node in nodes.values() if node.role == "phase" and node.parent is None}
    homes = {}
    for node in nodes.values():
        if node.parent is not None and node.name in phases and not node.children:
            homes[node.name] = path_of(node.parent)
    result = collections.defaultdict(lambda: dict.fromkeys(METRICS, 0.0))
    for node in nodes.values():
        if node.parent is not None and node.name in phases and not node.children:
            continue
        for thread, values in node.values.items():
            top = node
            while top.parent is not None:
                top = top.parent
            home = homes[top.name] if top.name in phases else ()
            for metric in METRICS:
                result[home + path_of(node), thread][metric] += values[metric]
    return result


def path_of(node):
    path = ()
    while node is not None:
        if not node.name.startswith("instance="):
            path = (node.name,) + path
        node = node.parent
    return path


def actual(tool, archive):
    command = [tool, "profile", "--by", "location", "--csv", archive]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    result = collections.defaultdict(lambda: dict.fromkeys(METRICS, 0.0))
    for row in csv.DictReader(io.StringIO(text)):
        if row["metric"] in METRICS:
            key = tuple(row["path"].split("/")), int(row["location"])
            result[key][row["metric"]] += float(row["exclusive"])
    return result


def differing_regions(tool, archive):
    """Regions of the file for Cube that Score-P describes differently."""
    lines = open(archive + "/profile.calltree.txt", encoding="utf-8").read().splitlines()
    theirs = {match.group(1): match.groups()[1:] for match in map(REGION.match, lines) if match}
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "profile.cubex"
        subprocess.run([tool, "profile", "-q", archive, "-o", target], check=True)
        with tarfile.open(target) as members:
            cube = ElementTree.fromstring(members.extractfile("anchor.xml").read())
    for region in cube.iter("region"):
        name, mangled, paradigm, role = (
            region.findtext(tag) for tag in ("name", "mangled_name", "paradigm", "role"))
        ours = mangled, region.get("begin"), region.get("end"), paradigm, role, region.get("mod")
        if theirs.get(name) != ours:
            yield f"{name} is {ours}, Score-P has {theirs.get(name)}"


def main(tool, archive):
    nodes = read_tree(archive + "/profile.calltree.txt")
    read_values(archive + "/profile.csv", nodes)
    theirs = expected(nodes)
    ours = actual(tool, archive)
    problems = list(differing_regions(tool, archive))
    for key in sorted(set(theirs) | set(ours)):
        for metric in METRICS:
            a, b = theirs[key][metric], ours[key][metric]
            slack = 0
            if metric == "time":
                slack = DIGITS * max(a, b) + TICKS * max(theirs[key]["visits"], 1)
            if abs(a - b) > slack:
                problems.append(f"{'/'.join(key[0])}, thread {key[1]}: {metric} is {b}, Score-P has {a}")
    print("\n".join(problems))
    print(f"{len(theirs)} call paths and threads, {len(problems)} differences")
    return 1 if problems or len(theirs) < 8 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
