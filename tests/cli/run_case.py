#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs one command line case and compares what it prints.

A case is a folder with
  cmd           shell script; finds $BIN (the tools, also in PATH), $SAMPLES, $CASE (its own
                folder) and starts in $WORK, an empty folder of its own
  needs         programs that may be missing, a line each: the case is skipped then (exit code 77)
  exit          wanted exit code; 0 if absent
  stdout        wanted output, to the byte; or
  stdout.glob   pattern of it: * is anything within a line, a line "..." any lines; not compared
                if both are absent
  stderr, stderr.glob
                the same; if both are absent, nothing may be printed on success

$WORK, $SAMPLES and $CASE stand in the files where the output has the folders' names.
--update rewrites stdout, stderr and exit where they exist or are needed.
"""

import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import limits

TIMEOUT_SECONDS = limits.seconds(100)
SKIPPED = 77


def pattern_to_regex(pattern):
    """The regular expression of a glob file."""
    parts = []
    for line in pattern.splitlines():
        if line == "...":
            parts.append(r"(?:[^\n]*\n)*")
        else:
            parts.append("[^\n]*".join(re.escape(piece) for piece in line.split("*")) + "\n")
    return re.compile("".join(parts))


class Case:
    def __init__(self, folder, tools, samples):
        self.folder = folder
        self.tools = tools
        self.samples = samples
        self.exit = 0
        self.output = {}

    def missing(self):
        """Programs that the case needs and nobody has installed."""
        file = self.folder / "needs"
        needed = file.read_text(encoding="utf-8").split() if file.exists() else []
        return [program for program in needed if shutil.which(program) is None]

    def run(self):
        work = pathlib.Path(tempfile.mkdtemp(prefix="tracefold-case-")).resolve()
        try:
            self._run_in(work)
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def _run_in(self, work):
        names = {"WORK": work, "SAMPLES": self.samples, "CASE": self.folder}
        environment = {
            **os.environ,
            **{name: str(path) for name, path in names.items()},
            "BIN": str(self.tools),
            "PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}",
            "LC_ALL": "C",
            "TERM": "dumb",
            "COLUMNS": "80",
        }
        result = subprocess.run(
            ["sh", "-eu", str(self.folder / "cmd")],
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        self.exit = result.returncode
        for stream, content in (("stdout", result.stdout), ("stderr", result.stderr)):
            text = content.decode("utf-8", errors="backslashreplace")
            for name, path in names.items():
                text = text.replace(str(path), f"${name}")
            self.output[stream] = text

    def wanted_exit(self):
        file = self.folder / "exit"
        return int(file.read_text()) if file.exists() else 0

    def problems(self):
        if self.exit != self.wanted_exit():
            yield f"exit code {self.exit} instead of {self.wanted_exit()}"
        for stream, text in self.output.items():
            yield from self._stream_problems(stream, text)

    def _stream_problems(self, stream, text):
        exact = self.folder / stream
        pattern = self.folder / f"{stream}.glob"
        if exact.exists():
            wanted = exact.read_text(encoding="utf-8")
            if text != wanted:
                lines = wanted.splitlines(), text.splitlines()
                diff = difflib.unified_diff(*lines, "wanted", "printed", lineterm="")
                yield f"{stream} differs:\n" + "\n".join(diff)
        elif pattern.exists():
            if not pattern_to_regex(pattern.read_text(encoding="utf-8")).fullmatch(text):
                yield f"{stream} does not match {pattern.name}:\n{text}"
        elif stream == "stderr" and self.wanted_exit() == 0 and text:
            yield f"stderr is not empty:\n{text}"

    def update(self):
        if self.exit != 0 or (self.folder / "exit").exists():
            (self.folder / "exit").write_text(f"{self.exit}\n")
        for stream, text in self.output.items():
            exact = self.folder / stream
            has_pattern = (self.folder / f"{stream}.glob").exists()
            if exact.exists() or (text and not has_pattern):
                exact.write_text(text, encoding="utf-8")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--samples", type=pathlib.Path, required=True, help="sample_traces/")
    parser.add_argument("--update", action="store_true", help="take the output as wanted")
    options = parser.parse_args(arguments)
    case = Case(options.case.resolve(), options.bin.resolve(), options.samples.resolve())
    if missing := case.missing():
        print("skipped: not installed:", *missing)
        return SKIPPED
    case.run()
    if options.update:
        case.update()
    problems = list(case.problems())
    for problem in problems:
        print(problem)
    if problems:
        for stream, text in case.output.items():
            print(f"--- {stream}\n{text}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
