#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""An output appears whole and with exit code 0, or not at all: full disks and streams, signals."""

import os
import resource
import signal
import subprocess
import unittest

from tool_case import TIMEOUT_SECONDS, ToolCase, limits, main

FORMATS = ["otf2", "text", "jsonl", "ti", "goal", "dim", "dumpi", "prv", "csv", "chrome", "c", "chakra"]
WRITERS_ROUNDS = 4


class OutputCommands(ToolCase):
    """Commands that write, each something else."""

    def setUp(self):
        super().setUp()
        self.sample = self.samples / "micro-stencil2d9p-isend-4"
        self.succeeds(["trace_compress", self.sample, "-o", "run.tfold", "-q"])

    def start(self, command, **options):
        return subprocess.Popen(
            [str(self.bin / command[0]), *map(str, command[1:])],
            cwd=self.work, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)

    def run_with(self, command, **options):
        process = self.start(command, **options)
        words = process.communicate(timeout=TIMEOUT_SECONDS)[1]
        return process.returncode, words

    def commands(self, folder=""):
        for name in FORMATS:
            yield ["trace_convert", "run.tfold", "--to", name, "-o", f"{folder}out.{name}"]
        yield ["trace_convert", "run.tfold", "--ranks", "0-1", "-o", f"{folder}part.tfold"]
        yield ["trace_convert", "run.tfold", "--anonymize", "-o", f"{folder}public.tfold",
               "--mapping", f"{folder}names"]
        yield ["trace_compress", self.sample, "-o", f"{folder}out.tfold"]
        yield ["trace_inspect", "report", "run.tfold", "-o", f"{folder}out.html"]
        yield ["trace_inspect", "graph", "run.tfold", "-o", f"{folder}out.dot"]


class OutputsTest(OutputCommands):
    def check_failure(self, command, **options):
        before = self.entries()
        code, words = self.run_with(command, **options)
        self.assertEqual(code, 1, f"{command} {words}")
        self.assertEqual(words.count("\n"), 1, words)
        self.assertEqual(self.entries(), before, command)
        return words

    def test_a_full_standard_output(self):
        for command in self.commands():
            with open("/dev/full", "w", encoding="ascii") as full:
                words = self.check_failure(command, stdout=full)
            self.assertIn("cannot write to standard output", words)

    def test_no_standard_output(self):
        for command in self.commands():
            words = self.check_failure(command, preexec_fn=lambda: os.close(1))
            self.assertIn("cannot write to standard output", words)

    def test_files_that_may_not_grow(self):
        for kilobytes in [1, 2] if limits.THREAD_SANITIZER else [0, 1, 2]:  # the smallest output takes more
            limit = (1024 * kilobytes, 1024 * kilobytes)
            for command in self.commands():
                self.check_failure(
                    command,
                    stdout=subprocess.DEVNULL,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))

    def test_two_writers(self):
        """Both replace the same output: what is there in the end is whole, and of one of them."""
        self.succeeds(["trace_compress", self.samples / "micro-anysrc-4", "-o", "other.tfold", "-q"])
        for name in FORMATS:
            wanted = []
            commands = [["trace_convert", trace, "--to", name, "-o", f"{name}/out.{name}", "-f", "-q"]
                        for trace in ("run.tfold", "other.tfold")]
            (self.work / name).mkdir()
            for command in commands:
                self.succeeds(command)
                wanted.append(self.content(name))
            self.assertNotEqual(*wanted)
            for _ in range(WRITERS_ROUNDS):
                writers = [self.start(command, stdout=subprocess.DEVNULL) for command in commands]
                for writer in writers:
                    words = writer.communicate(timeout=TIMEOUT_SECONDS)[1]
                    self.assertEqual(writer.returncode, 0, words)
                self.assertIn(self.content(name), wanted, name)

    def content(self, folder):
        return {str(path): path.read_bytes() for path in (self.work / folder).rglob("*") if path.is_file()}

    def test_an_old_mapping(self):
        (self.work / "names").write_text("old")
        self.check_failure(["trace_convert", "run.tfold", "--anonymize", "-o", "public.tfold",
                            "--mapping", "names"])

    def test_an_output_is_looked_at_before_the_work(self):
        graph = ["trace_inspect", "graph", "run.tfold", "--class", "99", "-o", "run.dot"]
        self.assertIn("no class 99", self.run_with(graph)[1])
        self.assertFalse((self.work / "run.dot").exists())
        (self.work / "run.dot").touch()
        code, words = self.run_with(graph)
        self.assertEqual(code, 1)
        self.assertIn("run.dot already exists", words)

    def test_the_current_folder_is_gone(self):
        def leave():
            gone = self.work / "gone"
            gone.mkdir()
            os.chdir(gone)
            gone.rmdir()

        trace = self.work / "run.tfold"
        for command in self.commands():
            words = self.check_failure([trace if word == "run.tfold" else word for word in command], preexec_fn=leave)
            self.assertIn("the current folder no longer exists", words)

    def test_help_needs_standard_output(self):
        for tool in ["trace_compress", "trace_convert", "trace_inspect", "trace_replay"]:
            if not (self.bin / tool).exists():
                continue
            for option in ["--help", "--version"]:
                with open("/dev/full", "w", encoding="ascii") as full:
                    self.check_failure([tool, option], stdout=full)

    def test_modes_stay(self):
        self.succeeds(["trace_convert", "run.tfold", "--to", "otf2", "-o", "back"])
        for path, command in [
            ("run.txt", ["trace_convert", "run.tfold", "-o", "run.txt", "-f"]),
            ("back", ["trace_convert", "run.tfold", "--to", "otf2", "-o", "back", "-f"]),
        ]:
            place = self.work / path
            if not place.exists():
                place.touch()
            place.chmod(0o700 if place.is_dir() else 0o600)
            before = place.stat().st_mode
            self.succeeds(command)
            self.assertEqual(place.stat().st_mode, before)

    def test_signals(self):
        if limits.THREAD_SANITIZER:
            self.skipTest("the thread sanitizer delivers no signal while a program waits for another one")
        # The tool waits for this program when it has begun its output.
        programs = self.work / "programs"
        programs.mkdir()
        os.mkfifo(programs / "begun")
        os.mkfifo(programs / "end")
        dot = programs / "dot"
        dot.write_text(f"#!/bin/sh\necho > {programs}/begun\nread line < {programs}/end\n")
        dot.chmod(0o700)
        paths = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]:
            before = self.entries()
            process = self.start(["trace_inspect", "graph", "run.tfold", "-o", "run.svg"], env=paths)
            (programs / "begun").read_text()
            self.assertGreater(len(self.entries()), len(before))
            process.send_signal(number)
            # Of SIGKILL nobody hears: the next run removes what is left.
            killed = number == signal.SIGKILL
            self.assertEqual(process.wait(TIMEOUT_SECONDS), -number)
            (programs / "end").write_text("now\n")
            words = process.communicate(timeout=TIMEOUT_SECONDS)[1]
            self.assertEqual(words, "" if killed else f"trace_inspect: interrupted by "
                             f"{number.name}; no output was written, temporary files are "
                             f"removed\n")
            self.assertEqual(len(self.entries()), len(before) + killed)
        self.succeeds(["trace_inspect", "graph", "run.tfold", "-o", "run.svg", "--format", "dot"])
        self.assertEqual(self.entries(), sorted([*before, str(self.work / "run.svg")]))


if __name__ == "__main__":
    main()
