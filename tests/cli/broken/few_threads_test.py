#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where the system starts no more threads, tools work with those that they have, or say so in one sentence.

A library refuses threads (tests/support/few_threads.c). The first thread of a tool waits for signals.
"""

import os
import pathlib
import subprocess
import sys

from outputs_test import OutputCommands
from tool_case import main

FEW_THREADS = pathlib.Path()
# Commands that write nothing, beside those that do.
READERS = [["trace_inspect", *words, "run.tfold"] for words in
           (["check"], ["stats"], ["profile"], ["classes"], ["efficiency"], ["explain"], ["messages"],
           ["structure", "--times"])]


class FewThreadsTest(OutputCommands):
    def run_few(self, command, threads):
        """Its exit code, what it says, and how many threads were refused."""
        refused = self.work / "refused"
        refused.unlink(missing_ok=True)
        code, words = self.run_with(command, stdout=subprocess.DEVNULL, env={
            **os.environ, "LD_PRELOAD": str(FEW_THREADS), "FEW_THREADS": str(threads),
            "FEW_THREADS_REFUSED": str(refused)})
        count = refused.stat().st_size if refused.exists() else 0
        refused.unlink(missing_ok=True)
        return code, words, count

    def all_commands(self):
        return [*self.commands("few/"), *READERS]

    def setUp(self):
        super().setUp()
        (self.work / "few").mkdir()

    def test_none(self):
        for command in self.all_commands():
            before = self.entries()
            code, words, _ = self.run_few(command, 0)
            self.assertEqual((code, words.count("\n")), (1, 1), f"{command} {words}")
            self.assertIn("cannot start a thread", words)
            self.assertEqual(self.entries(), before, command)

    def test_fewer_than_asked_for(self):
        for command in self.all_commands():
            threads = [] if "structure" in command else ["--threads", "5"]
            for allowed in (1, 2, 3):
                code, words, _ = self.run_few([*command, *threads, *self.force(command)], allowed)
                self.assertEqual((code, words), (0, ""), f"{command} with {allowed}")

    def test_one_is_one(self):
        """Beside the thread that waits for signals, none is even asked for."""
        for command in self.all_commands():
            if "structure" in command:  # has no such option
                continue
            result = self.run_few([*command, "--threads", "1", *self.force(command)], 1)
            self.assertEqual(result, (0, "", 0), command)

    @staticmethod
    def force(command):
        return ["-f"] if "-o" in command else []


if __name__ == "__main__":
    FEW_THREADS = pathlib.Path(sys.argv.pop()).resolve()
    main()
