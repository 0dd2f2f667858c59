#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the examples that end the help of every command of trace_inspect.

Each command must have two examples of its own at least, and its help all options: those that all
commands take, too. Usage: help_examples_test.py FOLDER_OF_TOOLS ARCHIVE
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SHARED = {"--json", "--verbose", "--quiet", "--color", "--no-pager", "--completion", "--help"}


def help_of(tool, *command):
    return subprocess.run([tool, *command, "--help"], check=True, capture_output=True,
                          text=True).stdout


def examples_of(text):
    part = text.partition("\nExamples:\n")[2]
    return [line.strip() for line in part.splitlines() if re.match(r"  \S", line)]


def problems_of_server(line, folder, environment):
    """A server goes on until it is ended: it has to tell its address."""
    with subprocess.Popen(["sh", "-c", f"exec {line}"], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as server:
        said = server.stdout.readline()
        server.terminate()
        if not said.startswith("http://127.0.0.1:"):
            yield f"{line} does not tell its address"


def problems_of(command, text, folder, environment):
    examples = examples_of(text)
    if len(examples) < 2:
        yield f"{command} has {len(examples)} examples"
    for option in SHARED:
        if not re.search(rf"^ .*{option}\b", text, flags=re.M):
            yield f"the help of {command} does not name {option}"
    for example in examples:
        line = re.sub(r"^mpirun -n \d+ ", "", example)
        if not line.startswith(f"trace_inspect {command} "):
            yield f"{command}: {example} is an example of something else"
            continue
        if command == "serve":
            yield from problems_of_server(line, folder, environment)
            continue
        result = subprocess.run(["sh", "-c", line], cwd=folder, env=environment, check=False,
                                capture_output=True, text=True)
        if "pictures need the program dot" in result.stderr and shutil.which("dot") is None:
            continue
        # The sample has no functions solve*, which the examples name.
        said = re.sub(r".*no name in the trace matches solve.*", "", result.stderr)
        if result.returncode not in (0, 3) or "warning" in said:
            yield f"{example}: exit code {result.returncode}\n{result.stderr}"


def main(arguments):
    tools, archive = arguments
    inspect = f"{tools}/trace_inspect"
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    commands = re.findall(r"^  (\w+)", help_of(inspect).partition("Subcommands:\n")[2].partition("\n\n")[0],
                          flags=re.M)
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run.tfold"
        subprocess.run([f"{tools}/trace_compress", "-q", archive, "-o", str(run)], check=True)
        for copy in ("old.tfold", "new.tfold"):
            shutil.copy(run, run.with_name(copy))
        for command in commands:
            problems += problems_of(command, help_of(inspect, command), folder, environment)
    print("\n".join(problems) or f"the examples of {len(commands)} commands")
    return 1 if problems or not commands else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
