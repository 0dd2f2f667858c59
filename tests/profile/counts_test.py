#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Counts of sample archives and of archives made here are those of check_counts.py.

Usage: counts_test.py BIN SAMPLES
"""

import functools
import json
import pathlib
import subprocess
import sys
import unittest
import unittest.mock

sys.dont_write_bytecode = True
import check_counts  # noqa: E402
import cubex_test  # noqa: E402
import written_archive  # noqa: E402
from printed_archive import Archive  # noqa: E402
from written_archive import CUDA, MPI, NONE, STREAM, made  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
READ, WRITE = 0, 1  # OTF2_IO_OPERATION_MODE_
UNDEFINED = 2**64 - 1
ALLREDUCE = 10  # OTF2_COLLECTIVE_OP_
SPELLINGS = ("MPI_{}", "PMPI_{}", "MPI_{}_c", "MPI_{}()", "MPI_{}() [{{a.c}} {{3,1}}]", "MPI_{} [a.c:3]",
             "MPI_{}@libmpi.so", "mpi_{}_", "mpi_{}_f08ts_", "MPI_{}_f08", "pmpi_{}__", "MPI_{}_f")


def ranks(archive, streams=0):
    archive.node(0, "node")
    for rank in range(2):
        archive.process(rank, 0)
        archive.location(10 * rank, rank)
        for stream in range(streams):
            archive.location(10 * rank + 1 + stream, rank, STREAM)
    archive.communicator(0, MPI, [0, 10])


def call(archive, location, time, name, *record):
    """A call of two ticks, with a record in its middle."""
    region = archive.region(name, paradigm=MPI)
    archive.event(location, time, "Enter", region)
    if record:
        archive.event(location, time + 1, *record)
    archive.event(location, time + 2, "Leave", region)


def spelled(archive, spelling):
    ranks(archive)
    names = [name if spelling[0].isupper() else name.lower() for name in ("Send", "Recv", "Allreduce")]
    send, receive, allreduce = map(spelling.format, names)
    for rank in range(2):
        call(archive, 10 * rank, 10, "MPI_Init")
        for time in range(100, 500, 100):
            if rank == 0:
                call(archive, 0, time, send, "MpiSend", 1, 0, 5, 24)
            else:
                call(archive, 10, time + 10, receive, "MpiRecv", 0, 0, 5, 24)
            region = archive.region(allreduce, paradigm=MPI)
            archive.event(10 * rank, time + 20, "Enter", region)
            archive.event(10 * rank, time + 21, "MpiCollectiveBegin")
            archive.event(10 * rank, time + 22, "MpiCollectiveEnd", ALLREDUCE, 0, NONE, 16, 16)
            archive.event(10 * rank, time + 23, "Leave", region)
        call(archive, 10 * rank, 1000, "MPI_Finalize")


def copied_to_devices(archive):
    """Windows of each process and its stream; the host makes them outside of any call."""
    ranks(archive, streams=1)
    archive.group(10, 4, CUDA, [0, 1, 10, 11])
    for rank in range(2):
        archive.group(11 + rank, 5, CUDA, [2 * rank, 2 * rank + 1])
        archive.define("Comm", 1 + rank, archive.string("CUDA"), 11 + rank, NONE, 0)
        archive.define("RmaWin", rank, archive.string("CUDA_WINDOW"), 1 + rank, 0)
        call(archive, 10 * rank, 10, "MPI_Init")
        archive.event(10 * rank, 20, "RmaWinCreate", rank)
        for number in range(3):
            at = 100 * (number + 1)
            archive.event(10 * rank + 1, at, "RmaPut" if number == 1 else "RmaGet", rank, 0, 1000 + number, number)
            archive.event(10 * rank + 1, at + 50, "RmaOpCompleteBlocking", rank, number)
        call(archive, 10 * rank, 900, "MPI_Finalize")


def block_layer(archive):
    """Operations of two locations at once, completed on the other one or where they began; one with an unknown size."""
    archive.node(0, "node")
    archive.process(0, 0)
    archive.location(0, 0)
    archive.location(1, 0)
    archive.define("IoParadigm", 0, archive.string("BLOCK"), archive.string("block layer"), 1, 1, 0, None, None, None)
    archive.define("IoRegularFile", 0, archive.string("/dev/sda"), 0)
    archive.define("IoHandle", 0, archive.string("sda"), 0, 0, 1, NONE, NONE)
    archive.define("IoPreCreatedHandleState", 0, 2, 0)
    for number in range(6):
        mode = WRITE if number % 3 == 0 else READ
        archive.event(0, 1000 + 10 * number, "IoOperationBegin", 0, mode, 1, 4096, number)
        done_on = number % 2
        size = UNDEFINED if number == 4 else 4096
        archive.event(done_on, 1003 + 10 * number, "IoOperationComplete", 0, size, number)


def nonsense_received(archive):
    """Rank 1 receives more than 64 bits can count."""
    ranks(archive)
    for time in range(100, 400, 100):
        call(archive, 0, time, "MPI_Send", "MpiSend", 1, 0, 5, 24)
        call(archive, 10, time + 10, "MPI_Recv", "MpiRecv", 0, 0, 5, 2**63)


class CountsTest(unittest.TestCase):
    def agree(self, folder):
        comparison = check_counts.Comparison(BIN, folder)
        self.assertEqual(comparison.problems, [])
        return comparison.counts

    def test_samples(self):
        for archive in sorted(SAMPLES.glob("*/traces.otf2")):
            with self.subTest(archive.parent.name):
                self.assertGreater(sum(self.agree(archive.parent).calls.values()), 0)

    def test_spellings(self):
        for spelling in SPELLINGS:
            with self.subTest(spelling), made(functools.partial(spelled, spelling=spelling)) as folder:
                calls = check_counts.Counts(Archive(folder)).calls
                once = {(rank, name): 1 for rank in range(2) for name in ("init", "finalize")}
                self.assertEqual(calls, {**once, (0, "send"): 4, (1, "recv"): 4,
                                         (0, "allreduce"): 4, (1, "allreduce"): 4})
                self.agree(folder)

    def test_windows_of_accelerators(self):
        with made(copied_to_devices) as folder:
            counts = self.agree(folder)
            self.assertEqual(counts.moved, {(0, 0): [3, 3003], (1, 1): [3, 3003]})
            self.assertEqual(sum(counts.calls.values()), 4)

    def test_operations_completed_elsewhere(self):
        with made(block_layer) as folder:
            place = ("/dev/sda", "block layer")
            self.assertEqual(self.agree(folder).operations,
                             {(*place, "write"): [2, 8192, 6], (*place, "read"): [4, 3 * 4096, 12]})

    def test_sums_beyond_64_bits_are_named(self):
        """In JSON, beside CSV and beside files for Cube, which have no such value."""
        with made(nonsense_received) as folder:
            def inspect(*words):
                return subprocess.run([BIN / "trace_inspect", *words, folder], check=True, capture_output=True, text=True)

            named = json.loads(inspect("stats", "--json").stdout)["overflows"]
            self.assertEqual(named, [{"path": ["MPI_Recv"], "over": over, "metric": "received", "location": "1"}
                                     for over in ("ranks", "iterations")[:len(named)]])
            sentence = "warning: overflow: bytes received of MPI_Recv over ranks need more than 64 bits, first at location 1"
            self.assertIn(sentence, inspect("stats", "--csv").stderr)
            sentence = "warning: overflow: bytes_received of location 1 need more than 64 bits in MPI_Recv"
            self.assertIn(sentence, inspect("profile", "--csv").stderr)
            cube = f"{folder}.cubex"
            self.assertIn(sentence, inspect("profile", "-o", cube).stderr)
            values = cubex_test.read_cubex(cube)
            self.assertEqual({key for key in values if key[0].startswith("bytes")},
                             {(metric, "MPI_Send", 0) for metric in ("bytes_sent", "bytes_sent_p2p")})
            self.assertEqual(values["visits", "MPI_Recv", 1], 3)

    def test_mistakes_are_found(self):
        """Every kind of figure that is off by one."""
        with made(functools.partial(spelled, spelling="MPI_{}")) as folder, made(block_layer) as files:
            for path, change in ((folder, lambda counts: counts.calls.update({(0, "send"): 1})),
                                 (folder, lambda counts: counts.sent[0, 1].__setitem__(1, 95)),
                                 (folder, lambda counts: counts.received.__setitem__(0, 5)),
                                 (folder, lambda counts: counts.moved[0, 1].__setitem__(0, 1)),
                                 (folder, lambda counts: counts.parts[1, "allreduce"].__setitem__(2, 63)),
                                 (files, lambda counts: counts.operations.clear())):
                def off(archive, change=change, count=check_counts.Counts):
                    counts = count(archive)
                    change(counts)
                    return counts
                with unittest.mock.patch.object(check_counts, "Counts", off):
                    self.assertNotEqual(check_counts.Comparison(BIN, path).problems, [])


if __name__ == "__main__":
    if written_archive.library() is None:
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
