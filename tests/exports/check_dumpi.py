#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the DUMPI files of all ranks and checks that they go together.

What is demanded of a trace:
  file        magic numbers, an index that leads to header, footer, key values and sizes of types;
              the footer counts the calls that are there
  calls       MPI_Init is the first and MPI_Finalize the last; none begins before the one before it
              begins, and none ends before it begins
  requests    each is posted once, and waited for at most once, after that
  messages    for each sender, receiver and tag, as many sends as receives, of the same sizes in order
  collectives the ranks of a communicator call the same functions on it in the same order, with the
              same root and with sizes that agree
Prints what is in the trace. Exit code 0 if all is well, 1 if not.

usage: check_dumpi.py FOLDER
"""

import collections
import pathlib
import struct
import sys

MAGIC = b"\xff\xaa\xddDUMPI"
END = 293
FUNCTIONS = 290
WORLD, NULL = 2, 1
WIDTH = {5: 1, 14: 8, 15: 16}
# Arguments in order: i int, t datatype, o operation, c communicator, a array, s statuses, q request;
# what follows "?" the root alone has.
CALLS = {
    0: ("Send", "count:i type:t peer:i tag:i comm:c"),
    1: ("Recv", "count:i type:t peer:i tag:i comm:c status:s"),
    8: ("Isend", "count:i type:t peer:i tag:i comm:c request:i"),
    12: ("Irecv", "count:i type:t peer:i tag:i comm:c request:i"),
    13: ("Wait", "request:i status:s"),
    18: ("Waitall", "count:i requests:a status:s"),
    52: ("Barrier", "comm:c"),
    53: ("Bcast", "count:i type:t root:i comm:c"),
    54: ("Gather", "rank:i sent:i type:t root:i comm:c ?received:i ?type2:t"),
    55: ("Gatherv", "rank:i size:i sent:i type:t root:i comm:c ?counts:a ?displs:a type2:t"),
    56: ("Scatter", "rank:i received:i type:t root:i comm:c ?sent:i ?type2:t"),
    57: ("Scatterv", "rank:i size:i type2:t received:i type:t root:i comm:c ?counts:a ?displs:a"),
    58: ("Allgather", "sent:i type:t received:i type2:t comm:c"),
    59: ("Allgatherv", "size:i sent:i type:t counts:a displs:a type2:t comm:c"),
    60: ("Alltoall", "sent:i type:t received:i type2:t comm:c"),
    61: ("Alltoallv", "size:i counts:a displs:a type:t rcounts:a rdispls:a type2:t comm:c"),
    62: ("Reduce", "count:i type:t op:o root:i comm:c"),
    65: ("Allreduce", "count:i type:t op:o comm:c"),
    66: ("Reduce_scatter", "size:i counts:a type:t op:o comm:c"),
    67: ("Scan", "count:i type:t op:o comm:c"),
    86: ("Comm_split", "old:c color:i key:i comm:c"),
    124: ("Init", "argc:i"),
    125: ("Finalize", ""),
    156: ("Exscan", "count:i type:t op:o comm:c"),
}
# What is the same for all members.
COMMON = ("count", "root", "size", "op")


class Mistake(Exception):
    """What is wrong with a trace."""


def demand(holds, what):
    if not holds:
        raise Mistake(what)


class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, form):
        try:
            value, = struct.unpack_from(">" + form, self.data, self.at)
        except struct.error as error:
            raise Mistake(f"the file ends at byte {self.at}") from error
        self.at += struct.calcsize(">" + form)
        return value

    def array(self):
        return [self.take("i") for _ in range(self.take("i"))]

    def text(self):
        length = self.take("H")
        self.at += length
        return self.data[self.at - length:self.at].decode()

    def argument(self, kind):
        if kind == "s":
            demand(self.take("i") == 0, "a status was kept")
            return None
        return self.array() if kind == "a" else self.take({"i": "i", "t": "H", "c": "H", "o": "B"}[kind])


def read_calls(data):
    """The calls of one file: name, begin and end in nanoseconds, arguments."""
    demand(data[:8] == MAGIC and data[-64:-56] == MAGIC, "magic number")
    sizes, _, _, header, body, footer, keys = struct.unpack(">7Q", data[-56:])
    demand(body == 8, "the records begin elsewhere")
    reader = Reader(data, body)
    demand((reader.take("i"), reader.take("i")) == (0, 0), "clocks have a bias")
    calls, counts = [], collections.Counter()
    while (function := reader.take("H")) != END:
        demand(function in CALLS, f"function {function}")
        name, arguments = CALLS[function]
        mask = reader.take("B")
        demand(mask in (0x43, 0x4b), f"a record has {mask:#x}")
        demand(reader.take("H") == 0, "thread")
        begin, end = ((reader.take("H") * 10**9 + reader.take("I")) if mask & 8 else 0
                      for _ in range(2))
        call = {"name": name, "begin": begin, "end": end}
        for argument in arguments.split():
            key, kind = argument.lstrip("?").split(":")
            if argument[0] != "?" or call["rank"] == call["root"]:
                call[key] = reader.argument(kind)
        calls.append(call)
        counts[function] += 1
    demand(reader.at == header, "the header is elsewhere")
    demand([reader.take("B") for _ in range(3)] == [13, 0, 0], "version")
    reader.take("q")
    reader.text(), reader.text()
    demand(reader.array() + reader.array() == [], "there is a mesh")
    demand(reader.at == footer and reader.take("Q") == 0xf007fee7, "the footer is elsewhere")
    told = [reader.take("i") for _ in range(2 * (FUNCTIONS + 1))]
    demand(told == [counts[i] for i in range(FUNCTIONS + 1)] + [0] * (FUNCTIONS + 1),
           "the footer counts other calls")
    demand(reader.at == keys and reader.take("i") == 0, "there are key values")
    demand(reader.at == sizes, "sizes are elsewhere")
    widths = reader.array()
    demand(all(widths[kind] == width for kind, width in WIDTH.items()), "sizes of types")
    demand(reader.at == len(data) - 64, "something follows the sizes")
    return calls


def check_order(rank, calls):
    demand(calls[0]["name"] == "Init" and calls[-1]["name"] == "Finalize",
           f"rank {rank} does not begin with MPI_Init and end with MPI_Finalize")
    now = 0
    for call in calls:
        demand(now <= call["begin"] <= call["end"], f"rank {rank}: {call} is out of order")
        now = call["begin"]


def check_requests(rank, calls):
    posted, done = set(), set()
    for call in calls:
        if call["name"] in ("Isend", "Irecv"):
            demand(call["request"] >= 2 and call["request"] not in posted, f"rank {rank}: {call}")
            posted.add(call["request"])
        for request in call.get("requests", [call["request"]] if call["name"] == "Wait" else []):
            demand(request in posted and request not in done,
                   f"rank {rank} waits for request {request}")
            done.add(request)
        if call["name"] == "Waitall":
            demand(call["count"] == len(call["requests"]), f"rank {rank}: {call}")


def check_messages(ranks):
    """Messages and their bytes."""
    sent, received = collections.defaultdict(list), collections.defaultdict(list)
    for rank, calls in enumerate(ranks):
        for call in calls:
            if call["name"] in ("Send", "Isend", "Recv", "Irecv"):
                demand(0 <= call["peer"] < len(ranks) and call["comm"] == WORLD, f"{call}")
                sends = call["name"] in ("Send", "Isend")
                ends = (rank, call["peer"]) if sends else (call["peer"], rank)
                size = call["count"] * WIDTH[call["type"]]
                (sent if sends else received)[ends + (call["tag"],)].append(size)
    for channel in sent.keys() | received.keys():
        demand(sent[channel] == received[channel],
               f"messages from, to and with tag {channel} do not agree")
    return sum(map(len, sent.values())), sum(map(sum, sent.values()))


def communicators(ranks):
    """The members of each communicator, by rank and number."""
    members = {(rank, WORLD): list(range(len(ranks))) for rank in range(len(ranks))}
    splits = [[call for call in calls if call["name"] == "Comm_split"] for calls in ranks]
    demand(len({len(calls) for calls in splits}) <= 1, "ranks split differently often")
    for parts in zip(*splits):
        of_color = collections.defaultdict(list)
        for rank, call in enumerate(parts):
            demand((call["color"] == -1) == (call["comm"] == NULL), f"rank {rank}: {call}")
            of_color[call["color"]].append((call["key"], rank))
        for rank, call in enumerate(parts):
            if call["comm"] != NULL:
                demand((rank, call["comm"]) not in members, f"rank {rank}: {call} again")
                members[rank, call["comm"]] = [of for _, of in sorted(of_color[call["color"]])]
    return members


def check_sizes(parts, where):
    """`parts`: of all members, in their order."""
    name = parts[0]["name"]
    if "v" in name and name != "Alltoallv":
        vectors = {tuple(part["counts"]) for part in parts if "counts" in part}
        own = tuple(part["received" if name == "Scatterv" else "sent"] for part in parts)
        demand(vectors == {own}, f"{where}: sizes are {own}, or {vectors}")
    elif name == "Alltoallv":
        for i, part in enumerate(parts):
            demand([other["counts"][i] for other in parts] == part["rcounts"],
                   f"{where}: member {i} receives something else than is sent")
    elif name in ("Gather", "Scatter", "Allgather", "Alltoall"):
        sizes = {part[key] for part in parts for key in ("sent", "received") if key in part}
        demand(len(sizes) == 1, f"{where}: sizes {sizes}")
    elif name == "Reduce_scatter":
        demand(len({tuple(part["counts"]) for part in parts}) == 1, f"{where}: sizes differ")


def check_collectives(ranks):
    """Operations in all."""
    members = communicators(ranks)
    met = collections.defaultdict(dict)
    for rank, calls in enumerate(ranks):
        number = collections.Counter()
        for call in calls:
            if "comm" in call and "peer" not in call and call["name"] != "Comm_split":
                demand((rank, call["comm"]) in members, f"rank {rank}: {call} on no communicator")
                who = tuple(members[rank, call["comm"]])
                key = (call["comm"], who, number[call["comm"]])
                number[call["comm"]] += 1
                met[key][rank] = call
                demand(call.get("rank", who.index(rank)) == who.index(rank), f"rank {rank}: {call}")
                demand(call.get("size", len(who)) == len(who), f"rank {rank}: {call}")
    for (comm, who, number), parts in met.items():
        where = f"operation {number} on communicator {comm} of {len(who)} ranks"
        demand(len(parts) == len(who), f"{where}: {len(parts)} ranks came")
        parts = [parts[rank] for rank in who]
        for key in ("name", *COMMON):
            demand(len({part.get(key) for part in parts}) == 1, f"{where}: {key} differs")
        check_sizes(parts, where)
    return len(met)


def read_ranks(folder):
    meta = dict(line.split("=", 1) for line in
                next(folder.glob("*.meta")).read_text(encoding="ascii").splitlines())
    count = int(meta["numprocs"])
    paths = [folder / f"{meta['fileprefix']}-{rank:04d}.bin" for rank in range(count)]
    demand(len(list(folder.glob("*.bin"))) == count, "there are other files")
    return [read_calls(path.read_bytes()) for path in paths]


def check(folder):
    ranks = read_ranks(folder)
    for rank, calls in enumerate(ranks):
        check_order(rank, calls)
        check_requests(rank, calls)
    messages, size = check_messages(ranks)
    return {"ranks": len(ranks), "calls": sum(map(len, ranks)), "messages": messages,
            "bytes": size, "collectives": check_collectives(ranks)}


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__.strip().splitlines()[-1])
    try:
        found = check(pathlib.Path(arguments[0]))
    except Mistake as mistake:
        print(mistake)
        return 1
    print(", ".join(f"{count} {what}" for what, count in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
