#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Puts pipes, devices and files without end in the place of an archive's files."""

import os
import shutil

from limited_case import LimitedCase
from tool_case import main

HUGE = 1 << 40
CHUNK = 1 << 20  # of these events
CHUNKS = 16
HEADER = 18
END_MARK = b"\2\1"

SPECIAL = {
    "pipe": lambda path: os.mkfifo(path),
    "zero": lambda path: path.symlink_to("/dev/zero"),
    "full": lambda path: path.symlink_to("/dev/full"),
}


class SpecialFiles(LimitedCase):
    def archive(self):
        shutil.rmtree(self.work / "t", ignore_errors=True)
        shutil.copytree(self.samples / "micro-user-4", self.work / "t")
        return self.work / "t"

    def refused(self, place, *parts):
        """By all that read an archive, whether it is to be rescued or not."""
        for command in (
            ["trace_compress", "t/traces.otf2", "-o", "a.tfold"],
            ["trace_compress", "--rescue", "t/traces.otf2", "-o", "a.tfold"],
            ["trace_inspect", "info", "t/traces.otf2"],
        ):
            with self.subTest(place=place, command=command):
                self.fails(command, place, *parts)

    def test_only_regular_files_are_read(self):
        for place in ("traces.otf2", "traces.def", "traces/0.evt", "traces/0.def"):
            for kind, make in SPECIAL.items():
                with self.subTest(kind=kind):
                    path = self.archive() / place
                    path.unlink()
                    make(path)
                    self.refused(place, "it is not a regular file")

    def test_files_without_end(self):
        sentences = {
            "traces.otf2": "bytes, and at most",
            "traces.def": "bytes follow its end mark",
            "traces/0.evt": "bytes follow its end mark",
            "traces/0.def": "bytes follow its end mark",
        }
        for place, sentence in sentences.items():
            for end in (b"", END_MARK):
                path = self.archive() / place
                os.truncate(path, HUGE)
                with path.open("ab") as file:
                    file.write(end)
                self.refused(place, sentence)

    def test_holes_in_place_of_files(self):
        for place in ("traces.def", "traces/0.evt", "traces/0.def"):
            path = self.archive() / place
            path.write_bytes(b"")
            os.truncate(path, HUGE)
            self.fails(["trace_compress", "t", "-o", "a.tfold"], place, "truncated or damaged")

    def test_a_rescue_takes_as_long_as_the_data(self):
        """Of a file with holes; its copy has holes, too."""
        for place in ("traces.def", "traces/0.evt", "traces/0.def"):
            path = self.archive() / place
            size = path.stat().st_size
            os.truncate(path, size // 2)
            os.truncate(path, HUGE)
            self.succeeds(["trace_compress", "-q", "-f", "--rescue", "t", "-o", "a.tfold"])
            self.assertIn("traces", self.run_tool(["trace_inspect", "info", "--all", "a.tfold"]).stdout)

    def test_chunks_of_holes(self):
        """Chunks without records, of a header and a hole each, are those of a header and zeros."""
        path = self.archive() / "traces" / "0.evt"
        content = path.read_bytes()
        self.assertLess(len(content), CHUNK)
        dense = (content[:HEADER].ljust(CHUNK, b"\0")) * CHUNKS + content
        results = set()
        for holes in (False, True):
            path.unlink()
            with path.open("wb") as file:
                for at in range(0, len(dense), CHUNK):
                    file.seek(at)
                    file.write(dense[at:at + CHUNK].rstrip(b"\0") if holes else dense[at:at + CHUNK])
            self.assertEqual(path.read_bytes(), dense)
            for options in ([], ["--rescue"], ["--no-verify"]):
                self.succeeds(["trace_compress", "-q", "-f", "--no-exact-bytes", *options, "t", "-o", "a.tfold"])
                results.add((self.work / "a.tfold").read_bytes())
        self.assertEqual(len(results), 1)

    def test_carried_files_are_bounded(self):
        for place in ("traces.marker", "traces/0.snap"):
            path = self.archive() / place
            path.write_bytes(b"")
            os.truncate(path, HUGE)
            self.refused(place, "bytes, and at most 1073741824 are taken")

    def test_extra_files_are_those_of_the_folder(self):
        archive = self.archive()
        (self.work / "secret").write_text("mine")
        (archive / "notes").write_text("for all")
        (archive / "inward").symlink_to("notes")
        (archive / "outward").symlink_to(self.work / "secret")
        (archive / "nowhere").symlink_to("lost")
        (archive / "folder").symlink_to(self.work)
        os.mkfifo(archive / "pipe")
        for options in ([], ["--rescue"]):
            command = ["trace_compress", "-f", "--with-extra-files", *options, "t", "-o", "a.tfold"]
            result = self.run_tool(command)
            self.assertEqual(result.returncode, 0, result.stderr)
            for name in ("outward", "nowhere", "folder", "pipe"):
                self.assertIn(f"warning: {name} is left out", result.stderr)
            self.succeeds(["trace_convert", "-q", "-f", "a.tfold", "--to", "otf2", "-o", "back"])
            names = {path.name for path in (self.work / "back").iterdir()}
            self.assertEqual(names, {"traces", "traces.def", "traces.otf2", "notes", "inward"})


if __name__ == "__main__":
    main()
