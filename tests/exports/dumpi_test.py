#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""DUMPI traces of the sample traces pass check_dumpi.py, and changed ones do not.

Usage: dumpi_test.py BIN SAMPLES
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check_dumpi  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
# With receives that leave no record.
PROBES = pathlib.Path(__file__).resolve().parent.parent / "data/archives/micro-probe-4"
TRACES = [SAMPLES / name for name in ("micro-anysrc-4", "micro-stencil2d9p-isend-4", "micro-rma-4",
                                      "micro-omphyb-4", "npb-lu.S-4", "tau-colls-4")] + [PROBES]


def said(tool, *arguments):
    result = subprocess.run([BIN / tool, *arguments, "--json"], check=True, capture_output=True,
                            text=True)
    return json.loads(result.stdout)


class DumpiTest(unittest.TestCase):
    def fold(self, archive, work, *options):
        folded = pathlib.Path(work) / "run.tfold"
        subprocess.run([BIN / "trace_compress", "-q", archive, "-o", folded, *options], check=True)
        return folded

    def test_traces_of_samples(self):
        for archive in TRACES:
            with self.subTest(archive.name), tempfile.TemporaryDirectory() as work:
                folded = self.fold(archive, work)
                output = pathlib.Path(work) / "run.dumpi"
                report = said("trace_convert", folded, "--to", "dumpi", "-o", output)
                found = check_dumpi.check(output)
                self.assertEqual(found["calls"], report["contents"]["calls"])
                matrix = said("trace_inspect", "matrix", folded)["total"]
                self.assertEqual((found["messages"], found["bytes"]),
                                 (matrix["calls"], matrix["bytes"]))
                expanded = pathlib.Path(work) / "expanded.dumpi"
                report = said("trace_convert", folded, "--to", "dumpi", "-o", expanded,
                              "--collectives", "linear")
                of_collectives = report["contents"].get("sends for collective operations", 0)
                messages = check_dumpi.check(expanded)
                self.assertEqual(messages["collectives"], 0)
                self.assertEqual(messages["messages"], found["messages"] + of_collectives)

    def test_times_are_those_of_calls(self):
        with tempfile.TemporaryDirectory() as work:
            folded = self.fold(SAMPLES / "npb-lu.S-4", work)
            for form in ("dumpi", "jsonl"):
                said("trace_convert", folded, "--to", form, "-o", pathlib.Path(work) / form)
            calls = {}
            with open(pathlib.Path(work) / "jsonl", encoding="utf-8") as lines:
                for call in map(json.loads, lines):
                    calls.setdefault(call["rank"], {})[call["begin_ns"]] = (call["name"],
                                                                            call["end_ns"])
            for rank, records in enumerate(check_dumpi.read_ranks(pathlib.Path(work) / "dumpi")):
                for record in records:
                    self.assertEqual(calls[rank][record["begin"]],
                                     ("MPI_" + record["name"], record["end"]))

    def test_files_without_times(self):
        with tempfile.TemporaryDirectory() as work:
            folded = self.fold(SAMPLES / "npb-lu.S-4", work, "--timing", "none")
            output = pathlib.Path(work) / "run.dumpi"
            said("trace_convert", folded, "--to", "dumpi", "-o", output)
            self.assertGreater(check_dumpi.check(output)["messages"], 0)

    def test_checker_finds_mistakes(self):
        with tempfile.TemporaryDirectory() as work:
            output = pathlib.Path(work) / "run.dumpi"
            folded = self.fold(SAMPLES / "micro-stencil2d9p-isend-4", work)
            said("trace_convert", folded, "--to", "dumpi", "-o", output)
            path = output / "rank-0001.bin"
            good = path.read_bytes()
            middle = good.index(b"\x00\x08\x4b\x00\x00") + 17  # the size that an MPI_Isend has
            bad = {
                "cut": good[:-1],
                "magic": b"x" + good[1:],
                "size": good[:middle] + bytes(4) + good[middle + 4:],
                "function": good[:16] + b"\xff\xff" + good[18:],
                "another rank": (output / "rank-0002.bin").read_bytes(),
            }
            for what, data in bad.items():
                with self.subTest(what):
                    path.write_bytes(data)
                    with self.assertRaises(check_dumpi.Mistake):
                        check_dumpi.check(output)
            path.write_bytes(good)
            check_dumpi.check(output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
