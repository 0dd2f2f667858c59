#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what is told of files with a plain computation over otf2-print's output.

Usage: check_io.py BIN_FOLDER ARCHIVE_FOLDER

Per file and layer that it was opened through: handles opened, and per kind of operation number, bytes and
time of trace_inspect io; bytes read and written of trace_inspect stats and profile, with times and without;
bytes in io.csv, and in the slices of the format chrome. otf2-print corrects clocks, so times are taken back by the
clock offsets and compared to within two ticks an operation; without clock offsets, to the tick. Exit code 3 if
anything differs, 4 if otf2-print cannot print the archive.
"""

import collections
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from check_stats import OFFSET, Clock

HANDLE = re.compile(
    r'^IO_HANDLE +(\d+)  Name: "(.*?)" <\d+>, File: (?:UNDEFINED|".*?" <(\d+)>), '
    r'I/O Paradigm: "(.*?)" <\d+>.*Parent: (?:UNDEFINED|.*<(\d+)>)'
)
FILE = re.compile(r'^IO_(?:REGULAR_FILE|DIRECTORY) +(\d+)  Name: "(.*?)" <\d+>')
EVENT = re.compile(r"^(IO_[A-Z_]+) +(\d+) +(\d+)  (.*)$")
IN_EVENT = re.compile(r'Handle: (?:".*?" )?<(\d+)>')
NEW_HANDLE = re.compile(r'New Handle: (?:".*?" )?<(\d+)>')
MODE = re.compile(r"Mode: (\w+)")
BYTES = re.compile(r"Bytes (?:Request|Result): (\d+)")
NUMBER = re.compile(r"Matching Id: (\d+)")
TICKS = re.compile(r"Ticks per Seconds: (\d+)")
UNDEFINED = 2**64 - 1


class Reference:
    def __init__(self, anchor):
        self.files, self.handles, self.outstanding = {}, {}, {}
        self.opened = collections.Counter()
        self.operations = collections.defaultdict(lambda: [0, 0, 0])  # count, bytes, ticks
        self.ticks = 1
        self.clocks = collections.defaultdict(Clock)
        for line in self.lines(anchor, "-G"):
            if match := FILE.match(line):
                self.files[match.group(1)] = match.group(2)
            elif match := HANDLE.match(line):
                self.handles[match.group(1)] = match.groups()[1:]
            elif match := TICKS.search(line):
                self.ticks = int(match.group(1))
        for line in self.lines(anchor, "-C"):
            if match := OFFSET.match(line):
                points = self.clocks[match.group(1)].points
                points.append((int(match.group(2)), int(match.group(3))))
        self.plain = all(clock.is_plain for clock in self.clocks.values())
        for line in self.lines(anchor):
            if match := EVENT.match(line):
                self.event(*match.groups())

    @staticmethod
    def lines(anchor, *options):
        run = subprocess.run(["otf2-print", *options, anchor], capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(4)
        return run.stdout.splitlines()

    def place(self, handle):
        name, file, paradigm, parent = self.handles[handle]
        while file is None and parent in self.handles:
            _, file, _, parent = self.handles[parent]
        return (self.files[file] if file in self.files else name or f"handle {handle}", paradigm)

    def event(self, kind, location, time, rest):
        if kind == "IO_CREATE_HANDLE":
            self.opened[self.place(IN_EVENT.search(rest).group(1))] += 1
        elif kind == "IO_DUPLICATE_HANDLE":
            self.opened[self.place(NEW_HANDLE.search(rest).group(1))] += 1
        elif kind in ("IO_OPERATION_BEGIN", "IO_OPERATION_COMPLETE", "IO_OPERATION_CANCELLED"):
            key = (location, IN_EVENT.search(rest).group(1), NUMBER.search(rest).group(1))
            ticks = self.clocks[location].raw(int(time))
            if kind == "IO_OPERATION_BEGIN":
                begun = (MODE.search(rest).group(1).lower(), ticks)
                self.outstanding.setdefault(key, []).append(begun)
                return
            if not self.outstanding.get(key):
                return
            mode, begin = self.outstanding[key].pop()
            if kind == "IO_OPERATION_COMPLETE":
                entry = self.operations[self.place(key[1]) + (mode,)]
                entry[0] += 1
                size = int(BYTES.search(rest).group(1))
                entry[1] += 0 if size == UNDEFINED else size
                entry[2] += ticks - begin

    def bytes_of(self, mode):
        return sum(entry[1] for key, entry in self.operations.items() if key[2] == mode)


class Check:
    def __init__(self, folder, archive):
        self.folder = pathlib.Path(folder)
        self.archive = str(archive)
        self.reference = Reference(str(archive / "traces.otf2"))
        self.differences = 0
        self.compared = 0

    def equal(self, what, got, want, slack=0):
        self.compared += 1
        if abs(got - want) <= slack:
            return
        self.differences += 1
        print(f"{what}: {got}, should be {want}")

    def run(self, tool, *arguments):
        command = [str(self.folder / tool), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def inspect(self, *arguments):
        return json.loads(self.run("trace_inspect", *arguments, "--json", self.archive))

    def files(self):
        found = {}
        for line in self.inspect("io")["lines"]:
            place = (line.get("file", ""), line.get("paradigm", ""))
            self.equal(f"opened {place}", line["opened"], self.reference.opened[place])
            for operation in line["operations"]:
                found[place + (operation["operation"],)] = operation
        self.equal("kinds of operations", len(found), len(self.reference.operations))
        for key, (count, size, ticks) in self.reference.operations.items():
            got = found.get(key, {"count": 0, "bytes": 0, "seconds": 0})
            slack = 0 if self.reference.plain else 2 * count
            self.equal(f"number {key}", got["count"], count)
            self.equal(f"bytes {key}", got["bytes"], size)
            seconds = round(got["seconds"] * self.reference.ticks)
            self.equal(f"ticks {key}", seconds, ticks, slack)

    def splits(self):
        """Whatever lines are by, they add up to the same."""
        total = self.inspect("io")["total"]
        for by in ("rank", "path", "all"):
            sums = collections.Counter()
            for line in self.inspect("io", "--by", by)["lines"]:
                for operation in line["operations"]:
                    sums[operation["operation"]] += operation["bytes"]
            for operation in total["operations"]:
                name = operation["operation"]
                self.equal(f"{name} by {by}", sums[name], operation["bytes"])

    def sums(self):
        read, written = self.reference.bytes_of("read"), self.reference.bytes_of("write")
        rows = self.inspect("stats")["rows"]
        figures = [figure for row in rows for figure in row["figures"] if figure["over"] == "calls"]
        for metric, want in (("read", read), ("written", written)):
            got = sum(figure["sum"] for figure in figures if figure["metric"] == metric)
            self.equal(f"stats {metric}", got, want)
        for options in ([], ["--no-times"]):
            nodes = self.inspect("profile", *options)["nodes"]
            for metric, want in (("bytes_read", read), ("bytes_written", written)):
                values = [m for node in nodes for m in node["metrics"] if m["metric"] == metric]
                got = sum(value["exclusive"]["sum"] for value in values)
                self.equal(f"profile {options} {metric}", got, want)

    def exports(self):
        with tempfile.TemporaryDirectory() as scratch:
            tables = pathlib.Path(scratch) / "tables"
            self.run("trace_convert", "-q", self.archive, "--to", "csv", "-o", str(tables))
            self.table(tables / "io.csv")
            slices = pathlib.Path(scratch) / "slices.json"
            self.run("trace_convert", "-q", self.archive, "--to", "chrome", "-o", str(slices))
            events = json.loads(slices.read_text(encoding="utf-8"))["traceEvents"]
            for metric, mode in (("bytes_read", "read"), ("bytes_written", "write")):
                got = sum(event.get("args", {}).get(metric, 0) for event in events)
                self.equal(f"chrome {metric}", got, self.reference.bytes_of(mode))

    def table(self, path):
        sums = collections.Counter()
        if path.exists():
            for row in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))):
                key = (row["file"], row["paradigm"], row["operation"])
                sums[key] += int(row["bytes"] or 0)
        for key, (_, size, _) in self.reference.operations.items():
            self.equal(f"io.csv {key}", sums[key], size)


def main():
    check = Check(sys.argv[1], pathlib.Path(sys.argv[2]))
    check.files()
    check.splits()
    check.sums()
    check.exports()
    reference = check.reference
    count = sum(entry[0] for entry in reference.operations.values())
    print(
        f"{pathlib.Path(sys.argv[2]).name}: {count} operations, {reference.bytes_of('read')} bytes read, "
        f"{reference.bytes_of('write')} written; {check.compared} figures compared, "
        f"{check.differences} differ"
    )
    sys.exit(3 if check.differences else 0)


if __name__ == "__main__":
    main()
