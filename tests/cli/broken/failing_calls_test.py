#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Whichever call of the system fails, an output is the right one or not there, and one sentence says why.

A library lets one call fail (tests/support/fail_call.c), the first, the second, and so on. The last argument is the
library, and "all" or "few" before it says how many writers are tried.
"""

import errno
import os
import pathlib
import subprocess
import sys

from outputs_test import OutputCommands
from tool_case import main

FAIL_CALL = pathlib.Path()
FEW = ["--to otf2", "trace_compress"]
CALLS = ["open", "read", "write", "sync", "close", "rename", "mkdir", "unlink", "chmod"]
# What vfat, CIFS and FUSE may lack.
LACKING = "sync,chmod,link,lock,exchange"
MOST = 2000
# What the dynamic linker ends with when it cannot load a library.
NOT_LOADED = 127


class FailingCallsTest(OutputCommands):
    takes_all = False

    def setUp(self):
        super().setUp()
        self.note = self.work / "note"
        self.error = errno.EIO

    def contents(self):
        return {str(path.relative_to(self.work)): path.read_bytes() if path.is_file() else None
                for path in self.work.rglob("*")}

    def result(self, command, call, number):
        """Exit code, what it said, and what it made."""
        before = self.contents()
        code, words = self.run_with(command, stdout=subprocess.DEVNULL, env={
            **os.environ, "LD_PRELOAD": str(FAIL_CALL), "FAIL_CALL": call, "FAIL_NUMBER": str(number),
            "FAIL_NOTE": str(self.note), "FAIL_ERROR": str(self.error)})
        after = self.contents()
        after.pop("note", None)
        made = {name: content for name, content in after.items() if name not in before}
        self.assertEqual({name: after.get(name) for name in before}, before, "an input was changed")
        for name in made:
            subprocess.run(["rm", "-rf", self.work / name], check=True)
        return code, words, made

    def check(self, command, call, number, right):
        """False if there is no such call."""
        code, words, made = self.result(command, call, number)
        if not self.note.exists():
            return False
        self.note.unlink()
        where = f"{command}, {call} {number}: {words}"
        if code == 0:
            self.assertEqual(made, right, where)
        elif code != NOT_LOADED:
            self.assertEqual((code, words.count("\n")), (1, 1), where)
            self.assertNotIn("unexpected", words, where)
            if "cannot remove" not in words:
                self.assertEqual(list(made), [], where)
        return True

    def test_every_call(self):
        for command in self.commands():
            if not self.takes_all and not any(part in " ".join(map(str, command)) for part in FEW):
                continue
            code, words, right = self.result(command, "none", 0)
            self.assertEqual((code, words), (0, ""))
            for call in CALLS:
                numbers = range(1, MOST)
                done = next(number for number in numbers if not self.check(command, call, number, right))
                if call in ("open", "write"):
                    self.assertGreater(done, 1, f"{command} {call}")

    def test_a_file_system_that_lacks_calls(self):
        """Outputs are made and replaced there, and nothing is left."""
        for self.error in (errno.ENOTSUP, errno.ENOSYS, errno.EINVAL):
            for command in self.commands() if self.error == errno.ENOTSUP else [next(self.commands())]:
                _, _, right = self.result(command, "none", 0)
                self.assertEqual(self.result(command, LACKING, 0), (0, "", right), command)
                self.replace(command, right)
        self.error = errno.EPERM
        for command in self.commands():
            _, _, right = self.result(command, "none", 0)
            self.assertEqual(self.result(command, "chmod,link", 0), (0, "", right), command)

    def replace(self, command, right):
        self.note.unlink()
        before = self.contents()
        for _ in range(2):  # the first one makes it
            code, words = self.run_with([*command, "-f"], stdout=subprocess.DEVNULL, env={
                **os.environ, "LD_PRELOAD": str(FAIL_CALL), "FAIL_CALL": LACKING, "FAIL_NUMBER": "0",
                "FAIL_NOTE": str(self.note), "FAIL_ERROR": str(self.error)})
            self.assertEqual((code, words), (0, ""), command)
        self.note.unlink()
        after = self.contents()
        self.assertEqual({name: after.pop(name) for name in right}, right, command)
        self.assertEqual(after, before, command)
        for name in right:
            subprocess.run(["rm", "-rf", self.work / name], check=True)


if __name__ == "__main__":
    FAIL_CALL = pathlib.Path(sys.argv.pop()).resolve()
    FailingCallsTest.takes_all = sys.argv.pop() == "all"
    main()
