#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks a GOAL schedule by itself, without the simulator that it is for.

Every label is defined once and before it is used, every send has a receive of the same size, pair of
ranks and tag, tags are not used twice by a pair of ranks, and the schedule can be executed to its end
by ranks that start an operation when all that it requires is done (so that there are no cycles, within
a rank or between them). Every operation but those that a rank starts with waits for another one; a part of
a trace (--part) may start with what does not block, and one operation more, the first that does, waits for
nothing.

Usage: check_goal.py [--part] FILE...   Prints a line of totals per file; exit code 1 if something is wrong.
"""

import collections
import re
import sys

OPERATION = re.compile(
    r"l(\d+): (?:(send|recv) (\d+)b (?:to|from) (\d+) tag (\d+)|calc (\d+))\n"
)
REQUIRES = re.compile(r"l(\d+) requires l(\d+)\n")
KINDS = ("send", "recv", "calc")


class Rank:
    def __init__(self):
        self.operations = {}  # label -> (kind, bytes or time, peer, tag)
        self.requires = collections.defaultdict(list)


def fail(path, number, what):
    raise ValueError(f"{path}:{number}: {what}")


def read(path):
    ranks = []
    wanted = None
    inside = False
    with open(path, encoding="ascii") as lines:
        for number, line in enumerate(lines, start=1):
            if wanted is None:
                wanted = int(re.fullmatch(r"num_ranks (\d+)\n", line).group(1))
            elif match := OPERATION.fullmatch(line):
                label = int(match.group(1))
                if not inside or label in ranks[-1].operations:
                    fail(path, number, "a label is defined twice, or outside of a rank")
                ranks[-1].operations[label] = operation_of(match)
            elif match := REQUIRES.fullmatch(line):
                label, other = map(int, match.groups())
                if label not in ranks[-1].operations or other not in ranks[-1].operations:
                    fail(path, number, "a label is used before it is defined")
                ranks[-1].requires[label].append(other)
            elif line == f"rank {len(ranks)} {{\n" and not inside:
                ranks.append(Rank())
                inside = True
            elif line == "}\n" and inside:
                inside = False
            elif line != "\n":
                fail(path, number, f"is no GOAL: {line.rstrip()}")
    if inside or len(ranks) != wanted:
        raise ValueError(f"{path}: has {len(ranks)} ranks, not {wanted}")
    return ranks


def operation_of(match):
    _, kind, size, peer, tag, time = match.groups()
    if kind is None:
        return ("calc", int(time), None, None)
    return (kind, int(size), int(peer), int(tag))


def check_messages(path, ranks):
    """Every message has both ends, and its pair of ranks and tag for itself."""
    ends = {"send": {}, "recv": {}}
    for number, rank in enumerate(ranks):
        for kind, size, peer, tag in rank.operations.values():
            if kind == "calc":
                continue
            key = (number, peer, tag) if kind == "send" else (peer, number, tag)
            if key in ends[kind]:
                raise ValueError(f"{path}: {kind} {key} stands twice")
            ends[kind][key] = size
    if ends["send"] != ends["recv"]:
        odd = set(ends["send"].items()) ^ set(ends["recv"].items())
        raise ValueError(f"{path}: {len(odd)} ends of messages have no other end: {sorted(odd)[:3]}")


def check_order(path, ranks):
    """Executes the schedule: a receive ends after its send has begun."""
    waiting = [collections.defaultdict(list) for _ in ranks]
    missing = [{} for _ in ranks]
    ready = []
    for number, rank in enumerate(ranks):
        for label in rank.operations:
            needs = rank.requires.get(label, [])
            missing[number][label] = len(needs)
            for other in needs:
                waiting[number][other].append(label)
            if not needs:
                ready.append((number, label))
    sent = set()
    blocked = {}
    done = 0
    while ready:
        number, label = ready.pop()
        kind, _, peer, tag = ranks[number].operations[label]
        if kind == "recv" and (peer, number, tag) not in sent:
            blocked[(peer, number, tag)] = (number, label)
            continue
        done += 1
        if kind == "send":
            sent.add((number, peer, tag))
            receiver = blocked.pop((number, peer, tag), None)
            if receiver is not None:
                ready.append(receiver)
        for other in waiting[number][label]:
            missing[number][other] -= 1
            if missing[number][other] == 0:
                ready.append((number, other))
    total = sum(len(rank.operations) for rank in ranks)
    if done != total:
        raise ValueError(f"{path}: {total - done} of {total} operations can never be executed")


def check_dependences(path, ranks, part):
    """After the first operation that something waits for, everything waits for something."""
    for number, rank in enumerate(ranks):
        started = False
        spare = part
        for label in sorted(rank.operations):
            if rank.requires.get(label):
                started = True
            elif started and spare:
                spare = False
            elif started:
                raise ValueError(f"{path}: operation l{label} of rank {number} waits for nothing")


def check(path, part):
    ranks = read(path)
    check_messages(path, ranks)
    check_dependences(path, ranks, part)
    check_order(path, ranks)
    totals = collections.Counter()
    for rank in ranks:
        for kind, size, _, _ in rank.operations.values():
            totals[kind] += 1
            totals[kind + " sum"] += size
    counts = ", ".join(f"{totals[kind]} {kind}" for kind in KINDS)
    print(f"{path}: {len(ranks)} ranks, {counts}; {totals['send sum']} bytes sent, "
          f"{totals['calc sum']} computed")


def main(arguments):
    result = 0
    part = "--part" in arguments
    for path in arguments:
        if path == "--part":
            continue
        try:
            check(path, part)
        except ValueError as error:
            print(error)
            result = 1
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
