#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Chakra traces of the sample traces pass check_chakra.py, and wrong ones do not.

Their nodes, bytes and groups are those that trace_inspect tells of. Where protoc is installed, it reads their messages, too.

Usage: chakra_test.py BIN SAMPLES
"""

import contextlib
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check_chakra  # noqa: E402
import check_chakra_counts  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
TRACES = ("micro-anysrc-4", "micro-stencil2d9p-isend-4", "micro-rma-4", "micro-mpiio-4", "npb-lu.S-4")
# Their steps have numbers.
WITH_STEPS = ("micro-stencil2d9p-isend-4", "npb-lu.S-4")
WAYS = (["--collectives", "auto"], ["--collectives", "linear"], ["--collectives", "binomial"],
        ["--collectives", "ring"], ["--collective-nodes"])


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def attributes(**values):
    kinds = {int: 9, bool: 27, str: 29}
    out = b""
    for name, value in values.items():
        kind = 7 if name in ("comm_src", "comm_dst", "comm_tag") else kinds[type(value)]
        content = text(kind, value.encode()) if isinstance(value, str) else number(kind, int(value))
        out += text(10, text(1, name.encode()) + content)
    return out


def node(identity, kind, after=(), duration=None, **values):
    out = number(1, identity) + text(2, b"MPI_Send") + number(3, kind)
    if after:
        out += text(5, b"".join(map(varint, after)))
    if duration is not None:
        out += number(7, duration)
    return out + attributes(is_cpu_op=False, **values)


def transfer(identity, kind, source, destination, after=(), tag=0, size=8):
    return node(identity, kind, after, comm_src=source, comm_dst=destination, comm_tag=tag,
                comm_size=size)


def collective(identity, kind, after=(), size=8, **group):
    return node(identity, check_chakra.COLLECTIVE, after, comm_type=kind, comm_size=size, **group)


SEND, RECEIVE = check_chakra.SEND, check_chakra.RECEIVE
# Each sends the other a message, and both meet in an operation.
GOOD = [
    [transfer(1, SEND, 0, 1), transfer(2, RECEIVE, 1, 0, [1]), collective(3, 0, [2])],
    [transfer(1, RECEIVE, 0, 1), node(2, check_chakra.COMPUTE, [1], 5), transfer(3, SEND, 1, 0, [2]),
     collective(4, 0, [3])],
]


def changed(rank, index, message):
    nodes = [list(of_rank) for of_rank in GOOD]
    nodes[rank][index] = message
    return nodes


# What is wrong, and a trace that has it.
BAD = {
    "another size": changed(0, 0, transfer(1, SEND, 0, 1, size=9)),
    "another tag": changed(0, 0, transfer(1, SEND, 0, 1, tag=1)),
    "no bytes": changed(0, 0, transfer(1, SEND, 0, 1, size=0)),
    "another sender": changed(0, 0, transfer(1, SEND, 1, 0)),
    "a number twice": changed(1, 1, node(1, check_chakra.COMPUTE, duration=5)),
    "a node that waits for itself": changed(0, 1, transfer(2, RECEIVE, 1, 0, [2])),
    "a circle of messages": [
        [transfer(1, RECEIVE, 1, 0), transfer(2, SEND, 0, 1, [1])],
        [transfer(1, RECEIVE, 0, 1), transfer(2, SEND, 1, 0, [1])],
    ],
    "no dependence": changed(1, 2, transfer(3, SEND, 1, 0)),
    "another operation": changed(0, 2, collective(3, 2, [2])),
    "other bytes of an operation": changed(0, 2, collective(3, 0, [2], size=16)),
    "an unknown group": changed(0, 2, collective(3, 0, [2], pg_name="1")),
    "an operation too few": [GOOD[0][:2], GOOD[1]],
    "an attribute of another type": changed(0, 0, transfer(1, SEND, 0, 1) + attributes(comm_size="8")),
    "a rank without nodes": [[], []],
    "half a message": changed(1, 3, collective(4, 0, [3])[:-1]),
}


def write(folder, ranks):
    for rank, nodes in enumerate(ranks):
        messages = [text(1, b"1.0.0"), *nodes]
        (folder / f"rank.{rank}.et").write_bytes(
            b"".join(varint(len(message)) + message for message in messages))
    (folder / "comm_groups.json").write_text(json.dumps({}))


def exit_code(ranks):
    with tempfile.TemporaryDirectory() as folder:
        write(pathlib.Path(folder), ranks)
        with contextlib.redirect_stdout(io.StringIO()):
            return check_chakra.main([folder])


def said_of(folder, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = check_chakra.main([*arguments, str(folder)])
    return code, said.getvalue()


def convert(trace, output, *arguments):
    said = subprocess.run(
        [BIN / "trace_convert", "--json", "-f", SAMPLES / trace, "--to", "chakra", "-o", output,
         *arguments], check=True, capture_output=True, text=True).stdout
    return json.loads(said)


class ChakraTest(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.output = pathlib.Path(work.name) / "run.chakra"

    def test_checker_finds_mistakes(self):
        self.assertEqual(exit_code(GOOD), 0)
        for what, ranks in BAD.items():
            with self.subTest(what):
                self.assertEqual(exit_code(ranks), 1)

    def test_samples(self):
        for trace in TRACES:
            for way in WAYS:
                with self.subTest(trace=trace, way=way):
                    report = convert(trace, self.output, *way)
                    code, said = said_of(self.output)
                    self.assertEqual(code, 0, said)
                    if trace in WITH_STEPS:
                        self.assertIn(f" {report['ranks']} ends;", said)
                    contents = report["contents"]
                    for kind, name in (("COMM_SEND_NODE", "send"), ("COMM_RECV_NODE", "receive"),
                                       ("COMM_COLL_NODE", "collective")):
                        self.assertIn(f"{contents.get(kind, 0)} {name},", said)

    def test_parts_of_samples(self):
        for trace in TRACES:
            for part in (["--ranks", "0,2-3"], ["--iterations", "1-2"], ["--drop", "collectives"]):
                if part[0] == "--iterations" and trace not in WITH_STEPS:
                    continue
                with self.subTest(trace=trace, part=part):
                    convert(trace, self.output, *part)
                    code, said = said_of(self.output, "--part")
                    self.assertEqual(code, 0, said)

    def test_messages_are_those_of_the_trace(self):
        convert("npb-lu.S-4", self.output, "--collective-nodes")
        total = json.loads(subprocess.run(
            [BIN / "trace_inspect", "matrix", SAMPLES / "npb-lu.S-4", "--json"], check=True,
            capture_output=True, text=True).stdout)["total"]
        _, said = said_of(self.output)
        self.assertIn(f" {total['calls']} send,", said)
        self.assertIn(f" {total['bytes']} bytes sent,", said)

    def counts_of(self, trace, report):
        """What check_chakra_counts says of the folder of a conversion."""
        path = self.output.parent / "report.json"
        path.write_text(json.dumps(report))
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = check_chakra_counts.main([BIN, SAMPLES / trace, path])
        return code, said.getvalue()

    def test_counts_are_those_of_the_trace(self):
        for trace in (*TRACES, "micro-omphyb-4", "micro-user-4", "tau-colls-4"):
            for way in ([], ["--collective-nodes"]):
                with self.subTest(trace=trace, way=way):
                    code, said = self.counts_of(trace, convert(trace, self.output, *way))
                    self.assertEqual(code, 0, said)

    def test_counts_of_another_trace_are_found_wrong(self):
        report = convert("micro-stencil2d9p-isend-4", self.output)
        code, said = self.counts_of("micro-user-4", report)
        self.assertEqual(code, 1)
        self.assertIn("messages", said)

    @unittest.skipUnless(shutil.which("protoc"), "protoc is not installed")
    def test_protoc_reads_every_message(self):
        convert("npb-lu.S-4", self.output)
        data = (self.output / "rank.0.et").read_bytes()
        at = 0
        for count in range(20):
            message, at = check_chakra.delimited(data, at)
            said = subprocess.run(["protoc", "--decode_raw"], input=message, check=True,
                                  capture_output=True).stdout.decode()
            self.assertTrue(said.startswith(f"1: {count}\n" if count else '1: "1.0.0"\n'), said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
