#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Counts what the times of an OTF2 archive say in the wrong order, by what otf2-print prints.

A message is early if its receive is recorded before it was sent; a collective operation is early
if it ends on a member before another one began that this one needs. Messages are matched in the
order in which they were sent and their receives posted. Usage: check_clocks.py ARCHIVE
"""

import collections
import json
import re
import subprocess
import sys

ROOT_SENDS = ("BCAST", "SCATTER", "SCATTERV")
ROOT_RECEIVES = ("REDUCE", "GATHER", "GATHERV")
RECORD = re.compile(r"([A-Z_]+) +(\d+) +(\d+) *(.*)")
FIELDS = {name: re.compile(pattern) for name, pattern in {
    "peer": r'(?:Sender|Receiver): \d+ \(.*? <(\d+)>\)', "comm": r'Communicator: .*?<(\d+)>',
    "tag": r"Tag: (\d+)", "request": r"Request: (\d+)", "operation": r"Operation: ([A-Z_]+)",
    "root": r"Root: \d+ \(.*?<(\d+)>\)", "sent": r"Sent: (\d+)", "received": r"Received: (\d+)",
}.items()}


def lines_of(archive, *options):
    printer = subprocess.Popen(["otf2-print", *options, str(archive)], stdout=subprocess.PIPE,
                               text=True)
    yield from printer.stdout
    if printer.wait() != 0:
        raise RuntimeError(f"otf2-print fails for {archive}")


def field(name, text):
    match = FIELDS[name].search(text)
    return match.group(1) if match else None


def processes(archive):
    """The process of each location."""
    group = {}
    for line in lines_of(archive, "-G"):
        match = re.match(r'LOCATION +(\d+) .*Group: .*<(\d+)>', line)
        if match:
            group[match.group(1)] = match.group(2)
    return group


class Order:
    def __init__(self, archive):
        self.group = processes(archive)
        self.sends = collections.defaultdict(list)
        self.receives = collections.defaultdict(list)
        self.posted = {}
        self.begun = {}
        self.instances = collections.defaultdict(lambda: collections.defaultdict(list))
        self.count = 0
        for line in lines_of(archive):
            match = RECORD.match(line)
            if match:
                self.count += 1
                self.add(match[1], match[2], int(match[3]), match[4])

    def add(self, kind, location, time, text):
        me = self.group[location]
        if kind in ("MPI_SEND", "MPI_ISEND"):
            key = (me, self.group[field("peer", text)], field("comm", text), field("tag", text))
            self.sends[key].append(time)
        elif kind == "MPI_IRECV_REQUEST":
            self.posted[me, field("request", text)] = self.count
        elif kind in ("MPI_RECV", "MPI_IRECV"):
            key = (self.group[field("peer", text)], me, field("comm", text), field("tag", text))
            request = field("request", text)
            self.receives[key].append((self.posted.pop((me, request), self.count), time))
        elif kind == "MPI_COLLECTIVE_BEGIN":
            self.begun[location] = time
        elif kind == "MPI_COLLECTIVE_END":
            part = {name: field(name, text) for name in ("operation", "root", "sent", "received")}
            part["root"] = self.group.get(part["root"])
            member = (me, self.begun.pop(location), time, part)
            self.instances[field("comm", text)][me].append(member)

    def early_messages(self):
        early = total = 0
        for key, sent in self.sends.items():
            received = [time for _, time in sorted(self.receives.get(key, []))]
            if key[0] == key[1] or len(sent) != len(received):
                continue
            total += len(sent)
            early += sum(arrival < start for start, arrival in zip(sent, received))
        return early, total

    def early_collectives(self):
        early = total = 0
        for members in self.instances.values():
            for instance in zip(*members.values()):
                if len(instance) > 1 and len({it[3]["operation"] for it in instance}) == 1:
                    total += 1
                    early += is_early(instance)
        return early, total


def is_early(instance):
    operation, root = instance[0][3]["operation"], instance[0][3]["root"]
    moves = any(int(it[3]["sent"]) + int(it[3]["received"]) for it in instance)
    if operation.startswith(("DESTROY", "SCAN", "EXSCAN", "ALLTOALLV", "ALLTOALLW")):
        return False
    if not moves and operation not in ("BARRIER", "CREATE_HANDLE"):
        return False
    begins = {it[0]: it[1] for it in instance if not moves or int(it[3]["sent"])}
    for me, _, end, part in instance:
        if moves and not int(part["received"]):
            continue
        needed = [begin for other, begin in begins.items() if other != me]
        if operation in ROOT_SENDS:
            needed = [begins[root]] if root in begins and root != me else []
        if operation in ROOT_RECEIVES and me != root:
            needed = []
        if any(end < begin for begin in needed):
            return True
    return False


def check(archive):
    order = Order(archive)
    messages, all_messages = order.early_messages()
    collectives, all_collectives = order.early_collectives()
    return {"early messages": messages, "messages": all_messages,
            "early collectives": collectives, "collectives": all_collectives}


if __name__ == "__main__":
    print(json.dumps(check(sys.argv[1])))
