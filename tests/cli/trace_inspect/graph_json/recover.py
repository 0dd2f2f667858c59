# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Walks through a graph as one location did: recover.py GRAPH.json LOCATION"""

import json
import sys


def visits(sequence, offset=0):
    for part in sequence:
        if isinstance(part, dict):
            for turn in range(part["times"]):
                yield from visits(part["sequence"], offset + turn * part["shift"])
            continue
        first, last, stride, count = part
        for block in range(first, last + 1, stride or 1):
            yield from range(offset + block, offset + block + count)


def contains(runs, location):
    return any(location in range(s, s + d * n, d) for s, d, n in runs)


def main(path, location):
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    ways = {}
    for edge in graph["edges"]:
        for use in edge["uses"]:
            if not contains(use["locations"], location):
                continue
            turns = ways.setdefault(edge["from"], {})
            if "sequence" not in use:
                turns[None] = edge["to"]
            else:
                turns.update(dict.fromkeys(visits(use["sequence"]), edge["to"]))
    seen = {}
    node = 0
    while True:
        seen[node] = seen.get(node, 0) + 1
        turns = ways[node]
        node = turns[None] if None in turns else turns[seen[node]]
        if node == 1:
            return
        print(graph["nodes"][node]["name"])


main(sys.argv[1], int(sys.argv[2]))
