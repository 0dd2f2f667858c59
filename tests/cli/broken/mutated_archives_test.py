#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Changes bytes of archives at random: what is still taken must come back.

With exact times and verification every byte comes back; otherwise an archive that folds to the same file.
"""

import filecmp
import random
import re
import shutil

from limited_case import LimitedCase
from tool_case import main

ARCHIVES = ("micro-user-4", "micro-rma-4", "micro-anysrc-4")
ROUNDS = 60  # tests/campaign hostile takes any number
LOCATIONS_AT = 30  # in an anchor
OPTIONS = (
    [],
    ["--drop-unknown"],
    ["--no-exact-bytes", "--drop-unknown"],
    ["--no-verify", "--drop-unknown"],
    ["--timing", "quantized", "--drop-unknown"],
    ["--timing", "histogram", "--drop-unknown"],
    ["--timing", "none", "--drop-unknown"],
)
NUMBERS = (0, 1, 0x7F, 0x80, 0xFE, 0xFF)


class MutatedArchives(LimitedCase):
    def mutate(self, draw, archive):
        """Some bytes of one file become others; lengths of files stay."""
        path = draw.choice(sorted(path for path in archive.rglob("*") if path.is_file()))
        content = bytearray(path.read_bytes())
        for _ in range(draw.choice((1, 1, 2, 8))):
            place = draw.randrange(len(content))
            size = draw.choice((1, 1, 4, 8))
            value = draw.choice((*NUMBERS, draw.randrange(256)))
            end = min(place + size, len(content))
            content[place:end] = bytes([value]) * (end - place)
        path.write_bytes(content)

    def check_back(self, options, archive):
        self.succeeds(["trace_convert", "-q", "a.tfold", "--to", "otf2", "-o", "back"])
        if not options:
            for path in archive.rglob("*"):
                if path.is_file():
                    back = self.work / "back" / path.relative_to(archive)
                    self.assertTrue(filecmp.cmp(path, back, shallow=False), path.name)
        self.succeeds(["trace_compress", "-q", *options, "back", "-o", "again.tfold"])
        self.succeeds(["trace_inspect", "diff", "a.tfold", "again.tfold"])

    def try_one(self, name, seed):
        draw = random.Random(f"{name} {seed}")
        archive = self.work / "t"
        shutil.copytree(self.samples / name, archive)
        self.mutate(draw, archive)
        options = draw.choice(OPTIONS)
        command = ["trace_compress", "-q", *options, "t", "-o", "a.tfold"]
        result = self.run_tool(command)
        if result.returncode == 0:
            self.check_back(options, archive)
        else:
            self.check_refused(command, result, 1)
        return result.returncode == 0

    def check_every_byte(self, archive):
        self.succeeds(["trace_compress", "-q", archive, "-o", "a.tfold"])
        self.check_back([], archive)

    def copy(self):
        archive = self.work / "t"
        shutil.copytree(self.samples / "micro-user-4", archive)
        return archive

    def test_times_that_decrease(self):
        archive = self.copy()
        events = archive / "traces" / "0.evt"
        content = events.read_bytes()
        first, second = list(re.finditer(rb"\x05(.{6}\0\0)", content, re.DOTALL))[:2]
        content = content.replace(first[0], b"\x05" * 9).replace(second[0], first[0])
        events.write_bytes(content.replace(b"\x05" * 9, second[0]))
        for options in (["--no-verify"], ["--no-exact-bytes"], ["--timing", "quantized"],
                        ["--timing", "histogram"]):
            self.fails(["trace_compress", *options, archive, "-o", "a.tfold"],
                       "the times of location 0 of traces decrease")
        self.check_every_byte(archive)

    def test_a_wrong_number_of_locations(self):
        archive = self.copy()
        anchor = archive / "traces.otf2"
        content = bytearray(anchor.read_bytes())
        self.assertEqual(content[LOCATIONS_AT], 4)
        content[LOCATIONS_AT] = 5
        anchor.write_bytes(content)
        self.check_every_byte(archive)

    def test_what_is_taken_comes_back(self):
        base = self.work
        for name in ARCHIVES:
            taken = 0
            for seed in range(ROUNDS):
                self.work = base / f"{name}-{seed}"
                self.work.mkdir()
                with self.subTest(name=name, seed=seed):
                    taken += self.try_one(name, seed)
            self.assertGreater(taken, 0, name)


if __name__ == "__main__":
    main()
