# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the built tools in folders of their own; base of the tests of broken input."""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(100)


class ToolCase(unittest.TestCase):
    bin = pathlib.Path()
    samples = pathlib.Path()

    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="tracefold-broken-")).resolve()
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)

    def run_tool(self, command):
        arguments = [str(argument) for argument in command[1:]]
        return subprocess.run(
            [str(self.bin / command[0]), *arguments],
            cwd=self.work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="backslashreplace",
            timeout=TIMEOUT_SECONDS,
            check=False,
        )

    def succeeds(self, command):
        result = self.run_tool(command)
        self.assertEqual(result.returncode, 0, result.stderr)

    def fails(self, command, *parts):
        self.run_refused(command, 1, *parts)

    def run_refused(self, command, code, *parts):
        """The tool must fail with one sentence that holds all parts, and leave nothing behind."""
        before = self.entries()
        self.check_refused(command, self.run_tool(command), code, *parts)
        self.assertEqual(self.entries(), before, "something was left behind")

    def check_refused(self, command, result, code, *parts):
        words = " ".join(str(word) for word in command)
        self.assertEqual(result.returncode, code, f"{words}\n{result.stderr}")
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, f"{words}\n{result.stderr}")
        self.assertTrue(lines[0].startswith(f"{command[0]}: error: "), lines[0])
        for part in parts:
            self.assertIn(part, lines[0])
        self.assertEqual(result.stdout, "", words)
        self.assertFalse([path for path in self.work.rglob("*.part-*")], words)

    def entries(self):
        return sorted(str(path) for path in self.work.rglob("*"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    options, rest = parser.parse_known_args()
    ToolCase.bin = options.bin.resolve()
    ToolCase.samples = options.samples.resolve()
    unittest.main(module="__main__", argv=sys.argv[:1] + rest)
