#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Archives with definitions of a type that OTF2 does not know: --drop-unknown and restoring, looked at by otf2-print."""

import re
import shutil
import struct
import subprocess
import unittest

from tool_case import ToolCase, main

DEFINITIONS_AT = 38  # their number in the anchor
END = b"\2\1"
UNKNOWN = b"\x7f\3abc"


def insert(path):
    content = path.read_bytes()
    at = content.index(END, len(content) - len(END) - 1)
    path.write_bytes(content[:at] + UNKNOWN + content[at:])


@unittest.skipUnless(shutil.which("otf2-print"), "otf2-print is not installed")
class UnknownRecords(ToolCase):
    has_global = False

    def setUp(self):
        super().setUp()
        self.archive = self.work / "t"
        shutil.copytree(self.samples / "micro-pcoll-4", self.archive)

    def add_global(self):
        insert(self.archive / "traces.def")
        anchor = bytearray((self.archive / "traces.otf2").read_bytes())
        count = struct.unpack_from("<Q", anchor, DEFINITIONS_AT)[0]
        struct.pack_into("<Q", anchor, DEFINITIONS_AT, count + 1)
        (self.archive / "traces.otf2").write_bytes(anchor)

    def add_local(self):
        insert(self.archive / "traces" / "1.def")
        insert(self.archive / "traces" / "3.def")

    def warning(self, command, code=0):
        result = self.run_tool(command)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stderr

    def otf2_print(self, *words):
        done = subprocess.run(["otf2-print", *words, self.work / "back" / "traces.otf2"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def restored(self, lost, *options):
        """Checks what is restored, and that the warning is true."""
        shutil.rmtree(self.work / "back", ignore_errors=True)
        words = self.warning(["trace_convert", "a.tfold", "--to", "otf2", "--strict", "-o", "back", *options],
                             3 if lost else 0)
        same = subprocess.run(["diff", "-r", self.archive, self.work / "back"], capture_output=True, check=False)
        self.assertEqual(same.returncode != 0, lost)
        self.assertEqual("which the output lacks" in words, lost, words)
        counted = int(re.search(r"Number of global definitions +(\d+)", self.otf2_print("-I"))[1])
        listed = re.findall(r"^[A-Z_0-9]+(?= |$)", self.otf2_print("-G"), re.M)
        self.assertEqual(counted, len(listed))
        self.assertEqual("UNKNOWN" in listed, not lost and self.has_global)
        self.otf2_print()

    def check(self):
        self.fails(["trace_compress", "t", "-o", "a.tfold"], "libotf2 here does not know", "--drop-unknown")
        for options in ([], ["--portable"], ["--no-verify"], ["--no-exact-bytes"], ["--portable", "--no-verify"],
                        ["--timing", "none"]):
            with self.subTest(options=options):
                exact = options in ([], ["--portable"])
                words = self.warning(["trace_compress", "-f", "--drop-unknown", "t", "-o", "a.tfold", *options])
                self.assertEqual("will be in the restored archive" in words, exact, words)
                self.assertEqual("left out" in words, not exact, words)
                self.restored(not exact)
                if exact:
                    self.restored(True, "--no-exact-bytes")

    def test_global_definitions(self):
        self.has_global = True
        self.add_global()
        self.check()

    def test_local_definitions(self):
        self.add_local()
        self.check()

    def test_both(self):
        self.has_global = True
        self.add_global()
        self.add_local()
        self.check()


if __name__ == "__main__":
    main()
