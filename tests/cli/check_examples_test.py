#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""The runner of documented examples must notice what is wrong."""

import argparse
import pathlib
import tempfile
import unittest

import check_examples


class CheckExamplesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        tool = self.root / "trace_inspect"
        tool.write_text('#!/bin/sh\ncase $1 in fail) exit $2;; esac\nfor i in "$@"; do echo "$i"; done\n')
        tool.chmod(0o755)

    def problems(self, text):
        document = self.root / "document.md"
        document.write_text(text)
        options = argparse.Namespace(bin=self.root, samples=self.root)
        return check_examples.Document(document, options).check()

    def test_what_is_right(self):
        self.assertEqual(self.problems("    $ trace_inspect one two three\n    one\n    t...\n    ...\n"), [])
        self.assertEqual(self.problems("    trace_inspect one  # says so\n"), [])
        self.assertEqual(self.problems("    trace_inspect fail 3\n"), [])

    def test_other_output(self):
        self.assertEqual(len(self.problems("text\n\n    $ trace_inspect one\n    two\n")), 1)
        self.assertEqual(len(self.problems("    $ trace_inspect one two\n    one\n")), 1)

    def test_failures(self):
        self.assertEqual(len(self.problems("    trace_inspect fail 1\n    trace_inspect fail 2\n")), 2)
        self.assertEqual(len(self.problems("<!-- setup: exit 3 -->\n    trace_inspect one\n")), 1)

    def test_setup_makes_files(self):
        text = "<!-- setup: echo x > file -->\n    $ trace_inspect $(cat file)\n    x\n"
        self.assertEqual(self.problems(text), [])

    def test_no_examples(self):
        self.assertEqual(len(self.problems("text\n")), 1)


if __name__ == "__main__":
    unittest.main()
