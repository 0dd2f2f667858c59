#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""clang accepts the sources of library, tools and tests, which another compiler builds: syntax and types, no code.

The argument is compile_commands.json of a build. Skipped without clang: exit code 77.
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

SKIPPED = 77
COMPILERS = ("clang++", "clang++-14")


def command_for(clang, entry):
    """Without code, output and warnings, which differ between releases."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    del words[output:output + 2]
    kept = [word for word in words[1:] if word != "-c" and not word.startswith("--param")]
    return [clang, *kept, "-w", "-fsyntax-only"]


def problem(clang, entry):
    done = subprocess.run(command_for(clang, entry), cwd=entry["directory"], capture_output=True, text=True, check=False)
    return f"{entry['file']}:\n{done.stderr}" if done.returncode else None


def main(commands):
    clang = next(filter(None, map(shutil.which, COMPILERS)), None)
    if clang is None:
        print("skipped: clang++ is not installed")
        return SKIPPED
    entries = [entry for entry in json.loads(pathlib.Path(commands).read_text())
               if entry["file"].endswith(("cpp", "cxx"))]
    # The largest take longest: they come first.
    entries.sort(key=lambda entry: -pathlib.Path(entry["file"]).stat().st_size)
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        problems = list(filter(None, pool.map(lambda entry: problem(clang, entry), entries)))
    print(f"{len(entries)} units, {len(problems)} refused by {clang}")
    for one in problems:
        print(one)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
