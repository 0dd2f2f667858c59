#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Gives trace_compress archives that are no good and places where nothing can be written."""

import os
import shutil
import subprocess

from tool_case import ToolCase, main

# Limit on the size of files that a process may write, in blocks of 512 or 1024 bytes: "disk full".
FEW_BLOCKS = 4


class BrokenArchives(ToolCase):
    def setUp(self):
        super().setUp()
        self.archive = self.work / "a"
        shutil.copytree(self.samples / "micro-anysrc-4", self.archive)
        self.events = self.archive / "traces" / "1.evt"

    def refuse(self, archive, *parts):
        self.fails(["trace_compress", archive, "-o", "out.tfold"], *parts)

    def test_no_anchor(self):
        self.refuse("nowhere", "nowhere", "No such file")
        (self.work / "empty").mkdir()
        self.refuse("empty", "the folder empty is empty")
        (self.work / "other").mkdir()
        (self.work / "other" / "notes").write_text("hello")
        self.refuse("other", "no archive in the folder")

    def test_several_anchors(self):
        shutil.copy(self.archive / "traces.otf2", self.archive / "more.otf2")
        self.run_refused(["trace_compress", self.archive, "-o", "out.tfold"], 2)

    def test_not_an_archive(self):
        for content in (b"", b"hello\n", b"x" * 5000):
            (self.work / "x.otf2").write_bytes(content)
            self.refuse("x.otf2", "x.otf2")

    def test_unreadable(self):
        if os.geteuid() == 0:
            self.skipTest("root may read everything")
        self.events.chmod(0)
        self.refuse(self.archive, "1.evt")

    def test_cut_anchor(self):
        anchor = self.archive / "traces.otf2"
        content = anchor.read_bytes()
        # The last two bytes are end marks that libotf2 does not look at.
        for size in range(0, len(content) - 2, 7):
            anchor.write_bytes(content[:size])
            self.refuse(self.archive, "traces.otf2")

    def test_newer_version(self):
        # The version alone refuses nothing; records that nobody knows do, when they are met.
        anchor = self.archive / "traces.otf2"
        content = bytearray(anchor.read_bytes())
        content[9:11] = b"\x09\x00"
        anchor.write_bytes(content)
        self.succeeds(["trace_compress", self.archive, "-o", "out.tfold"])
        self.succeeds(["trace_convert", "out.tfold", "--to", "otf2", "-o", "back"])
        self.assertEqual((self.work / "back/traces.otf2").read_bytes(), content)

    def test_definitions(self):
        definitions = self.archive / "traces.def"
        content = definitions.read_bytes()
        for size in range(0, len(content), len(content) // 5 + 1):
            definitions.write_bytes(content[:size])
            self.refuse(self.archive, "global definitions")
        definitions.unlink()
        self.refuse(self.archive, "traces.def")

    def test_local_definitions(self):
        definitions = self.archive / "traces" / "1.def"
        content = definitions.read_bytes()
        definitions.write_bytes(content[: len(content) // 2])
        self.refuse(self.archive, "location 1 ")

    def test_cut_events(self):
        content = self.events.read_bytes()
        for size in range(0, len(content), len(content) // 7 + 1):
            self.events.write_bytes(content[:size])
            self.refuse(self.archive, "events of location 1 ")
        self.events.unlink()
        self.refuse(self.archive, "events of location 1 ")

    def test_flipped_events(self):
        """libotf2 cannot see every flipped bit, so some archives are just other archives."""
        content = self.events.read_bytes()
        for place in range(3, len(content), len(content) // 40 + 1):
            changed = bytearray(content)
            changed[place] ^= 1 << place % 8
            self.events.write_bytes(changed)
            command = ["trace_compress", "-q", self.archive, "-o", "out.tfold"]
            result = self.run_tool(command)
            if result.returncode == 0:
                (self.work / "out.tfold").unlink()
            else:
                self.check_refused(command, result, 1)

    def test_target_exists(self):
        (self.work / "out.tfold").write_text("mine")
        command = ["trace_compress", self.archive, "-o", "out.tfold"]
        self.check_refused(command, self.run_tool(command), 1, "out.tfold", "--force")
        self.assertEqual((self.work / "out.tfold").read_text(), "mine")

    def test_target_is_the_archive(self):
        anchor = self.archive / "traces.otf2"
        content = anchor.read_bytes()
        self.run_refused(["trace_compress", "--force", self.archive, "-o", anchor], 2, "is the input")
        self.assertEqual(anchor.read_bytes(), content)

    def test_target_is_no_file(self):
        self.run_refused(["trace_compress", "--force", self.archive, "-o", self.archive], 2, "holds the input")
        self.fails(["trace_compress", "--force", self.archive, "-o", "/dev/null"], "/dev/null")
        self.fails(["trace_compress", self.archive, "-o", "no/folder/out.tfold"], "no/folder")

    def test_target_not_writable(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        (self.work / "locked").mkdir(mode=0o555)
        self.fails(["trace_compress", self.archive, "-o", "locked/out.tfold"], "locked")

    def test_disk_full(self):
        self.disk_full("trace_compress", "-q", str(self.archive), "-o", "out.tfold")

    def test_disk_full_when_converting(self):
        self.succeeds(["trace_compress", "-q", self.archive, "-o", "a.tfold"])
        self.disk_full("trace_convert", "-q", "a.tfold", "--to", "otf2", "-o", "back")

    def disk_full(self, *command):
        # With XFSZ ignored, the write that goes beyond the limit fails instead of killing.
        script = f"trap '' XFSZ; ulimit -f {FEW_BLOCKS}; exec \"$@\""
        result = subprocess.run(
            ["sh", "-c", script, "sh", str(self.bin / command[0]), *command[1:]],
            cwd=self.work, capture_output=True, text=True, timeout=100, check=False)
        self.check_refused(command, result, 1)


if __name__ == "__main__":
    main()
