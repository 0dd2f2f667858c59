#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what Dimemas simulated with its trace, and that with `trace_inspect matrix` and `stats`.

Each task sends, in the simulation, as many messages and bytes as there are in the trace, and enters as many collective
operations. (Dimemas, of October 2025, counts an operation twice for which not all members wait, once before and once
after its startup: those that do not block, and MPI_Reduce.) The messages of each rank are those
of the matrix, but for those that nobody receives; where operations became messages, these are as many more as the
conversion tells. The calls of collective functions in `stats` are the operations of the trace, and those that the
conversion says to be none.
Prints what was compared. Exit code 0 if all agrees, 1 if not.

usage: check_dimemas.py BIN TRACE.tfold REPORT.json SAID
(REPORT: what trace_convert --json printed; SAID: what Dimemas printed)
"""

import collections
import json
import pathlib
import re
import sys

from trace_figures import Trace, calls_not_written

SEND, COLLECTIVE = "2", "10"
# The last field of a collective record, and how often Dimemas counts it. ENDS is the wait for what STARTS.
STARTS, ALL_WAIT, ENDS, ROOT_WAITS = "0", "1", "2", "3"
COUNTED = {STARTS: 2, ALL_WAIT: 1, ENDS: 0, ROOT_WAITS: 2}
OPERATIONS = re.compile(
    r"MPI_(I?(barrier|bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce|allreduce|scan|exscan"
    r"|reduce_scatter(_block)?)|comm_(i?dup|create|split|free)\w*|cart_(create|sub)|(dist_)?graph_create\w*"
    r"|intercomm_(create|merge)|win_(create|allocate|free|fence)\w*)$", re.IGNORECASE)
PROGRAM_SENDS = re.compile("[Ss]end|Start")
TASK = re.compile(r"^ *(\d+)\t(\S+)\t(\S+)\t\S+\t\S+\t\S+\t(\S+)\t", re.MULTILINE)
DIGITS = 1e-6  # that Dimemas prints, relatively

Task = collections.namedtuple("Task", "messages bytes collectives")


class Records:
    """What the tasks of a trace of Dimemas do."""

    def __init__(self, path, tasks):
        self.messages, self.bytes, self.collectives = ([0] * tasks for _ in range(3))
        self.operations = 0
        with open(path, encoding="ascii") as lines:
            for line in lines:
                fields = line.split(":")
                if fields[0] == SEND:
                    self.messages[int(fields[1])] += 1
                    self.bytes[int(fields[1])] += int(fields[5])
                elif fields[0] == COLLECTIVE:
                    how = fields[-1].strip()
                    self.collectives[int(fields[1])] += COUNTED[how]
                    self.operations += how != ENDS

    def of_task(self, task):
        return Task(self.messages[task], self.bytes[task], self.collectives[task])


def simulated(said):
    """By task, from the second table of the statistics."""
    table = said.partition("Mess.sent")[2]
    return {int(task): Task(float(messages), float(size), float(collectives))
            for task, messages, size, collectives in TASK.findall(table)}


def simulation_differences(records, tasks):
    for task, told in sorted(tasks.items()):
        for what, wanted, found in zip(Task._fields, records.of_task(task), told, strict=True):
            if abs(wanted - found) > DIGITS * wanted:
                yield f"task {task}: {found:g} of {wanted} {what} in the simulation"


def message_differences(trace, report, records):
    sent = collections.Counter()
    for (rank, _), (calls, _) in trace.messages().items():
        sent[rank] += calls
    more = report["contents"].get("sends for collective operations", 0)
    lost = sum(calls for name, calls in report["dropped"].items() if PROGRAM_SENDS.search(name))
    if not more and not lost:
        yield from (f"rank {rank}: {found} of {sent[rank]} messages" for rank, found in enumerate(records.messages)
                    if found != sent[rank])
    elif not 0 <= sum(sent.values()) + more - sum(records.messages) <= lost:
        yield f"{sum(records.messages)} messages, {more} of them for collective operations, of {sum(sent.values())}"


def collective_differences(trace, report, records):
    operations = 0
    for name, (calls, _) in trace.mpi_calls().items():
        if not OPERATIONS.match(name):
            continue
        written = report["written"].get(name, 0) + report["approximated"].get(name, 0)
        operations += written
        others = calls_not_written(report, name, written)
        if written + others != calls:
            yield f"{name}: {written} operations and {others} without for {calls} calls"
    # Barriers that stand for the creation of communicators are messages between two groups.
    surplus = operations - records.operations
    if surplus != 0 and not (surplus > 0 and report["expanded"]):
        yield f"{records.operations} of {operations} collective operations"


def main(arguments):
    bin_folder, path, report, said = arguments
    trace = Trace(bin_folder, path)
    report = json.loads(pathlib.Path(report).read_text())
    tasks = simulated(pathlib.Path(said).read_text())
    records = Records(report["output"], report["ranks"])
    wrong = [*simulation_differences(records, tasks), *message_differences(trace, report, records),
             *collective_differences(trace, report, records)]
    if len(tasks) != report["ranks"]:
        wrong.append(f"{len(tasks)} of {report['ranks']} tasks")
    print("\n".join(wrong[:3]) or f"{sum(records.messages)} messages, {records.operations} collectives")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
