#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks a Paraver trace by itself, without the viewer that it is for.

The header fits what follows, records stand in the order of their times, everything happens within the
run and at a place that the header has, the states of a thread do not overlap, every call that a thread
begins ends before the next one, no message stands twice, none is sent after it is received, and the
names of events and places are in the files beside it.

Usage: check_paraver.py [--skewed] FILE.prv...   With --skewed, messages may be received before they
are sent. Prints a line of totals per file; exit code 1 if something is wrong.
"""

import collections
import pathlib
import re
import sys

HEADER = re.compile(
    r"#Paraver \(\d\d/\d\d/\d{4} at \d\d:\d\d\):(\d+)_ns:(\d+)\(([\d,]+)\):1:(\d+)\(([\d:,]+)\),(\d+)\n"
)
CALLS = (50000001, 50000002, 50000003)
STATE, EVENT, MESSAGE = 1, 2, 3


def require(condition, what):
    if not condition:
        raise ValueError(what)


class Trace:
    def __init__(self, path, skewed):
        self.path = pathlib.Path(path)
        self.skewed = skewed
        self.totals = collections.Counter()
        self.time = (0, 0)
        self.busy_until = collections.Counter()
        self.call_of = {}
        self.messages = set()
        self.seen = collections.defaultdict(set)  # values by type of event

    def check(self):
        with open(self.path, encoding="ascii") as lines:
            self.read_header(next(lines))
            for _ in range(self.communicators):
                self.read_communicator(next(lines))
            for line in lines:
                fields = [int(field) for field in line.split(":")]
                readers = {STATE: self.state, EVENT: self.event, MESSAGE: self.message}
                require(fields[0] in readers, f"no record: {line.rstrip()}")
                try:
                    readers[fields[0]](fields)
                except ValueError as error:
                    raise ValueError(f"{error}: {line.rstrip()}") from error
        require(not any(self.call_of.values()), "a call does not end")
        require(self.totals["last"] == self.end, "the run ends at another time")
        self.check_names()
        self.check_rows()

    def read_header(self, line):
        match = HEADER.fullmatch(line)
        require(match, f"no header: {line.rstrip()}")
        self.end, nodes, self.tasks, self.communicators = (int(match.group(i)) for i in (1, 2, 4, 6))
        cpus = [int(count) for count in match.group(3).split(",")]
        tasks = [tuple(map(int, task.split(":"))) for task in match.group(5).split(",")]
        require(len(cpus) == nodes and len(tasks) == self.tasks, "the header has other counts")
        require(sum(cpus) == sum(threads for threads, _ in tasks), "not a processor for each thread")
        require(all(1 <= node <= nodes for _, node in tasks), "a task has no node")
        self.nodes = nodes
        self.places = [
            (1, task, thread)
            for task, (threads, _) in enumerate(tasks, start=1)
            for thread in range(1, threads + 1)
        ]
        self.ids = set()

    def read_communicator(self, line):
        require(line.startswith("c:1:"), f"no communicator: {line.rstrip()}")
        number, size, *members = map(int, line[4:].split(":"))
        require(number not in self.ids, "a communicator stands twice")
        require(size == len(members) == len(set(members)), "a communicator has another size")
        require(all(1 <= member <= self.tasks for member in members), "a member is no task")
        self.ids.add(number)

    def place(self, fields):
        cpu, *place = fields
        require(1 <= cpu <= len(self.places), "no such processor")
        require(self.places[cpu - 1] == tuple(place), "no such place")
        return cpu

    def happens(self, *times):
        require(all(0 <= time <= self.end for time in times), "a time is not within the run")
        self.totals["last"] = max(self.totals["last"], *times)

    def begins(self, kind, time):
        require((time, kind) >= self.time, "it stands after later ones")
        self.time = (time, kind)
        self.happens(time)

    def state(self, fields):
        require(len(fields) == 8, "not a state")
        cpu = self.place(fields[1:5])
        begin, end, _ = fields[5:]
        self.begins(STATE, begin)
        self.happens(end)
        require(self.busy_until[cpu] <= begin < end, "states overlap")
        self.busy_until[cpu] = end
        self.totals["states"] += 1

    def event(self, fields):
        require(len(fields) >= 8 and len(fields) % 2 == 0, "not an event")
        cpu = self.place(fields[1:5])
        self.begins(EVENT, fields[5])
        for kind, value in zip(fields[6::2], fields[7::2]):
            self.totals["events"] += 1
            self.seen[kind].add(value)
            if kind in CALLS:
                expected = kind if value == 0 else None
                require(self.call_of.get(cpu) == expected, "calls overlap")
                self.call_of[cpu] = kind if value else None
                self.totals["calls"] += 1 if value else 0
            elif kind == 50100004:
                require(value in self.ids, "no such communicator")

    def message(self, fields):
        require(len(fields) == 15, "not a message")
        sender = self.place(fields[1:5])
        receiver = self.place(fields[7:11])
        sent, left = fields[5:7]
        posted, received = fields[11:13]
        self.begins(MESSAGE, sent)
        self.happens(left, posted, received)
        require(sent <= left and posted <= received, "an end of it goes backwards")
        require(self.skewed or left <= received, "it is received before it is sent")
        self.totals["backwards"] += 1 if received < sent else 0
        key = (sender, receiver, sent, posted, received, fields[13], fields[14])
        require(key not in self.messages, "it stands twice")
        self.messages.add(key)
        self.totals["messages"] += 1
        self.totals["bytes"] += fields[13]

    def read_names(self):
        """Values that have names, by type of event."""
        names = collections.defaultdict(set)
        types = []
        with open(self.path.with_suffix(".pcf"), encoding="utf-8") as lines:
            inside = ""
            for line in lines:
                words = line.split(maxsplit=2)
                if not words:
                    continue
                if words[0] in ("EVENT_TYPE", "VALUES", "STATES"):
                    inside = words[0]
                    types = [] if inside == "EVENT_TYPE" else types
                elif inside == "EVENT_TYPE":
                    types.append(int(words[1]))
                    names[types[-1]] |= set()
                elif inside == "VALUES":
                    for kind in types:
                        names[kind].add(int(words[0]))
        return names

    def check_names(self):
        names = self.read_names()
        for kind, values in self.seen.items():
            require(kind in names, f"event type {kind} has no name")
            require(not names[kind] or values <= names[kind], f"a value of type {kind} has no name")

    def check_rows(self):
        text = self.path.with_suffix(".row").read_text(encoding="utf-8")
        sizes = {}
        for block in text.strip().split("\n\n"):
            title, *rows = block.split("\n")
            _, level, _, size = title.split()
            require(int(size) == len(rows), f"another number of rows: {title}")
            sizes[level] = len(rows)
        cpus = len(self.places)
        require(sizes == {"CPU": cpus, "NODE": self.nodes, "THREAD": cpus}, "rows are not those of "
                "the header")


def check(path, skewed=False):
    """The totals of a file: states, events, calls, messages, bytes."""
    trace = Trace(path, skewed)
    trace.check()
    return trace.totals


def main(arguments):
    skewed = "--skewed" in arguments
    result = 0
    for path in arguments:
        if path == "--skewed":
            continue
        try:
            totals = check(path, skewed)
            kinds = ("states", "events", "calls", "messages", "bytes", "backwards")
            print(f"{path}: " + ", ".join(f"{totals[kind]} {kind}" for kind in kinds))
        except (ValueError, OSError) as error:
            print(f"{path}: {error}")
            result = 1
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
