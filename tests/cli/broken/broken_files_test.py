#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Gives trace_convert and trace_inspect check files that are no good."""

from tool_case import ToolCase, main


class BrokenFiles(ToolCase):
    def setUp(self):
        super().setUp()
        archive = self.samples / "micro-anysrc-4"
        self.succeeds(["trace_compress", "-q", "--no-verify", archive, "-o", "a.tfold"])
        self.file = self.work / "a.tfold"
        self.content = self.file.read_bytes()

    def refuse(self, content, *parts):
        self.file.write_bytes(content)
        self.fails(["trace_convert", "a.tfold", "--to", "otf2", "-o", "back"], *parts)

    def test_cut(self):
        for size in range(0, len(self.content), 97):
            self.refuse(self.content[:size], "a.tfold")

    def test_flipped(self):
        for place in range(0, len(self.content), 31):
            changed = bytearray(self.content)
            changed[place] ^= 1 << place % 8
            self.refuse(changed, "a.tfold")

    def test_flipped_is_found_by_a_check(self):
        for place in range(0, len(self.content), 53):
            changed = bytearray(self.content)
            changed[place] ^= 1 << place % 8
            self.file.write_bytes(changed)
            self.fails(["trace_inspect", "check", "a.tfold"], "a.tfold")

    def test_extended(self):
        self.refuse(self.content + b"\0", "a.tfold", "cut off or extended")

    def test_newer_version(self):
        changed = bytearray(self.content)
        changed[8] = 2
        self.refuse(changed, "a.tfold", "version 2.0", "newer")

    def test_empty(self):
        self.refuse(b"", "a.tfold", "not a tracefold file")

    def test_text(self):
        self.refuse(b"hello\n" * 100, "a.tfold", "not a tracefold file")

    def test_missing(self):
        self.fails(["trace_convert", "b.tfold", "--to", "otf2", "-o", "back"], "b.tfold")

    def test_folder(self):
        (self.work / "b.tfold").mkdir()
        self.fails(["trace_convert", "b.tfold", "--to", "otf2", "-o", "back"], "b.tfold")

    def test_target_exists(self):
        (self.work / "back").mkdir()
        (self.work / "back" / "notes").write_text("mine")
        self.refuse(self.content, "back", "--force")
        self.assertEqual([p.name for p in (self.work / "back").iterdir()], ["notes"])

    def test_target_is_a_file(self):
        (self.work / "b").write_text("mine")
        self.fails(["trace_convert", "a.tfold", "--to", "otf2", "-o", "b"], "b is a file")
        for options in ([], ["--force"]):
            self.run_refused(
                ["trace_convert", *options, "a.tfold", "--to", "otf2", "-o", "a.tfold"], 2, "a.tfold")
        self.assertEqual(self.file.read_bytes(), self.content)


if __name__ == "__main__":
    main()
