#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""With too little memory, an output is whole or not there, and one sentence says why."""

import resource
import subprocess

from outputs_test import OutputCommands
from tool_case import main

MEGABYTE = 1_000_000
MEGABYTES = range(40, 1000)


class LittleMemoryTest(OutputCommands):
    def run_little(self, command, megabytes):
        limit = (megabytes * MEGABYTE, megabytes * MEGABYTE)
        return self.run_with(command, stdout=subprocess.DEVNULL,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))

    def least(self, tool):
        """With less, not even its libraries can be loaded and initialized."""
        return next(size for size in MEGABYTES if self.run_little([tool, "--version"], size)[0] == 0)

    def test_every_writer(self):
        least = {tool: self.least(tool) for tool in ["trace_compress", "trace_convert", "trace_inspect"]}
        for command in self.commands("few/"):
            (self.work / "few").mkdir()
            before = self.entries()
            codes = []
            for megabytes in range(least[command[0]], MEGABYTES.stop):
                code, words = self.run_little(command, megabytes)
                codes.append(code)
                if code == 0:
                    break
                self.assertEqual((code, words.count("\n")), (1, 1), f"{command} {megabytes} {words}")
                self.assertRegex(words, "memory|cannot start a thread")
                self.assertEqual(self.entries(), before, f"{command} {megabytes} {words}")
            self.assertEqual(codes[-1], 0, command)
            self.assertIn(1, codes, command)
            subprocess.run(["rm", "-rf", self.work / "few"], check=True)


if __name__ == "__main__":
    main()
