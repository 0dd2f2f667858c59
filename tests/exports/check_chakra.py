#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks a folder of Chakra execution traces by itself, without the simulator that it is for.

Every file is messages of schema 1.0.0 with nothing left over; nodes are numbered from 1 on and wait for
earlier nodes only; every send has a receive of the same size, pair of ranks and tag; the members of a
group have the same collective nodes one after the other; groups are as comm_groups.json has them; and the
traces can be executed to their end by ranks that start a node when all that it waits for is done. A node
that waits for nothing may only come before the first one that waits; a part of a trace (--part) may have
one of them more.

Usage: check_chakra.py [--part] FOLDER...   Prints a line of totals per folder, in which ends are nodes that
nothing waits for (one per rank, and what the program never completes); exit code 1 if something is wrong.
"""

import collections
import json
import pathlib
import re
import sys

COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
TYPES = {COMPUTE: "compute", SEND: "send", RECEIVE: "receive", COLLECTIVE: "collective"}
# Functions that send messages by themselves, not in place of a collective operation.
PROGRAM_SENDS = re.compile("[Ss]end|Start")
# What a member of these gives differs from member to member.
UNEQUAL = ("ALL_GATHER", "GATHER", "SCATTER", "ALL_TO_ALL")
COLLECTIVES = ("ALL_REDUCE", "REDUCE", "ALL_GATHER", "GATHER", "SCATTER", "BROADCAST", "ALL_TO_ALL",
               "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER")
# The kind of value that each attribute has: its field of AttributeProto.
INT32, INT64, BOOL, STRING = 7, 9, 27, 29
ATTRIBUTES = {"is_cpu_op": BOOL, "comm_src": INT32, "comm_dst": INT32, "comm_tag": INT32,
              "comm_size": INT64, "comm_type": INT64, "pg_name": STRING}
NEEDED = {
    COMPUTE: {"is_cpu_op"},
    SEND: {"is_cpu_op", "comm_src", "comm_dst", "comm_tag", "comm_size"},
    RECEIVE: {"is_cpu_op", "comm_src", "comm_dst", "comm_tag", "comm_size"},
    COLLECTIVE: {"is_cpu_op", "comm_type", "comm_size"},
}

Node = collections.namedtuple("Node", "name type after duration attributes")


class Wrong(Exception):
    """What is wrong with a folder."""


def varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data):
            raise Wrong("a number is cut off")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def delimited(data, at):
    length, at = varint(data, at)
    if at + length > len(data):
        raise Wrong("a message is cut off")
    return data[at:at + length], at + length


def fields(message):
    """Pairs of a field's number and its value, of the two kinds that these traces have."""
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        if key & 7 == 0:
            value, at = varint(message, at)
        elif key & 7 == 2:
            value, at = delimited(message, at)
        else:
            raise Wrong(f"a field has the wire type {key & 7}")
        yield key >> 3, value


def attribute(message):
    name, kind, value = None, None, None
    for field, content in fields(message):
        if field == 1:
            name = content.decode()
        else:
            kind, value = field, content
    if ATTRIBUTES.get(name) != kind:
        raise Wrong(f"the attribute {name} has a value of field {kind}")
    return name, value.decode() if kind == STRING else value


def numbers(packed):
    at = 0
    while at < len(packed):
        value, at = varint(packed, at)
        yield value


def node_of(message, number):
    name, kind, after, duration, attributes = None, None, [], 0, {}
    for field, value in fields(message):
        if field == 1:
            if value != number:
                raise Wrong(f"node {number} has the number {value}")
        elif field == 2:
            name = value.decode()
        elif field == 3:
            kind = value
        elif field == 5:
            after = list(numbers(value))
        elif field == 7:
            duration = value
        elif field == 10:
            key, content = attribute(value)
            attributes[key] = content
        else:
            raise Wrong(f"node {number} has the field {field}")
    if kind not in TYPES or not name:
        raise Wrong(f"node {number} has the type {kind} and the name {name}")
    if not NEEDED[kind] <= set(attributes) or attributes["is_cpu_op"]:
        raise Wrong(f"node {number} has the attributes {attributes}")
    if any(not 0 < other < number for other in after) or len(set(after)) != len(after):
        raise Wrong(f"node {number} waits for {after}")
    return Node(name, kind, after, duration, attributes)


def read_rank(path):
    data = path.read_bytes()
    metadata, at = delimited(data, 0)
    if list(fields(metadata)) != [(1, b"1.0.0")]:
        raise Wrong(f"metadata is {metadata}")
    nodes = []
    while at < len(data):
        message, at = delimited(data, at)
        nodes.append(node_of(message, len(nodes) + 1))
    if not nodes:
        raise Wrong("has no nodes")
    return nodes


def read(folder):
    files = sorted(folder.glob("rank.*.et"), key=lambda path: int(path.name.split(".")[1]))
    if [path.name for path in files] != [f"rank.{rank}.et" for rank in range(len(files))] or not files:
        raise Wrong(f"has the files {[path.name for path in files]}")
    ranks = []
    for path in files:
        try:
            ranks.append(read_rank(path))
        except Wrong as wrong:
            raise Wrong(f"{path.name}: {wrong}") from wrong
    return ranks


def read_groups(folder, ranks):
    groups = {int(name): members
              for name, members in json.loads((folder / "comm_groups.json").read_text()).items()}
    if sorted(groups) != list(range(1, len(groups) + 1)):
        raise Wrong(f"groups are {sorted(groups)}")
    for number, members in groups.items():
        if len(set(members)) != len(members) or len(members) < 2 or not set(members) <= set(range(ranks)):
            raise Wrong(f"group {number} is {members}")
    groups[0] = list(range(ranks))
    return groups


def message_of(rank, node):
    """Source, destination, tag and bytes."""
    a = node.attributes
    own = a["comm_src"] if node.type == SEND else a["comm_dst"]
    if own != rank or a["comm_src"] == a["comm_dst"] or a["comm_size"] == 0:
        raise Wrong(f"rank {rank} has a {TYPES[node.type]} with {a}")
    return (a["comm_src"], a["comm_dst"], a["comm_tag"], a["comm_size"])


def check_messages(ranks):
    """Every message has both ends, in the same order for each pair of ranks and tag."""
    ends = {SEND: collections.defaultdict(list), RECEIVE: collections.defaultdict(list)}
    for rank, nodes in enumerate(ranks):
        for node in nodes:
            if node.type in ends:
                source, destination, tag, size = message_of(rank, node)
                ends[node.type][source, destination, tag].append(size)
    if ends[SEND] != ends[RECEIVE]:
        odd = [key for key in set(ends[SEND]) | set(ends[RECEIVE])
               if ends[SEND].get(key) != ends[RECEIVE].get(key)]
        raise Wrong(f"messages of {len(odd)} channels have no other end: {sorted(odd)[:3]}")


def collective_of(node):
    return (COLLECTIVES[node.attributes["comm_type"]], node.attributes["comm_size"])


def check_collectives(ranks, groups):
    """Members of a group have the same operations; those with equal shares have the same bytes."""
    done = collections.defaultdict(lambda: collections.defaultdict(list))
    for rank, nodes in enumerate(ranks):
        for node in nodes:
            if node.type == COLLECTIVE:
                group = int(node.attributes.get("pg_name", 0))
                if rank not in groups.get(group, ()):
                    raise Wrong(f"rank {rank} is not in group {group}")
                done[group][rank].append(collective_of(node))
    for group, by_rank in done.items():
        orders = [[(kind, None if kind in UNEQUAL else size) for kind, size in by_rank[member]]
                  for member in groups[group]]
        if any(order != orders[0] for order in orders):
            raise Wrong(f"the members of group {group} do not have the same collective nodes")


class Execution:
    """Executes all ranks: a receive ends after its send has begun, a collective when all are in it."""

    def __init__(self, ranks, groups):
        self.ranks = ranks
        self.groups = groups
        self.children = [collections.defaultdict(list) for _ in ranks]
        self.missing = [[0] * (len(nodes) + 1) for nodes in ranks]
        self.ready = []
        self.sent = collections.Counter()
        self.blocked = collections.defaultdict(collections.deque)
        self.entered = collections.defaultdict(list)
        self.instances = collections.Counter()
        self.done = 0
        for rank, nodes in enumerate(ranks):
            for number, node in enumerate(nodes, start=1):
                self.missing[rank][number] = len(node.after)
                for other in node.after:
                    self.children[rank][other].append(number)
                if not node.after:
                    self.ready.append((rank, number))

    def finish(self, rank, number):
        self.done += 1
        for other in self.children[rank][number]:
            self.missing[rank][other] -= 1
            if self.missing[rank][other] == 0:
                self.ready.append((rank, other))

    def start(self, rank, number):
        node = self.ranks[rank][number - 1]
        if node.type == SEND:
            key = message_of(rank, node)
            self.finish(rank, number)
            self.sent[key] += 1
            if self.blocked[key]:
                self.sent[key] -= 1
                self.finish(*self.blocked[key].popleft())
        elif node.type == RECEIVE:
            key = message_of(rank, node)
            if self.sent[key]:
                self.sent[key] -= 1
                self.finish(rank, number)
            else:
                self.blocked[key].append((rank, number))
        elif node.type == COLLECTIVE:
            group = int(node.attributes.get("pg_name", 0))
            instance = self.instances[group, rank]
            self.instances[group, rank] += 1
            self.entered[group, instance].append((rank, number))
            if len(self.entered[group, instance]) == len(self.groups[group]):
                for member in self.entered.pop((group, instance)):
                    self.finish(*member)
        else:
            self.finish(rank, number)

    def run(self):
        while self.ready:
            self.start(*self.ready.pop())
        total = sum(map(len, self.ranks))
        if self.done != total:
            raise Wrong(f"{total - self.done} of {total} nodes can never be executed")


def check_dependences(ranks, part):
    for rank, nodes in enumerate(ranks):
        started, spare = False, part
        for number, node in enumerate(nodes, start=1):
            if node.after:
                started = True
            elif started and spare:
                spare = False
            elif started:
                raise Wrong(f"node {number} of rank {rank} waits for nothing")


def check(folder, part):
    ranks = read(folder)
    groups = read_groups(folder, len(ranks))
    check_messages(ranks)
    check_collectives(ranks, groups)
    check_dependences(ranks, part)
    Execution(ranks, groups).run()
    counts = collections.Counter(TYPES[node.type] for nodes in ranks for node in nodes)
    sends = [node for nodes in ranks for node in nodes if node.type == SEND]
    of_program = [node.attributes["comm_size"] for node in sends if PROGRAM_SENDS.search(node.name)]
    size = sum(node.attributes["comm_size"] for node in sends)
    time = sum(node.duration for nodes in ranks for node in nodes)
    ends = sum(len(nodes) - len({other for node in nodes for other in node.after}) for nodes in ranks)
    told = ", ".join(f"{counts[name]} {name}" for name in TYPES.values())
    print(f"{folder}: {len(ranks)} ranks, {told}, {len(groups) - 1} groups, {ends} ends; {size} bytes sent, "
          f"{time} us computed; of the program {len(of_program)} messages, {sum(of_program)} bytes")


def main(arguments):
    result = 0
    part = "--part" in arguments
    for argument in arguments:
        if argument == "--part":
            continue
        try:
            check(pathlib.Path(argument), part)
        except (Wrong, ValueError, KeyError, IndexError) as wrong:
            print(f"{argument}: {wrong}")
            result = 1
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
