# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import collections
import csv
import json
import re
import shutil
import subprocess
import sys

from .common import CHECKERS, Campaign, Failure, Missing, run, run_checker, simulate

# Calls that may drop a message: nobody receives it, or it is cancelled.
SENDING = ("MPI_Send", "MPI_Isend", "MPI_Ssend", "MPI_Issend", "MPI_Start", "MPI_Startall",
           "MPI_Sendrecv")
# Operations whose members record the bytes that they send, and types whose members send as much to each.
ALL_SEND = ("barrier", "allreduce", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw")
TO_EACH = ("ALL_REDUCE", "ALL_GATHER")
ELEMENT_BYTES = {6: 1, 0: 8, 26: 16, 27: 32}


def python_with_pandas():
    """Distributions install pandas for their own Python."""
    for python in (sys.executable, shutil.which("python3"), "/usr/bin/python3"):
        if python and subprocess.run([python, "-c", "import pandas"], capture_output=True, check=False).returncode == 0:
            return python
    return None


def counts_of(totals):
    return f"{totals['calls']} messages of {totals['bytes']} bytes"


def lost_messages(report):
    return sum(count for name, count in report["dropped"].items() if name in SENDING)


def figures_in(text):
    """Numbers by the word behind each."""
    return {name: int(count) for count, name in re.findall(r"(\d+) ([a-z]+)", text)}


def check_collective_nodes(folder, table, expanded):
    """Collective nodes are the rows of collectives.csv, but for functions of which some are messages."""
    import check_chakra  # of tests/exports
    groups = {"": len(list(folder.glob("rank.*.et")))}
    for name, members in json.loads((folder / "comm_groups.json").read_text()).items():
        groups[name] = len(members)
    nodes = collections.defaultdict(lambda: [0, 0])
    for rank in check_chakra.read(folder):
        for node in rank:
            if node.type == check_chakra.COLLECTIVE:
                kind = check_chakra.COLLECTIVES[node.attributes["comm_type"]]
                # OTF2 counts the bytes to each of the others.
                times = groups[node.attributes.get("pg_name", "")] if kind in TO_EACH else 1
                nodes[node.name][0] += 1
                nodes[node.name][1] += node.attributes["comm_size"] * times
    rows = collections.defaultdict(lambda: [0, 0, 0])
    with open(table, encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            members = int(row["comm_size"] or 0)
            if members > 1 and row["operation"] in ALL_SEND:
                of_name = rows[row["name"].removesuffix("()")]
                of_name[0] += 1
                of_name[1] += int(row["bytes_sent"])
                # In place, a member does not send its own part.
                of_name[2] += int(row["bytes_sent"]) * members // (members - 1)
    for name, (count, least, most) in rows.items():
        found, size = nodes[name]
        if name not in expanded and (found != count or not least <= size <= most):
            raise Failure(f"chakra has {found} collective nodes of {size} bytes for {name}, the trace {count} "
                          f"of {least} to {most}")


def ti_messages(folder, of_program):
    """Messages and bytes that all ranks send; only those of the program, or also of expansions."""
    messages = size = 0
    for path in folder.glob("rank-*.ti"):
        first = None
        with open(path, encoding="ascii") as lines:
            for line in lines:
                words = line.split()
                if words[0] == "#":
                    first = int(words[3]) if words[1] == "tags" else first
                elif words[1] in ("send", "isend") and not (of_program and int(words[3]) >= first):
                    messages += 1
                    width = ELEMENT_BYTES[int(words[5])] if len(words) > 5 else 1
                    size += int(words[4]) * width
    return messages, size


class Export(Campaign):
    """Convert archives to all formats, and compare the results with the trace.

ti      smpirun executes every action; messages and bytes, but for those that stand for collective operations, are the
        trace's, but for messages that the report counts as dropped and the rounding of sizes above 2 GiB
goal    check_goal.py finds both ends of every message and no cycle; with linear collectives it has the messages of ti
csv     check_tables.py finds calls, bytes and times of `trace_inspect stats` and messages of `matrix`
prv     check_paraver.py finds order, states, calls and messages of the trace
dumpi   check_dumpi.py finds calls, messages and collective operations of the trace; with --dumpi2ascii, that program
        of sst-dumpi reads every call
chakra  check_chakra.py finds both ends of every message and no cycle; with a node for every operation, nodes are the
        rows of collectives.csv
chrome  is JSON with balanced slices
"""

    name = "export"
    columns = ("MPI calls", "messages", "ti actions", "goal messages (linear)", "chrome events")
    programs = ("smpirun",)

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--dumpi2ascii", help="of sst-dumpi; without it, check_dumpi.py alone reads the files")

    def run(self):
        sys.path.insert(0, str(CHECKERS))
        self.python = python_with_pandas()
        if not self.python:
            raise Missing("Python's pandas")
        return super().run()

    def checker(self, name, *arguments, python=sys.executable):
        return run_checker(name, *arguments, timeout=self.options.timeout, python=python)

    def check(self, archive):
        archive.fold()
        calls, totals = self.check_csv(archive)
        self.check_prv(archive, calls, totals)
        events = self.check_chrome(archive)
        self.check_dumpi(archive, totals)
        self.check_chakra(archive, totals)
        return calls, totals["calls"], self.check_ti(archive, totals), self.check_goal(archive), events

    def check_csv(self, archive):
        """Calls, and messages with their bytes."""
        folder, report = archive.convert("csv")
        found = figures_in(self.checker("tables", self.options.bin, archive.file, folder, python=self.python))
        if found["calls"] != report["calls"]:
            raise Failure(f"calls.csv has {found['calls']} calls, the trace {report['calls']}")
        matrix = archive.inspect("matrix", archive.file)
        return found["calls"], matrix["total"] | {"cells": matrix["cells"], "unreceived": found["unreceived"]}

    def check_ti(self, archive, totals):
        folder, report = archive.convert("ti", "--platform-template")
        actions = simulate(folder, report, self.options.timeout)
        messages, size = ti_messages(folder, True)
        lost = lost_messages(report)
        size_fits = size == totals["bytes"] or lost or size - totals["bytes"] in range(32 * messages)
        if not 0 <= totals["calls"] - messages <= lost or not size_fits:
            raise Failure(f"ti has {messages} messages of {size} bytes, the trace {counts_of(totals)}")
        return actions

    def check_goal(self, archive):
        path, _ = archive.convert("goal")
        self.checker("goal", path)
        path, _ = archive.convert("goal", "--collectives", "linear")
        sends = int(self.checker("goal", path).split(" ranks, ")[1].split(" send")[0])
        folder, _ = archive.convert("ti", "--collectives", "linear")
        messages, _ = ti_messages(folder, False)
        if messages != sends:
            raise Failure(f"goal has {sends} messages, ti {messages}")
        return sends

    def check_prv(self, archive, calls, totals):
        path, report = archive.convert("prv")
        found = figures_in(self.checker("paraver", "--skewed", path))
        lost = report["dropped"].get("messages that nobody receives", 0)
        if lost != totals["unreceived"]:
            raise Failure(f"prv drops {lost} messages, of which {totals['unreceived']} have no receive")
        size_fits = found["bytes"] == totals["bytes"] or (lost and found["bytes"] < totals["bytes"])
        if found["messages"] + lost != totals["calls"] or not size_fits:
            raise Failure(f"prv has {found}, the trace {counts_of(totals)}")
        if found["calls"] != calls:
            raise Failure(f"prv has {found['calls']} calls, calls.csv {calls}")

    def check_dumpi(self, archive, totals):
        folder, report = archive.convert("dumpi")
        contents, lost = report["contents"], lost_messages(report)
        found = figures_in(self.checker("dumpi", folder))
        expanded = contents.get("sends for collective operations", 0)
        messages = found["messages"] - expanded
        size_fits = found["bytes"] == totals["bytes"] or expanded or lost
        if not 0 <= totals["calls"] - messages <= lost or not size_fits:
            raise Failure(f"dumpi has {found}, the trace {counts_of(totals)}")
        if found["calls"] != contents["calls"]:
            raise Failure(f"dumpi has {found['calls']} calls of {contents['calls']}")
        if self.options.dumpi2ascii:
            read = sum(run([self.options.dumpi2ascii, path], self.options.timeout).stdout.count(" entering at")
                       for path in folder.glob("*.bin"))
            if read != contents["calls"]:
                raise Failure(f"dumpi2ascii reads {read} calls of {contents['calls']}")

    def check_chakra(self, archive, totals):
        folder, report = archive.convert("chakra")
        found = re.search(r"of the program (\d+) messages, (\d+) bytes", self.checker("chakra", folder))
        messages, size = int(found[1]), int(found[2])
        to_itself = report["merged"].get("messages of a rank to itself", 0)
        lost = lost_messages(report)
        # Messages of no bytes have one.
        size -= report["approximated"].get("messages of no bytes", 0)
        own = sum(cell["bytes"] for cell in totals["cells"] if cell["row"] == cell["column"])
        size_fits = size == totals["bytes"] - own or lost
        if not 0 <= totals["calls"] - to_itself - messages <= lost or not size_fits:
            raise Failure(f"chakra has {messages} messages of {size} bytes, the trace {counts_of(totals)}, "
                          f"{to_itself} of a rank to itself")
        folder, report = archive.convert("chakra", "--collective-nodes")
        self.checker("chakra", folder)
        check_collective_nodes(folder, archive.work / "run.csv/collectives.csv", report["expanded"])

    @staticmethod
    def check_chrome(archive):
        path, _ = archive.convert("chrome")
        events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
        depth = collections.Counter()
        for event in events:
            if event["ph"] in "BE":
                depth[event["pid"], event["tid"]] += 1 if event["ph"] == "B" else -1
        if any(depth.values()):
            raise Failure("chrome: slices are not balanced")
        return len(events)
