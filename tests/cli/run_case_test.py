#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""The runner of command line cases must notice what is wrong."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import run_case


class RunCaseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for name in ("case", "bin", "samples"):
            (self.root / name).mkdir()

    def case(self, **files):
        for name, text in files.items():
            (self.root / "case" / name.replace("_glob", ".glob")).write_text(text)

    def run_case(self, *flags):
        arguments = [str(self.root / "case"), "--bin", str(self.root / "bin")]
        arguments += ["--samples", str(self.root / "samples"), *flags]
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = run_case.main(arguments)
        self.printed = printed.getvalue()
        return code

    def read(self, name):
        return (self.root / "case" / name).read_text()

    def test_exact_output(self):
        self.case(cmd="echo a; echo b", stdout="a\nb\n")
        self.assertEqual(self.run_case(), 0)
        self.case(stdout="a\nc\n")
        self.assertEqual(self.run_case(), 1)
        self.assertIn("-c\n+b", self.printed)

    def test_patterns(self):
        self.case(cmd="printf 'took 12 s\\nx\\ny\\nend\\n'", stdout_glob="took * s\n...\nend\n")
        self.assertEqual(self.run_case(), 0)
        self.case(stdout_glob="took * s\nend\n")
        self.assertEqual(self.run_case(), 1)

    def test_pattern_characters_are_plain(self):
        self.case(cmd="echo '[a] (b) ?'", stdout_glob="[a] (b) ?\n")
        self.assertEqual(self.run_case(), 0)
        self.case(stdout_glob="[a] (b) .\n")
        self.assertEqual(self.run_case(), 1)

    def test_success_is_silent_on_stderr(self):
        self.case(cmd="echo oops >&2")
        self.assertEqual(self.run_case(), 1)
        self.case(stderr="oops\n")
        self.assertEqual(self.run_case(), 0)

    def test_exit_codes(self):
        self.case(cmd="exit 3")
        self.assertEqual(self.run_case(), 1)
        self.case(exit="3\n")
        self.assertEqual(self.run_case(), 0)

    def test_failing_command_ends_the_case(self):
        self.case(cmd="false\necho unreached")
        self.assertEqual(self.run_case(), 1)
        self.assertNotIn("unreached", self.printed)

    def test_folders_have_names(self):
        self.case(cmd='pwd; echo "$SAMPLES/x $CASE"', stdout="$WORK\n$SAMPLES/x $CASE\n")
        self.assertEqual(self.run_case(), 0)

    def test_tools_are_in_the_path(self):
        tool = self.root / "bin" / "trace_test"
        tool.write_text("#!/bin/sh\necho tool\n")
        tool.chmod(0o755)
        self.case(cmd='trace_test; "$BIN/trace_test"', stdout="tool\ntool\n")
        self.assertEqual(self.run_case(), 0)

    def test_programs_that_are_missing(self):
        self.case(cmd="false", needs="sh\nno-such-program\n")
        self.assertEqual(self.run_case(), 77)
        self.assertIn("no-such-program", self.printed)
        self.case(needs="sh\n")
        self.assertEqual(self.run_case(), 1)

    def test_update(self):
        self.case(cmd="echo new; echo err >&2; exit 2", stdout="old\n")
        self.assertEqual(self.run_case("--update"), 0)
        self.assertEqual(self.read("stdout"), "new\n")
        self.assertEqual(self.read("stderr"), "err\n")
        self.assertEqual(self.read("exit"), "2\n")

    def test_update_keeps_patterns(self):
        self.case(cmd="echo new", stdout_glob="n*\n")
        self.assertEqual(self.run_case("--update"), 0)
        self.assertFalse((self.root / "case" / "stdout").exists())


if __name__ == "__main__":
    unittest.main()
