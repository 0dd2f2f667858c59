#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares Chakra execution traces with `trace_inspect matrix` and `stats`.

For each pair of ranks, send nodes that are named after functions for messages have the number and the bytes of the
matrix; messages of no bytes have one byte, a rank's messages to itself have no nodes, and both are as many as the
conversion tells. The calls of each collective function in `stats` are its nodes and those that the conversion says to
be no nodes; where all are nodes, they have the bytes that the function sent, less what members that work in place
do not send to themselves. Groups are the communicators of the matrix of collective operations, as many, of the same
members, and windows; where operations became messages, groups may be fewer. Where FEED is given (chakra_feed.cpp
with Chakra's own ETFeeder), it must read the same nodes, bytes and microseconds as check_chakra.py.
Prints what was compared. Exit code 0 if all agrees, 1 if not.

usage: check_chakra_counts.py BIN TRACE.tfold REPORT.json [FEED]
(REPORT: what trace_convert --json printed)
"""

import collections
import csv
import io
import json
import pathlib
import sys

import check_chakra
from check_chakra import COLLECTIVE, COLLECTIVES, PROGRAM_SENDS, RECEIVE, SEND
from trace_figures import Trace, calls_not_written, output_of

# Some nodes that are alike. Where: the destination of a send, the source of a receive, the group of a collective.
Kind = collections.namedtuple("Kind", "rank type name where operation")
Sum = collections.namedtuple("Sum", "nodes bytes microseconds")
# Operations in which a member of n sends n times what its node says; in the others, all members together send what all
# their nodes say. Sizes of OTF2 include what a member sends to itself.
SENT_TO_ALL = ("ALL_REDUCE", "ALL_GATHER")


def kind_of(rank, node):
    where, operation = "", 0
    if node.type in (SEND, RECEIVE):
        where = node.attributes["comm_dst" if node.type == SEND else "comm_src"]
    elif node.type == COLLECTIVE:
        where, operation = node.attributes.get("pg_name", "0"), node.attributes["comm_type"]
    return Kind(rank, node.type, node.name, str(where), operation)


def sums_of(ranks):
    """By kind of node, as check_chakra reads them."""
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for rank, nodes in enumerate(ranks):
        for node in nodes:
            one = sums[kind_of(rank, node)]
            one[0] += 1
            one[1] += node.attributes.get("comm_size", 0)
            one[2] += node.duration
    return {kind: Sum(*one) for kind, one in sums.items()}


def sums_told(feed, folder, ranks):
    """By kind of node, as Chakra's ETFeeder reads them."""
    text = output_of(feed, *(folder / f"rank.{rank}.et" for rank in range(ranks)))
    sums = {}
    for row in csv.DictReader(io.StringIO(text)):
        kind = Kind(int(row["rank"]), int(row["type"]), row["name"], row["where"], int(row["operation"]))
        sums[kind] = Sum(int(row["nodes"]), int(row["bytes"]), int(row["microseconds"]))
    return sums


class Comparison:
    """What a folder of traces says, beside the trace that it was made of."""

    def __init__(self, trace, report, ranks, sums):
        self.trace = trace
        self.report = report
        self.sums = sums
        self.groups = check_chakra.read_groups(pathlib.Path(report["output"]), ranks)

    def of_type(self, node_type):
        return [(kind, one) for kind, one in self.sums.items() if kind.type == node_type]

    def messages(self):
        """Differences of messages, for each pair of ranks and in all."""
        nodes, sizes = collections.Counter(), collections.Counter()
        for kind, one in self.of_type(SEND):
            if PROGRAM_SENDS.search(kind.name):
                nodes[kind.rank, int(kind.where)] += one.nodes
                sizes[kind.rank, int(kind.where)] += one.bytes
        empty = to_itself = 0
        for pair, (calls, size) in self.trace.messages().items():
            found, more = nodes.pop(pair, 0), sizes[pair] - size
            if pair[0] == pair[1]:
                to_itself += calls
                calls = size = more = 0
            if found != calls or not 0 <= more <= calls:
                yield f"{pair}: {found} of {calls} messages, {sizes[pair]} of {size} bytes"
            empty += more
        yield from (f"{pair}: {count} messages, and none in the matrix" for pair, count in nodes.items())
        if empty > self.report["approximated"].get("messages of no bytes", 0):
            yield f"{empty} messages of no bytes"
        if to_itself != self.report["merged"].get("messages of a rank to itself", 0):
            yield f"{to_itself} messages of ranks to themselves"

    def collectives(self):
        """Differences of collective nodes, by function."""
        nodes, most, least = collections.Counter(), collections.Counter(), collections.Counter()
        for kind, one in self.of_type(COLLECTIVE):
            members = len(self.groups[int(kind.where)])
            to_all = COLLECTIVES[kind.operation] in SENT_TO_ALL
            nodes[kind.name] += one.nodes
            most[kind.name] += one.bytes * (members if to_all else 1)
            # In place.
            least[kind.name] += one.bytes * (members - 1) // (1 if to_all else members)
        told = self.trace.mpi_calls()
        for name, count in nodes.items():
            calls, sent = told.get(name, (0, None))
            others = calls_not_written(self.report, name, count)
            if count + others != calls:
                yield f"{name}: {count} nodes and {others} without for {calls} calls"
            elif not others and sent is not None and not least[name] <= sent <= most[name]:
                yield f"{name}: {most[name]} bytes in nodes, {sent} in the trace"

    def members_in_matrix(self):
        """Lists of ranks, and how many communicators with collective operations have them."""
        members = collections.defaultdict(set)
        for rank, communicator in self.trace.collective_cells():
            members[communicator].add(rank)
        return collections.Counter(tuple(sorted(ranks)) for ranks in members.values() if len(ranks) > 1)

    def communicators(self):
        """Differences of groups."""
        names = collections.defaultdict(set)
        for kind, _ in self.of_type(COLLECTIVE):
            names[int(kind.where)].add(kind.name)
        if set(self.groups) - {0} != set(names) - {0}:
            yield f"groups {sorted(set(self.groups) - set(names))} have no nodes"
        found = collections.Counter(tuple(sorted(self.groups[number])) for number, functions in names.items()
                                    if not all(name.startswith("MPI_Win_") for name in functions))
        wanted = self.members_in_matrix()
        # Some recorders leave no record of collective operations.
        if not wanted:
            return
        yield from (f"a group of {members} is no communicator" for members in found - wanted)
        if all(PROGRAM_SENDS.search(kind.name) for kind, _ in self.of_type(SEND)):
            yield from (f"a communicator of {members} has no group" for members in wanted - found)

    def differences(self):
        yield from self.messages()
        yield from self.collectives()
        yield from self.communicators()


def main(arguments):
    bin_folder, trace, report, *feed = arguments
    report = json.loads(pathlib.Path(report).read_text())
    folder = pathlib.Path(report["output"])
    ranks = check_chakra.read(folder)
    sums = sums_of(ranks)
    wrong = list(Comparison(Trace(bin_folder, trace), report, len(ranks), sums).differences())
    if feed and sums_told(feed[0], folder, len(ranks)) != sums:
        wrong.append("ETFeeder reads other nodes")
    print("\n".join(wrong[:3]) or f"{sum(one.nodes for one in sums.values())} nodes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
