#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""A trace that another file replaces while a command reads it: the command is about the first one, and says so.

Commands wait until their output is taken from a pipe, which does not hold all of it.
"""

import shutil
import subprocess

from tool_case import TIMEOUT_SECONDS, ToolCase, main

COMMANDS = (
    ["trace_inspect", "calls", "run.tfold"], ["trace_inspect", "calls", "--json", "run.tfold"],
    ["trace_convert", "run.tfold", "--to", "text"],
)


class ReplacedFiles(ToolCase):
    def setUp(self):
        super().setUp()
        for name, sample in (("first", "npb-lu.S-4"), ("second", "micro-anysrc-4")):
            self.succeeds(["trace_compress", "-q", self.samples / sample, "-o", f"{name}.tfold"])

    def run_changing(self, command, change):
        shutil.copy(self.work / "first.tfold", self.work / "run.tfold")
        with subprocess.Popen([str(self.bin / command[0]), *command[1:]], cwd=self.work, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as process:
            start = process.stdout.read(1)
            change()
            rest, words = process.communicate(timeout=TIMEOUT_SECONDS)
        return process.returncode, start + rest, words.decode()

    def replace(self):
        shutil.copy(self.work / "second.tfold", self.work / "other")
        (self.work / "other").rename(self.work / "run.tfold")

    def overwrite(self):
        """As cp does: the same inode."""
        with (self.work / "run.tfold").open("r+b") as file:
            file.truncate(0)
            file.write((self.work / "second.tfold").read_bytes())

    def test_the_first_file_is_read_to_its_end(self):
        for command in COMMANDS:
            for change in (self.replace, lambda: (self.work / "run.tfold").unlink()):
                code, right, words = self.run_changing(command, lambda: None)
                self.assertEqual((code, words), (0, ""))
                self.assertGreater(len(right), 1 << 18, "the pipe holds it")
                code, printed, words = self.run_changing(command, change)
                self.assertEqual((code, printed == right), (0, True), words)
                self.assertRegex(words, "^[a-z_]+: warning: run.tfold was replaced while it was read[^\n]*\n$")

    def test_other_bytes_are_noticed(self):
        for command in COMMANDS:
            code, printed, words = self.run_changing(command, self.overwrite)
            _, right, _ = self.run_changing(command, lambda: None)
            if code == 0:
                self.assertEqual(printed, right, command)
            else:
                self.assertEqual(code, 1)
                self.assertRegex(words, "was written to while it was read|was truncated while being read|it ends at")


if __name__ == "__main__":
    main()
