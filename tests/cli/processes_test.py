#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Text, JSON, CSV and exports of traces without MPI, and of ranks without events, agree.

Right values are worked out from the programs in tests/support/made_traces.hpp. Usage:
processes_test.py BIN MAKE_TRACE CHECK_PARAVER
"""

import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(sys.argv[1])
MAKE_TRACE, CHECK_PARAVER = sys.argv[2:4]
HALF = "2 of 4 ranks have no events and are left out: 0,2"


class Made(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make(self, kind):
        path = self.folder / f"{kind}.tfold"
        subprocess.run([MAKE_TRACE, kind, str(path)], check=True)
        return str(path)

    def run_tool(self, *arguments, code=0):
        result = subprocess.run(
            [str(TOOLS / arguments[0]), *arguments[1:]], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def inspect(self, *arguments):
        return self.run_tool("trace_inspect", *arguments)

    def document(self, *arguments):
        return json.loads(self.inspect(*arguments, "--json").stdout)

    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.inspect(*arguments, "--csv").stdout)))

    def figures(self, trace):
        """The factors as JSON has them, which the table has, too."""
        found = self.document("efficiency", trace)
        table = {
            row["figure"]: float(row["value"])
            for row in self.rows("efficiency", trace)
            if row["what"] == "efficiency"
        }
        self.assertEqual(table, found["efficiency"])
        return found

    def test_pes(self):
        trace = self.make("shmem")
        found = self.figures(trace)
        self.assertEqual(found["process_kind"], "PE")
        self.assertAlmostEqual(found["efficiency"]["load_balance"], 80 / 100)
        self.assertAlmostEqual(found["efficiency"]["communication"], 100 / 120)
        self.assertEqual([round(it["communication"] * 1e9) for it in found["ranks"]], [60, 20])
        self.assertEqual([it["mpi"] for it in found["ranks"]], [0, 0])
        self.assertEqual(sum(round(it["seconds"] * 1e9) for it in found["thread_waits"]), 70)
        text = self.inspect("efficiency", trace).stdout
        self.assertIn("  2 PEs, 120 ns from the first record to the last\n", text)
        self.assertIn("80.0 %", text)
        self.assertNotIn("in MPI", text)
        matrix = self.document("matrix", "--kind", "rma", trace)
        self.assertEqual(matrix["by"], "PE")
        self.assertEqual(
            [(c["row"], c["column"], c["calls"], c["bytes"]) for c in matrix["cells"]],
            [(1, 0, 1, 64), (1, 1, 1, 16)],
        )
        self.assertEqual(matrix["unknown"]["calls"], 0)
        self.assertNotIn("time in MPI", self.inspect("structure", "--times", trace).stdout)
        self.assertIn("no MPI ranks", self.run_tool("trace_inspect", "predict", trace, code=1).stderr)

    def test_processes_without_mpi(self):
        trace = self.make("processes")
        found = self.figures(trace)
        self.assertEqual([it["name"] for it in found["ranks"]], ["process 0", "process 2"])
        self.assertAlmostEqual(found["efficiency"]["load_balance"], 75 / 100)
        self.assertAlmostEqual(found["efficiency"]["hybrid"], 190 / 300)
        self.assertEqual(found["left_out"]["no_events"], [1])
        self.assertEqual(found["left_out"]["threads"], 1)
        profile = self.document("profile", trace)
        self.assertEqual(profile["locations"], 3)
        self.assertEqual(profile["left_out"]["no_events"], [1])
        path = self.folder / "out.prv"
        self.run_tool("trace_convert", trace, "-o", str(path))
        subprocess.run([sys.executable, CHECK_PARAVER, str(path)], check=True)

    def test_half_of_the_ranks(self):
        trace = self.make("partial")
        found = self.figures(trace)
        self.assertEqual([it["rank"] for it in found["ranks"]], [1, 3])
        self.assertGreater(found["efficiency"]["load_balance"], 0.5)
        left_out = [r["rank"] for r in self.rows("efficiency", trace) if r["what"] == "left_out"]
        self.assertEqual(left_out, ["0", "2"])
        for command in (["info"], ["efficiency"], ["profile"], ["stats"], ["matrix"]):
            self.assertIn(HALF, self.inspect(*command, trace).stdout, command)
            document = self.document(*command, trace)
            self.assertEqual(document["left_out"]["no_events"], [0, 2], command)
            self.assertEqual(document["left_out"]["sentences"], [HALF], command)
        for command in ("profile", "stats", "matrix"):
            self.assertIn(HALF, self.inspect(command, "--csv", trace).stderr, command)
        profile = self.document("profile", trace)
        self.assertEqual(profile["locations"], 2)
        visits = profile["nodes"][0]["metrics"][0]["inclusive"]
        self.assertEqual((visits["mean"], visits["max"]), (1, 1))
        refused = self.run_tool("trace_inspect", "predict", trace, "--network", "infiniband", code=1)
        self.assertIn("2 of 4 ranks have no calls of MPI functions (0,2)", refused.stderr)
        check = self.document("check", trace)
        self.assertEqual(check["locations"], 2)
        counts = {it["kind"]: it["count"] for it in check["findings"]}
        self.assertEqual(counts["no_calls"], 2)
        self.assertNotIn("unfinished", counts)
        goal = self.run_tool(
            "trace_convert", trace, "--to", "goal", "-o", str(self.folder / "out"), "--json"
        )
        self.assertEqual(json.loads(goal.stdout)["contents"]["ranks without MPI calls"], 2)
        self.assertIn("2 of 4 ranks have no calls of MPI functions (0,2)", goal.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
