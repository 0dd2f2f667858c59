#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""`tests/campaign consumers` gives exports to the readers that are there, and tells of those that fail.

Usage: consumers_test.py BIN SAMPLES
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
CAMPAIGN = pathlib.Path(__file__).resolve().parent.parent / "campaign"
# Tells of so many calls in each file.
READER = """#!/usr/bin/env python3
import sys
print(" entering at\\n" * {calls})
sys.exit({code})
"""
# Counts what tasks do in a trace of blocking operations, as Dimemas does; the messages of each task are `more` more.
DIMEMAS = """#!/usr/bin/env python3
import collections, sys
sent, size, met = (collections.Counter() for _ in range(3))
with open(sys.argv[sys.argv.index("--dim") + 1]) as lines:
    for line in lines:
        kind, task, *fields = line.split(":")
        sent[task] += kind == "2"
        size[task] += int(fields[3]) if kind == "2" else 0
        met[task] += kind == "10"
print("Execution time:\\n Id.\\tMess.sent\\tBytes sent")
for task in sorted(met, key=str):
    if kind != "1" and task.isdigit() and met[task]:
        print(f"  {{task}}\\t{{sent[task] + {more}:e}}\\t{{size[task]:e}}\\t0\\t0\\t0\\t{{met[task]:e}}\\t0")
"""


class ConsumersTest(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.prefix = pathlib.Path(work.name)
        (self.prefix / "bin").mkdir()

    def run_bench(self, *arguments, path=os.environ["PATH"]):
        return subprocess.run(
            [sys.executable, CAMPAIGN, "consumers", "--bin", BIN, "--prefix", self.prefix, *arguments],
            capture_output=True, text=True, env=os.environ | {"PATH": path})

    def install(self, name, text):
        program = self.prefix / "bin" / name
        program.write_text(text)
        program.chmod(0o755)

    def test_reads_a_sample(self):
        result = self.run_bench("--only", "otf2-print,pandas", "--archives", SAMPLES / "micro-anysrc-4")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("| micro-anysrc-4 | 3,870 events |", result.stdout)

    def test_names_what_is_not_there(self):
        result = self.run_bench("--only", "Dimemas", "--archives", SAMPLES / "micro-anysrc-4", path="/nowhere")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("not found: Dimemas", result.stderr)
        self.assertIn("| archive |\n", result.stdout)

    def test_tells_of_a_reader_that_fails(self):
        self.install("dumpi2ascii", READER.format(calls=0, code=1))
        result = self.run_bench("--only", "dumpi2ascii", "--archives", SAMPLES / "micro-anysrc-4")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("FAILED: dumpi2ascii: exit code 1", result.stdout)

    def test_tells_of_a_reader_that_reads_too_little(self):
        self.install("dumpi2ascii", READER.format(calls=2, code=0))
        result = self.run_bench("--only", "dumpi2ascii", "--archives", SAMPLES / "micro-anysrc-4")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("FAILED: 8 of 1234 calls", result.stdout)

    def test_counts_what_dimemas_simulates(self):
        self.install("Dimemas", DIMEMAS.format(more=0))
        result = self.run_bench("--only", "Dimemas", "--archives", SAMPLES / "micro-stencil2d9p-isend-4")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("| 600 messages, 28 collectives |", result.stdout)

    def test_tells_of_messages_that_dimemas_does_not_send(self):
        self.install("Dimemas", DIMEMAS.format(more=1))
        result = self.run_bench("--only", "Dimemas", "--archives", SAMPLES / "micro-stencil2d9p-isend-4")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("task 0: 151 of 150 messages in the simulation", result.stdout)

    def test_tells_of_messages_that_paraver_does_not_read(self):
        self.install("paramedir", "#!/bin/sh\nexit 0\n")
        result = self.run_bench("--only", "paramedir", "--archives", SAMPLES / "micro-anysrc-4")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("0 of 523 messages", result.stdout)

    def test_tells_of_a_profile_that_cube_finds_wrong(self):
        self.install("cube_sanity", "#!/bin/sh\necho 'Proper line numbers ... 3 / 7 FAILED'\n")
        self.install("cube_dump", "#!/bin/sh\necho 'Cnode ID, Thread ID,visits'\n")
        self.install("cube_diff", "#!/bin/sh\nexit 0\n")
        result = self.run_bench("--only", "Cube", "--archives", SAMPLES / "micro-anysrc-4")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("cube_sanity: Proper line numbers", result.stdout)
        self.assertIn("0 in Cube", result.stdout)

    @unittest.skipUnless(shutil.which("node"), "there is no node")
    def test_tells_of_times_that_speedscope_does_not_have(self):
        importer = "exports.importTraceEvents = () => ({profiles: []});"
        (self.prefix / "speedscope-importer.js").write_text(importer)
        result = self.run_bench("--only", "speedscope", "--archives", SAMPLES / "micro-anysrc-4")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("is 0.000 us in speedscope", result.stdout)

    def test_refuses_an_unknown_reader(self):
        self.assertEqual(self.run_bench("--only", "nobody").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
