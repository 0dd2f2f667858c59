#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""With too few file descriptors, an output is whole or not there, and one sentence says why."""

import resource
import subprocess

from outputs_test import OutputCommands
from tool_case import main

ENOUGH = 40
# What the dynamic linker ends with when it cannot load a library.
NOT_LOADED = 127


class FewDescriptorsTest(OutputCommands):
    def run_few(self, command, descriptors):
        limit = (descriptors, descriptors)
        return self.run_with(command, stdout=subprocess.DEVNULL,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit))

    def test_every_writer(self):
        for command in self.commands("few/"):
            (self.work / "few").mkdir()
            before = self.entries()
            codes = []
            for descriptors in range(3, ENOUGH):
                code, words = self.run_few(command, descriptors)
                codes.append(code)
                if code == 0:
                    break
                if code == NOT_LOADED:
                    continue
                self.assertEqual((code, words.count("\n")), (1, 1), f"{command} {descriptors} {words}")
                self.assertIn("Too many open files", words)
                self.assertEqual(self.entries(), before, f"{command} {descriptors} {words}")
            self.assertEqual(codes[-1], 0, command)
            self.assertIn(1, codes, command)
            subprocess.run(["rm", "-rf", self.work / "few"], check=True)


if __name__ == "__main__":
    main()
