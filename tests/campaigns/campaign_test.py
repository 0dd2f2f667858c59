#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""The parts that all campaigns share, and `compare` with builds that are the same and that differ.

Usage: campaign_test.py BIN SAMPLES
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
CAMPAIGN = pathlib.Path(__file__).resolve().parent.parent / "campaign"
SMALL = SAMPLES / "micro-pcoll-4"
# Tools that do the same, except for one command.
CHANGED = """#!/usr/bin/env python3
import subprocess, sys
arguments = sys.argv[1:]
if arguments[:1] == ["{command}"]:
    {change}
sys.exit(subprocess.run(["{tool}", *arguments]).returncode)
"""


def campaign(*arguments):
    return subprocess.run([sys.executable, CAMPAIGN, *map(str, arguments)], capture_output=True, text=True, check=False)


class CampaignTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def changed_tools(self, command, change, tool="trace_inspect"):
        for path in BIN.glob("trace_*"):
            (self.folder / path.name).symlink_to(path)
        (self.folder / tool).unlink()
        (self.folder / tool).write_text(CHANGED.format(command=command, change=change, tool=BIN / tool), encoding="utf-8")
        (self.folder / tool).chmod(0o755)
        return self.folder

    def compare(self, after, *only):
        return campaign("compare", BIN, after, "--archives", SMALL, *(["--only", *only] if only else []))

    def test_help(self):
        self.assertRegex(campaign("--help").stdout, r"\n    compare +Compare the outputs of two builds, byte by byte.\n")
        text = campaign("compare", "--help").stdout
        for word in ("AFTER_BIN", "--archives", "--max-events", "Exit codes, standard output"):
            self.assertIn(word, text)

    def test_finds_archives_below_a_folder_and_leaves_large_ones_out(self):
        found = campaign("flow", "--bin", BIN, "--archives", SAMPLES, "--max-events", 800)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
        self.assertIn("\n| micro-pcoll-4 |", found.stdout)
        self.assertIn("\n1 passed, 0 refused, 0 failed\n", found.stdout)

    def test_wrong_usage(self):
        for arguments in ([], ["nothing"], ["flow", "--archives", self.folder], ["compare", BIN]):
            self.assertEqual(campaign(*arguments).returncode, 2, arguments)

    def test_failures_have_exit_code_3_and_a_row(self):
        tools = self.changed_tools("graph", "sys.exit(1)")
        failed = campaign("flow", "--bin", tools, "--archives", SMALL)
        self.assertEqual(failed.returncode, 3)
        self.assertIn("| micro-pcoll-4 | FAILED: trace_inspect: exit code 1", failed.stdout)

    def test_compare_finds_a_build_equal_to_itself(self):
        same = self.compare(BIN)
        self.assertEqual(same.returncode, 0, same.stdout + same.stderr)
        # A mistake in a command would have all builds refuse it.
        self.assertRegex(same.stdout, r"\| micro-pcoll-4 \| 151 \| [0-9] \| 0 \|")

    def test_compare_finds_another_output(self):
        different = self.compare(self.changed_tools("sizes", "print('and more')"), "sizes", "matrix")
        self.assertEqual(different.returncode, 3)
        self.assertIn("trace_inspect sizes exact.tfold: standard output: ", different.stderr)
        self.assertNotIn("trace_inspect matrix", different.stderr)

    def test_compare_finds_other_folded_files(self):
        different = self.compare(self.changed_tools("-q", "arguments.append('--portable')", "trace_compress"), "check")
        self.assertEqual(different.returncode, 3)
        self.assertIn("--timing exact -o exact.tfold: file exact.tfold", different.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
