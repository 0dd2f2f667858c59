#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Gives every command folded files whose checksums are right, but whose loops nobody can unwind."""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys

from limited_case import LimitedCase
from tool_case import limits, main

COMMANDS = [
    *(
        ["trace_inspect", command, "{}"]
        for command in (
            "info structure calls messages matrix sizes system check profile io stats classes metrics graph"
        ).split()
    ),
    ["trace_inspect", "diff", "{}", "sound.tfold"],
    ["trace_inspect", "report", "{}", "-o", "out"],
    ["trace_scale", "extrapolate", "{}", "{}", "--ranks", "64", "-o", "out"],
    ["trace_scale", "models", "{}", "{}"],
    ["trace_scale", "compare", "{}", "{}"],
    ["trace_replay", "--dry-run", "{}"],
    ["trace_replay", "--check", "{}"],
    *(
        ["trace_convert", "-q", "{}", "--to", form, "-o", "out"]
        for form in "otf2 text jsonl ti goal dim dumpi chakra prv csv chrome c".split()
    ),
]

REFUSED = {
    "deep": "nested more than 250 levels deep",
    "doubling": "the counts of its loops do not add up",
    "doubling_deep": "the counts of its loops do not add up",
    "doubling_expected": "than the 1000 bytes of its archive can hold",
    "doubling_far": "more than any trace has",
    "shared": "the counts of its loops do not add up",
    "shared_deep": "the counts of its loops do not add up",
    "wrapped": "the counts of its loops do not add up",
    "none_expected": "the counts of its loops do not add up",
    "definitions": "definitions are more than it can describe",
}
# Refused by the one way in which all commands open a file, after seconds: one command of each tool will do.
SLOWLY_REFUSED = {"definitions"}
ENDLESS = ("functions", "sends", "irecvs", "enters", "barriers")
INTERRUPTED_AFTER_SECONDS = 0.2


def commands_for(name):
    if name not in SLOWLY_REFUSED:
        return COMMANDS
    return list({command[0]: command for command in COMMANDS}.values())


class HostileFiles(LimitedCase):
    maker = None

    def setUp(self):
        super().setUp()
        subprocess.run([self.maker, self.work], check=True)

    def test_what_cannot_be_is_refused(self):
        for name, sentence in REFUSED.items():
            for command in commands_for(name):
                words = [word.format(f"{name}.tfold") for word in command]
                with self.subTest(name=name, command=words):
                    self.fails(words, f"{name}.tfold", sentence)

    def test_what_would_take_for_ever_can_be_interrupted(self):
        """Files that claim 2^36 calls of one kind: whoever looks at each of them takes no memory
        for it, and ends by a signal without a trace."""
        if limits.THREAD_SANITIZER:
            self.skipTest("the thread sanitizer delivers no signal to a program that only computes")
        for kind in ENDLESS:
            for command in COMMANDS:
                words = [word.format(f"endless_{kind}.tfold") for word in command]
                with self.subTest(kind=kind, command=words):
                    before = self.entries()
                    code, memory = self.run_for(INTERRUPTED_AFTER_SECONDS, words)
                    self.assertIn(code, (0, 1, 2, 3, -signal.SIGTERM))
                    self.check_peak(memory, words)
                    if code not in (0, 3):
                        self.assertEqual(self.entries(), before)
                    shutil.rmtree(self.work / "out", ignore_errors=True)
                    (self.work / "out").unlink(missing_ok=True)

    def test_runs_that_would_be_read_one_by_one_are_bounded(self):
        for kind in ENDLESS:
            name = f"endless_{kind}.tfold"
            self.fails(["trace_scale", "extrapolate", name, name, "--ranks", "64", "-o", "out"], name,
                       "use runs of fewer steps")

    def run_for(self, seconds, command):
        process = subprocess.Popen(
            [str(self.bin / command[0]), *command[1:]], cwd=self.work, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        signal.signal(signal.SIGALRM, lambda *_: process.terminate())
        signal.setitimer(signal.ITIMER_REAL, seconds)
        _, status, usage = os.wait4(process.pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_maxrss * 1024

    def test_arguments_that_nobody_takes_are_found_by_a_check(self):
        self.fails(["trace_inspect", "check", "surplus.tfold"], "surplus.tfold",
                   "as many numbers as its script needs")

    def test_what_can_be_is_read(self):
        for name in ("sound", "deep_sound"):
            for command in ("info", "structure", "stats", "graph", "check", "classes"):
                self.succeeds(["trace_inspect", command, f"{name}.tfold"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--maker", type=pathlib.Path, required=True)
    options, rest = parser.parse_known_args()
    HostileFiles.maker = options.maker.resolve()
    sys.argv[1:] = rest
    main()
