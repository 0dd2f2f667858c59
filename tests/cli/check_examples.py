#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the examples of a document and compares what they print with what it shows.

Examples are indented by four blanks. "$ COMMAND" is followed by its output, as in the files
stdout.glob of the cases (run_case.py); a line that ends with "..." goes on. A line that begins with
the name of a tool is a command whose output is not shown. Commands may find differences: exit codes 0
and 3 are right. A comment of its own line

    <!-- setup: COMMAND -->

is run where it stands, to make the files that the examples name (those with mpirun are left out); $SAMPLES is where the sample
archives are.

Usage: check_examples.py --bin BIN --samples SAMPLES DOCUMENT...
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import limits

from run_case import pattern_to_regex

SETUP = re.compile(r"<!-- setup: (.*) -->")
COMMAND = re.compile(r"    (?:\$ )?(trace_(?:compress|convert|inspect|replay|scale) .*)")
TIMEOUT_SECONDS = limits.seconds(100)


class Example:
    def __init__(self, line, command, is_setup=False):
        self.line = line
        self.command = command
        self.is_setup = is_setup
        self.output = None  # not shown


def examples_of(text):
    """The commands of a document, in order."""
    examples = []
    shown = None  # lines of output go there
    for number, line in enumerate(text.splitlines(), start=1):
        setup = SETUP.fullmatch(line)
        command = COMMAND.fullmatch(line)
        if setup:
            examples.append(Example(number, setup.group(1), is_setup=True))
        elif command:
            examples.append(Example(number, command.group(1)))
            shown = None
            if line.startswith("    $ "):
                shown = examples[-1].output = []
        elif shown is not None and line.startswith("    "):
            shown.append(line[4:])
        else:
            shown = None
    return examples


def shown_pattern(lines):
    """The lines of a glob file: those that go on end with anything."""
    out = []
    for line in lines:
        goes_on = line.endswith("...") and line.strip() != "..."
        out.append("..." if line.strip() == "..." else line[:-3] + "*" if goes_on else line)
    return "\n".join(out) + "\n"


class Document:
    def __init__(self, path, options):
        self.path = path
        self.options = options

    def run(self, command, folder):
        environment = {
            **os.environ,
            "SAMPLES": str(self.options.samples),
            "PATH": f"{self.options.bin}{os.pathsep}{os.environ['PATH']}",
            "LC_ALL": "C",
            "TERM": "dumb",
            "COLUMNS": "1000",
        }
        return subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )

    def problem_of(self, example, folder):
        result = self.run(example.command, folder)
        wanted = (0,) if example.is_setup else (0, 3)
        if result.returncode not in wanted:
            return f"exit code {result.returncode}\n{result.stderr}"
        if example.output is None:
            return None
        if pattern_to_regex(shown_pattern(example.output)).fullmatch(result.stdout):
            return None
        return f"prints\n{result.stdout}"

    def check(self):
        """What is wrong with it."""
        examples = examples_of(self.path.read_text())
        problems = []
        with tempfile.TemporaryDirectory(prefix="tracefold-examples-") as folder:
            for example in examples:
                problem = self.problem_of(example, folder)
                if problem:
                    problems.append(f"{self.path}:{example.line}: {example.command}\n{problem}")
        if all(example.is_setup for example in examples):
            problems.append(f"{self.path}: no examples")
        return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("--samples", type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("documents", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    problems = []
    for path in options.documents:
        problems += Document(path, options).check()
    print("\n".join(problems), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
