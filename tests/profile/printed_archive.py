# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""An OTF2 archive as otf2-print shows it: definitions, clock offsets, and events with the ticks as recorded.

otf2-print applies clock offsets to every time that it prints. Durations are differences of recorded ticks, so a copy of
the archive is printed whose offsets are 0 (links to all files but the local definitions), and Clock interpolates.
"""

import bisect
import collections
import os
import pathlib
import re
import subprocess
import tempfile

REGION = re.compile(r'REGION +(\d+)  Name: (.*) <\d+> \(Aka\. .*Role: (\w+), Paradigm: "?(\w+)')
LOCATION = re.compile(r"LOCATION +(\d+)  Name: .*, Type: (\w+), # Events: (\d+), Group: .*<(\d+)>$")
LOCATION_GROUP = re.compile(r'LOCATION_GROUP +(\d+)  Name: .*, Type: (\w+), Parent: (.*), Creator: (.*)$')
CONTEXT = re.compile(r"CALLING_CONTEXT +(\d+)  Region: .*?<(\d+)>, ")
GROUP = re.compile(r'GROUP +\d+  Name: .*, Type: (\w+), Paradigm: "?(\w+)"?.*, Flags: .*?, (\d+) Members?: ?(.*)$')
CLOCK = re.compile(r"CLOCK_PROPERTIES +Ticks per Seconds: (\d+), Global Offset: (\d+)")
OFFSET = re.compile(r"CLOCK_OFFSET +(\d+) +Time: (\d+), Offset: ([+-]\d+)")
NUMBER = re.compile(r"<(\d+)>")


class Unprintable(Exception):
    """otf2-print gives up."""


def printed(anchor, *options):
    """Lines of otf2-print; the process ends with the generator."""
    with subprocess.Popen(["otf2-print", *options, str(anchor)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          encoding="utf-8", errors="surrogateescape", bufsize=1 << 20) as process:
        yield from process.stdout
    if process.returncode != 0:
        raise Unprintable(f"otf2-print {' '.join(options)} {anchor}: exit code {process.returncode}")


class Clock:
    """From the ticks of a location to those of all: linear between two offsets, and beyond the first and the last one
    as between the two next to it."""

    def __init__(self):
        self.points = []  # (ticks, offset)

    def common(self, ticks):
        if len(self.points) < 2:
            return ticks + (self.points[0][1] if self.points else 0)
        place = bisect.bisect_right(self.points, (ticks, float("inf"))) - 1
        (begin, first), (end, last) = self.points[min(max(place, 0), len(self.points) - 2):][:2]
        return ticks + first + ((ticks - begin) * (last - first) // (end - begin) if end != begin else 0)

    @property
    def is_plain(self):
        return len({offset for _, offset in self.points}) < 2


class Location:
    def __init__(self, number, kind, events, group):
        self.number, self.kind, self.events, self.group = number, kind, events, group
        self.rank, self.thread = None, None
        self.clock = Clock()

    @property
    def is_stream(self):
        return self.kind in ("ACCELERATOR_STREAM", "GPU")

    @property
    def name(self):
        """As outputs name it."""
        if self.rank is None:
            return f"@{self.thread}"
        return f"{self.rank}.{self.thread}" if self.thread else str(self.rank)


class Archive:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.anchor, = self.folder.glob("*.otf2")
        self.regions = {}  # number: (name, role, paradigm)
        self.contexts = {}  # number of a calling context: that of its region
        self.locations = {}  # by number, in the order of definitions
        self.node_of, self.creator_of = {}, {}  # by number of location group
        self.lines = []  # all global definitions
        self.ticks, self.offset = 10**9, 0
        self.define()

    def define(self):
        ranks = {}  # paradigm: members
        for line in printed(self.anchor, "-G"):
            self.lines.append(line)
            if found := REGION.match(line):
                name = found[2][1:-1] if found[2].startswith('"') else found[2]
                self.regions[found[1]] = name, found[3], found[4]
            elif found := LOCATION.match(line):
                number, kind, events, group = found.groups()
                self.locations[number] = Location(number, kind, int(events), group)
            elif found := LOCATION_GROUP.match(line):
                self.node_of[found[1]] = (NUMBER.findall(found[3]) or [None])[-1]
                if creator := NUMBER.findall(found[4]):
                    self.creator_of[found[1]] = creator[-1]
            elif found := CONTEXT.match(line):
                self.contexts[found[1]] = found[2]
            elif (found := GROUP.match(line)) and found[1] in ("COMM_LOCATIONS", "COMM_LOCATION_GROUPS"):
                members = NUMBER.findall(found[4])
                if len(members) == int(found[3]):
                    ranks[found[2]] = found[1], members
            elif found := CLOCK.match(line):
                self.ticks, self.offset = int(found[1]), int(found[2])
        for line in printed(self.anchor, "-C"):
            if (found := OFFSET.match(line)) and found[1] in self.locations:
                self.locations[found[1]].clock.points.append((int(found[2]), int(found[3])))
        for location in self.locations.values():
            location.clock.points.sort()
        self.number_ranks(*ranks.get("MPI", ranks.get("SHMEM", ("COMM_LOCATIONS", []))))

    def number_ranks(self, kind, members):
        """Ranks are processes: the location groups of the members. Threads count in the order of definitions."""
        groups = {}
        for rank, member in enumerate(members):
            group = member if kind == "COMM_LOCATION_GROUPS" else getattr(self.locations.get(member), "group", None)
            groups.setdefault(group, rank)
        threads = collections.Counter()
        for place, location in enumerate(self.locations.values()):
            location.rank = groups.get(location.group, groups.get(self.creator_of.get(location.group)))
            location.thread = place if location.rank is None else threads[location.rank]
            threads[location.rank] += 1

    def clock_of_node(self, number):
        """The clock that exports use: that of the first rank on the same node."""
        location = self.locations[number]
        node = self.node_of.get(location.group)
        if location.rank is None or node is None:
            return location.clock
        return next(other.clock for other in self.locations.values()
                    if other.rank is not None and self.node_of.get(other.group) == node)

    def events(self):
        """(type, location, ticks, rest of the line) of each event, by time; by location in the order of recording."""
        with tempfile.TemporaryDirectory() as scratch:
            is_event = False  # snapshots are others
            for line in printed(self.copy_without_offsets(pathlib.Path(scratch))):
                if line[0] in " =\n":
                    is_event = line.startswith("=== Events") if line[0] == "=" else is_event
                    continue
                words = line.split(None, 3)
                if is_event and len(words) > 2 and words[1].isdigit():
                    yield words[0], words[1], int(words[2]), words[3] if len(words) > 3 else ""

    def copy_without_offsets(self, target):
        for path in sorted(self.folder.rglob("*")):
            copy = target / path.relative_to(self.folder)
            if path.is_dir():
                copy.mkdir()
            elif path.suffix == ".def" and path.parent != self.folder:
                copy.write_bytes(without_offsets(bytearray(path.read_bytes())))
            else:
                os.symlink(path.resolve(), copy)
        return target / self.anchor.name


def without_offsets(data):
    """Local definitions whose clock offsets are 0. A record: type (6: clock offset), length of one byte or, after 255,
    of eight; here the time of eight bytes, and the offset as its length and as many bytes."""
    at, order = 0, "little"
    while at < len(data) and data[at] != 2:  # end of file
        if data[at] == 3:  # chunk
            order = "little" if data[at + 1] == 0x42 else "big"
            at += 18
        elif data[at] == 0:  # end of chunk
            at += 1
        else:
            kind, length, at = data[at], data[at + 1], at + 2
            if length == 255:
                length, at = int.from_bytes(data[at:at + 8], order), at + 8
            if kind == 6:
                size = data[at + 8]
                data[at + 9:at + 9 + size] = bytes(size)
            at += length
    return data
