#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""GOAL schedules of the sample traces pass check_goal.py, and wrong ones do not.

Usage: goal_test.py BIN SAMPLES
"""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check_goal  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
TRACES = ("micro-anysrc-4", "micro-stencil2d9p-isend-4", "micro-rma-4", "micro-mpiio-4", "npb-lu.S-4")
# Their steps have numbers.
WITH_STEPS = ("micro-stencil2d9p-isend-4", "npb-lu.S-4")
ALGORITHMS = ("auto", "linear", "binomial", "ring", "recursive-doubling", "bruck", "dissemination")

GOOD = """num_ranks 2
rank 0 {
l1: send 8b to 1 tag 0
l2: recv 8b from 1 tag 1
l2 requires l1
}
rank 1 {
l1: recv 8b from 0 tag 0
l2: calc 5
l2 requires l1
l3: send 8b to 0 tag 1
l3 requires l2
}
"""
# What is wrong, and the change that makes it so.
BAD = {
    "another size": ("recv 8b from 0", "recv 9b from 0"),
    "another tag": ("from 1 tag 1", "from 1 tag 2"),
    "no other end": ("l1: recv 8b from 0 tag 0", "l1: calc 0"),
    "a circle of messages": ("l3 requires l2\n", "l3 requires l2\nl1 requires l3\n"),
    "a label before its definition": ("l2 requires l1\n}\nrank 1", "l3 requires l1\n}\nrank 1"),
    "a label twice": ("l2: calc 5", "l1: calc 5"),
    "a rank too few": ("num_ranks 2", "num_ranks 3"),
    "no dependence": ("l3 requires l2\n", ""),
    "no GOAL": ("calc 5", "calc x"),
}


def exit_code(text):
    with tempfile.NamedTemporaryFile("w", suffix=".goal") as file:
        file.write(text)
        file.flush()
        with contextlib.redirect_stdout(io.StringIO()):
            return check_goal.main([file.name])


class GoalTest(unittest.TestCase):
    def test_checker_finds_mistakes(self):
        self.assertEqual(exit_code(GOOD), 0)
        for what, (old, new) in BAD.items():
            with self.subTest(what):
                self.assertIn(old, GOOD)
                self.assertEqual(exit_code(GOOD.replace(old, new)), 1)

    def test_schedules_of_samples(self):
        with tempfile.TemporaryDirectory() as work:
            output = pathlib.Path(work) / "run.goal"
            for trace in TRACES:
                for algorithm in ALGORITHMS:
                    with self.subTest(trace=trace, algorithm=algorithm):
                        subprocess.run(
                            [BIN / "trace_convert", "-q", "-f", SAMPLES / trace, "--to", "goal",
                             "-o", output, "--collectives", algorithm], check=True)
                        with contextlib.redirect_stdout(io.StringIO()) as said:
                            code = check_goal.main([str(output)])
                        self.assertEqual(code, 0, said.getvalue())

    def test_parts_of_samples(self):
        with tempfile.TemporaryDirectory() as work:
            output = pathlib.Path(work) / "run.goal"
            for trace in TRACES:
                for part in (["--ranks", "0,2-3"], ["--iterations", "1-2"], ["--drop", "collectives"]):
                    if part[0] == "--iterations" and trace not in WITH_STEPS:
                        continue
                    with self.subTest(trace=trace, part=part):
                        subprocess.run(
                            [BIN / "trace_convert", "-q", "-f", SAMPLES / trace, "--to", "goal",
                             "-o", output, *part], check=True)
                        with contextlib.redirect_stdout(io.StringIO()) as said:
                            code = check_goal.main(["--part", str(output)])
                        self.assertEqual(code, 0, said.getvalue())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
