#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Paraver traces of the sample traces pass check_paraver.py, and wrong ones do not.

Usage: paraver_test.py BIN SAMPLES
"""

import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check_paraver  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
TRACES = ("micro-anysrc-4", "micro-stencil2d9p-isend-4", "micro-omphyb-4", "micro-user-4",
          "micro-rma-4", "npb-lu.S-4", "tau-colls-4")
# With receives that leave no record.
PROBES = pathlib.Path(__file__).resolve().parent.parent / "data/archives/micro-probe-4"

GOOD = """#Paraver (01/01/2000 at 00:00):90_ns:2(1,1):1:2(1:1,1:2),1
c:1:2:2:1:2
1:1:1:1:1:0:10:1
2:1:1:1:1:10:50000001:1
3:1:1:1:1:10:10:2:1:2:1:15:40:8:7
1:2:1:2:1:15:40:3
2:2:1:2:1:15:50000001:2
2:1:1:1:1:20:50000001:0
2:2:1:2:1:40:50000001:0
2:1:1:1:1:50:50000002:8:50100004:2
2:1:1:1:1:90:50000002:0
"""
NAMES = """STATES
1    Running

EVENT_TYPE
9   50000001    MPI Point-to-point
VALUES
0   Outside MPI
1   MPI_Send
2   MPI_Recv

EVENT_TYPE
9   50000002    MPI Collective Comm
VALUES
0   Outside MPI
8   MPI_Barrier

EVENT_TYPE
1    50100004    Communicator in MPI Global OP
"""
ROWS = """LEVEL CPU SIZE 2
a
b

LEVEL NODE SIZE 2
a
b

LEVEL THREAD SIZE 2
a
b
"""
MESSAGE = "3:1:1:1:1:10:10:2:1:2:1:15:40:8:7\n"
# What is wrong, and the change that makes it so.
BAD = {
    "a shorter run": ("90_ns", "80_ns"),
    "a longer run": ("90_ns", "99_ns"),
    "another number of nodes": ("90_ns:2(", "90_ns:3("),
    "another number of communicators": ("1:2),1", "1:2),2"),
    "a member that is no task": ("c:1:2:2:1:2", "c:1:2:2:1:3"),
    "another size of a communicator": ("c:1:2:2", "c:1:2:3"),
    "the wrong order": ("1:0:10:1", "1:20:30:1"),
    "overlapping states": ("1:2:1:2:1:15:40:3", "1:1:1:1:1:9:40:3"),
    "a processor of another task": ("2:2:1:2:1:40", "2:1:1:2:1:40"),
    "a call that does not end": ("2:2:1:2:1:40:50000001:0\n", ""),
    "a call within a call": ("2:1:1:1:1:20:50000001:0\n", ""),
    "a communicator that is none": ("50100004:2", "50100004:3"),
    "a message before it is sent": ("1:15:40:8:7", "1:5:9:8:7"),
    "a message twice": (MESSAGE, 2 * MESSAGE),
    "a function without a name": ("50000001:2", "50000001:3"),
    "no record": (MESSAGE, "4" + MESSAGE),
}


def exit_code(text, names=NAMES, rows=ROWS):
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work) / "run.prv"
        for suffix, content in ((".prv", text), (".pcf", names), (".row", rows)):
            path.with_suffix(suffix).write_text(content, encoding="ascii")
        with contextlib.redirect_stdout(io.StringIO()):
            return check_paraver.main([str(path)])


class ParaverTest(unittest.TestCase):
    def test_checker_finds_mistakes(self):
        self.assertEqual(exit_code(GOOD), 0)
        for what, (old, new) in BAD.items():
            with self.subTest(what):
                self.assertIn(old, GOOD)
                self.assertEqual(exit_code(GOOD.replace(old, new, 1)), 1)
        self.assertEqual(exit_code(GOOD, rows=ROWS.replace("SIZE 2\na\nb", "SIZE 1\na")), 1)
        self.assertEqual(exit_code(GOOD, names=NAMES.replace("50000002", "50000003")), 1)

    def test_traces_of_samples(self):
        for trace in [SAMPLES / name for name in TRACES] + [PROBES]:
            with self.subTest(trace.name), tempfile.TemporaryDirectory() as work:
                folded = pathlib.Path(work) / "run.tfold"
                output = pathlib.Path(work) / "run.prv"
                subprocess.run([BIN / "trace_compress", "-q", trace, "-o", folded],
                               check=True)
                said = self.said("trace_convert", folded, "--to", "prv", "-o", output)
                totals = check_paraver.check(output)
                self.assertEqual(totals["calls"], said["calls"])
                self.assertEqual(totals["messages"], said["contents"].get("messages", 0))
                matrix = self.said("trace_inspect", "matrix", folded)["total"]
                self.assertEqual(trace == PROBES,
                                 "receives without a record" in said["contents"])
                self.assertEqual((totals["messages"], totals["bytes"]),
                                 (matrix["calls"], matrix["bytes"]))

    def said(self, tool, *arguments):
        result = subprocess.run([BIN / tool, *arguments, "--json"], check=True,
                                capture_output=True, text=True)
        return json.loads(result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
