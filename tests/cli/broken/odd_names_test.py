#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Names that begin with -, the end of options (--), and standard output as a place (-): the same in all tools."""

import shutil

from tool_case import ToolCase, main

NAMES = ("-x.tfold", "--", "--json", "-o")
READERS = (
    ["trace_inspect", "info"], ["trace_inspect"], ["trace_inspect", "stats", "--json"], ["trace_inspect", "check"],
    ["trace_convert", "--to", "text"], ["trace_replay", "--dry-run"], ["trace_scale", "efficiency", "run.tfold"],
)
LINES = (["trace_convert", "run.tfold", "--to", "text"], ["trace_inspect", "graph", "run.tfold"])
FORMATS = ("otf2", "jsonl", "ti", "goal", "dim", "dumpi", "prv", "csv", "chrome", "c", "chakra")


class OddNames(ToolCase):
    def setUp(self):
        super().setUp()
        self.sample = self.samples / "micro-stencil2d9p-isend-4"
        self.succeeds(["trace_compress", "-q", self.sample, "-o", "run.tfold"])

    def has(self, command):
        return (self.bin / command[0]).exists()

    def test_inputs(self):
        for name in NAMES:
            shutil.copy(self.work / "run.tfold", self.work / name)
        for command in filter(self.has, READERS):
            for name in NAMES:
                with self.subTest(command=command, name=name):
                    usual = self.run_tool([*command, f"./{name}"])
                    self.assertEqual(usual.returncode, 0, usual.stderr)
                    odd = self.run_tool([*command, "--", name])
                    self.assertEqual((odd.returncode, odd.stderr), (0, ""))
                    self.assertEqual(odd.stdout, usual.stdout)
            self.run_refused([*command, "-x.tfold"], 2, "unknown option -x.tfold")
            if len(command) > 1:  # else it is no command
                self.run_refused([*command, "-"], 2, "standard input", "./-")

    def test_what_is_too_much_after_the_end_of_options(self):
        for command in (["trace_inspect", "info"], ["trace_convert", "--to", "text"], ["trace_compress"]):
            self.run_refused([*command, "--", "run.tfold", "-y"], 2, "unexpected argument './-y'")
            self.run_refused([*command, "-y", "--", "run.tfold"], 2, "unknown option -y")

    def test_archives_and_outputs(self):
        shutil.copytree(self.sample, self.work / "-a")
        for number, command in enumerate((["-o", "-out.tfold", "--", "-a"], ["-o", "--out.tfold", "--", "-a"],
                                          ["--output=-o.tfold", "--", "-a"])):
            self.succeeds(["trace_compress", "-q", *command])
            self.assertEqual(len(list(self.work.glob("-*.tfold"))), number + 1)
        for made in self.work.glob("-*.tfold"):
            self.assertEqual(made.read_bytes(), (self.work / "run.tfold").read_bytes())

    def test_standard_output(self):
        for command in LINES:
            before = self.entries()
            result = self.run_tool([*command, "-o", "-"])
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertTrue(result.stdout)
            self.assertEqual(self.entries(), before)
        refused = [["trace_convert", "run.tfold", "--to", form] for form in FORMATS]
        refused += [["trace_compress", self.sample], ["trace_inspect", "report", "run.tfold"],
                    ["trace_convert", "run.tfold", "--anonymize", "--to", "tfold"],
                    ["trace_convert", "run.tfold", "--ranks", "0-1", "--to", "tfold"],
                    ["trace_inspect", "profile", "run.tfold"]]
        for command in refused:
            with self.subTest(command=command):
                self.run_refused([*command, "-o", "-"], 2, "standard output")
        if (self.bin / "trace_replay").exists():
            self.run_refused(["trace_replay", "run.tfold", "--kit", "-"], 2, "standard output")


if __name__ == "__main__":
    main()
