#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares calls, messages, collective operations and operations on files with a plain count over otf2-print's output.

usage: check_counts.py BIN ARCHIVE...

calls        Outermost MPI calls by rank and function, whatever the recorder's spelling, are rows of calls.csv; all of
             them are the calls of trace_inspect check. A message recorded outside of any call is one.
messages     Number and bytes for each sender and receiver, by the records of the sender, and number and bytes of all
             receives are those of trace_inspect matrix, or null for more than 64 bits.
transfers    One-sided ones in the direction of their data are those of trace_inspect matrix --kind rma. An atomic
             operation counts towards its target; the bytes that it receives count in the other direction.
collectives  Number and bytes for each rank are those of trace_inspect matrix --kind collective; number and bytes by
             rank and operation those of collectives.csv. Archives without a record of a collective operation are left
             out: there, calls tell of them.
files        Operations by file (or handle without one), paradigm and mode: number, bytes and ticks of trace_inspect io.
             A completion belongs to the beginning with its handle and matching id: the last one of its location, or
             else the first one of all. Sizes that are undefined have no bytes.

Exit code 3 if anything differs, 4 if otf2-print cannot print an archive.
"""

import collections
import csv
import re
import sys
import tempfile

sys.dont_write_bytecode = True
from check_regions import Tools, check_all  # noqa: E402
from printed_archive import Archive  # noqa: E402

PEER = re.compile(r"(?:Sender|Receiver|Remote): \d+ \(.*?<(\d+)>\), ")
MOVED = re.compile(r"(?:Bytes|Sent): (\d+)(?:, Received: (\d+))?, Matching")
LENGTH = re.compile(r", Length: (\d+)")
PART = re.compile(r"Operation: (\w+), .*Sent: (\d+), Received: (\d+)")
HANDLE = re.compile(r"Handle: .*?<(\d+)>, ")
MODE = re.compile(r"Mode: (\w+), Operation")
BYTES = re.compile(r"Bytes Result: (\w+)")
MATCHING = re.compile(r"Matching Id: (\d+)")
FILE = re.compile(r'IO_(?:REGULAR_FILE|DIRECTORY) +(\d+)  Name: "(.*)" <\d+>, Scope')
IO_HANDLE = re.compile(r'IO_HANDLE +(\d+)  Name: "?(.*?)"? <\d+>, File: (?:UNDEFINED|.*?<(\d+)>), '
                       r'I/O Paradigm: "(.*?)" <\d+>.*Parent: (?:UNDEFINED|.*<(\d+)>)')
UNDEFINED = ("UNDEFINED", str(2**64 - 1))
DECORATIONS = re.compile(r"(?:\(.*\)|\[.*\]|\{.*\}|@.*|\s.*)+$")
SPELLINGS = re.compile(r"_*[Pp]?(?:MPI_|mpi_|MPI::)(.*?)(?:_f08ts|_f08|_fts|_f)?_*$")


def function(name):
    """The MPI function of a region's name, in small letters; None of other regions."""
    found = SPELLINGS.match(DECORATIONS.sub("", name))
    return found and found[1].split("::")[-1].lower().removesuffix("_c")


class Counts:
    def __init__(self, archive):
        self.archive = archive
        self.calls, self.depth = collections.Counter(), collections.defaultdict(list)
        self.sent, self.moved = (collections.defaultdict(lambda: [0, 0]) for _ in range(2))  # by (from, to)
        self.received = [0, 0]
        self.parts = collections.defaultdict(lambda: [0, 0, 0])  # by (rank, operation)
        self.begun = collections.defaultdict(list)
        self.operations = collections.defaultdict(lambda: [0, 0, 0])  # by (file, paradigm, mode)
        self.unmatched = 0
        self.names = {number: function(name) if role != "ARTIFICIAL" else None
                      for number, (name, role, _) in archive.regions.items()}
        self.define_files()
        handlers = {"ENTER": self.enter, "LEAVE": self.leave, "CALLING_CONTEXT_ENTER": self.enter,
                    "CALLING_CONTEXT_LEAVE": self.leave,
                    "MPI_SEND": lambda location, _, rest: self.send(location, rest, "send"),
                    "MPI_ISEND": lambda location, _, rest: self.send(location, rest, "isend"),
                    "MPI_RECV": lambda location, _, rest: self.receive(location, rest, "recv"),
                    "MPI_IRECV": lambda location, _, rest: self.receive(location, rest, "irecv"),
                    "RMA_PUT": lambda location, _, rest: self.transfer(location, rest, False),
                    "RMA_GET": lambda location, _, rest: self.transfer(location, rest, True),
                    "RMA_ATOMIC": lambda location, _, rest: self.transfer(location, rest, False),
                    "MPI_COLLECTIVE_END": self.collective,
                    "NON_BLOCKING_COLLECTIVE_COMPLETE": self.collective, "IO_OPERATION_BEGIN": self.begin,
                    "IO_OPERATION_COMPLETE": self.complete, "IO_OPERATION_CANCELLED": self.complete}
        for kind, number, time, rest in archive.events():
            if handler := handlers.get(kind):
                handler(archive.locations[number], time, rest)

    # Calls.

    def region(self, rest):
        if rest.startswith("Region"):
            return rest[rest.rindex("<") + 1:-2]
        return self.archive.contexts[re.match(r"Calling Context: .*?<(\d+)>(?:, Unwind|$)", rest)[1]]

    def enter(self, location, _time, rest):
        name, open_calls = self.names[self.region(rest)], self.depth[location.number]
        if name and not any(open_calls):
            self.calls[location.rank, name] += 1
        open_calls.append(name)

    def leave(self, location, _time, _rest):
        if self.depth[location.number]:
            self.depth[location.number].pop()

    def outside(self, location, name):
        if not any(self.depth[location.number]):
            self.calls[location.rank, name] += 1

    # Messages and collective operations.

    def peer(self, rest):
        found = PEER.search(rest)
        return self.archive.locations[found[1]].rank if found else None

    def send(self, location, rest, name):
        self.outside(location, name)
        pair = self.sent[location.rank, self.peer(rest)]
        pair[0] += 1
        pair[1] += int(LENGTH.search(rest)[1])

    def transfer(self, location, rest, is_get):
        sent, received = MOVED.search(rest).groups()
        pair = location.rank, self.peer(rest)
        there, back = self.moved[pair[::-1] if is_get else pair], self.moved[pair[::-1]]
        there[0] += 1
        there[1] += int(sent)
        back[1] += int(received or 0)

    def receive(self, location, rest, name):
        self.outside(location, name)
        self.received[0] += 1
        self.received[1] += int(LENGTH.search(rest)[1])

    def collective(self, location, _time, rest):
        operation, sent, received = PART.match(rest).groups()
        part = self.parts[location.rank, operation.lower()]
        part[0] += 1
        part[1] += int(sent)
        part[2] += int(received)

    # Files.

    def define_files(self):
        files, handles, self.places = {}, {}, {}
        for line in self.archive.lines:
            if found := FILE.match(line):
                files[found[1]] = found[2]
            elif found := IO_HANDLE.match(line):
                handles[found[1]] = found.groups()[1:]
        for number, (name, file, paradigm, parent) in handles.items():
            while file is None and parent in handles:
                _, file, _, parent = handles[parent]
            self.places[number] = files.get(file, name or f"handle {number}"), paradigm

    def begin(self, location, time, rest):
        key = HANDLE.match(rest)[1], MATCHING.search(rest)[1]
        self.begun[key].append((location, time, MODE.search(rest)[1].lower()))

    def complete(self, location, time, rest):
        handle, waiting = HANDLE.match(rest)[1], self.begun[HANDLE.match(rest)[1], MATCHING.search(rest)[1]]
        if not waiting:
            self.unmatched += 1
            return
        own = [i for i, (where, _, _) in enumerate(waiting) if where is location]
        where, begin, mode = waiting.pop(own[-1] if own else 0)
        if size := BYTES.search(rest):  # not cancelled
            figures = self.operations[(*self.places[handle], mode)]
            figures[0] += 1
            figures[1] += 0 if size[1] in UNDEFINED else int(size[1])
            # Clocks are compared where they are two.
            figures[2] += time - begin if where is location else location.clock.common(time) - where.clock.common(begin)


class Comparison(Tools):
    def __init__(self, folder, path):
        super().__init__(folder, path)
        self.counts = Counts(self.archive)
        self.tables()
        self.all_calls()
        self.messages()
        self.collectives()
        self.files()

    def __str__(self):
        counts = self.counts
        return (f"{sum(counts.calls.values())} calls, {sum(pair[0] for pair in counts.sent.values())} messages, "
                f"{sum(pair[0] for pair in counts.moved.values())} transfers, "
                f"{sum(part[0] for part in counts.parts.values())} parts of collectives, "
                f"{sum(figures[0] for figures in counts.operations.values())} operations on files")

    def equal(self, what, found, wanted):
        """Two mappings to numbers or lists of numbers; what is nought may be missing."""
        for key in sorted(found.keys() | wanted.keys(), key=str):
            self.compared += 1
            one, other = found.get(key), wanted.get(key)
            is_nought = not any(any(it) if isinstance(it, list) else it for it in (one, other))
            if one != other and not is_nought:
                self.problems.append(f"{what} {key}: {one}, should be {other}")

    def all_calls(self):
        if told := self.inspect("check"):
            self.same("check, calls", told["calls"], sum(self.counts.calls.values()))

    def tables(self):
        calls, parts = collections.Counter(), collections.defaultdict(lambda: [0, 0, 0])
        with tempfile.TemporaryDirectory() as scratch:
            if self.run("trace_convert", "-q", self.path, "--to", "csv", "-o", f"{scratch}/tables") is None:
                return
            for row in self.table(f"{scratch}/tables/calls.csv"):
                calls[int(row["rank"]), function(row["name"])] += 1
            for row in self.table(f"{scratch}/tables/collectives.csv"):
                part = parts[int(row["rank"]), row["operation"]]
                for i, number in enumerate((1, row["bytes_sent"] or 0, row["bytes_received"] or 0)):
                    part[i] += int(number)
        self.equal("calls.csv, rank and function", calls, self.counts.calls)
        if self.counts.parts:
            self.equal("collectives.csv, rank and operation", parts, self.counts.parts)

    @staticmethod
    def table(path):
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            yield from csv.DictReader(file)

    def matrix(self, kind):
        """Number and bytes by rank and column, and what is told besides."""
        told = self.inspect("matrix", "--kind", kind)
        rank = lambda name: int(name) if name.isdigit() else name  # noqa: E731
        return told and {(rank(told["rows"][cell["row"]]), rank(told["columns"][cell["column"]])):
                         [cell["calls"], cell["bytes"]] for cell in told["cells"]}, told

    def messages(self):
        found, told = self.matrix("p2p")
        if told:
            found[None] = [told["received"]["calls"], told["received"]["bytes"]]
            if self.counts.received[1] >= 2**64 and found[None][1] is None:  # it overflows, and is told so
                found[None][1] = self.counts.received[1]
            self.equal("matrix, sender and receiver", found, {**self.counts.sent, None: self.counts.received})
        found, told = self.matrix("rma")
        if told:
            self.equal("matrix of transfers, from and to", found, self.counts.moved)

    def collectives(self):
        cells, _ = self.matrix("collective")
        if cells is not None and self.counts.parts:
            found, wanted = (collections.defaultdict(lambda: [0, 0]) for _ in range(2))
            for target, source in ((found, cells), (wanted, self.counts.parts)):
                for (rank, _), figures in source.items():
                    target[rank][0] += figures[0]
                    target[rank][1] += figures[1]
            self.equal("matrix of collectives, rank", found, wanted)

    def files(self):
        if told := self.inspect("io"):
            found = {(line.get("file", ""), line.get("paradigm", ""), it["operation"]): it
                     for line in told["lines"] for it in line["operations"]}
            wanted = self.counts.operations
            self.equal("io, number", {key: it["count"] for key, it in found.items()},
                       {key: figures[0] for key, figures in wanted.items()})
            self.equal("io, bytes", {key: it["bytes"] for key, it in found.items()},
                       {key: figures[1] for key, figures in wanted.items()})
            for key in found.keys() & wanted.keys():
                self.same_ticks(f"io, ticks {key}", found[key].get("seconds", 0), wanted[key][2])
            self.same("io, unmatched", told["unmatched"], self.counts.unmatched)
            self.same("io, outstanding", told["outstanding"], sum(map(len, self.counts.begun.values())))


if __name__ == "__main__":
    sys.exit(check_all(Comparison, __doc__, sys.argv[1:]))
