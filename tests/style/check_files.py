#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""House rules that hold for every file of lib/, tools/ and python/. Usage: check_files.py [ROOT]

A licence header, no folders of somebody's machine, no open ends.
"""

import pathlib
import re
import sys

LICENCE = "SPDX-License-" + "Identifier: BSD-3-Clause"
MACHINE_PATH = re.compile(r"(?<![\w.*])/(work|farm|home|root|tmp|opt|Users)/")
DATA = "dictionary"  # of the library; no sources
OPEN_END = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def problems_in(path, relative):
    lines = path.read_text(encoding="utf-8").splitlines()
    if not any(LICENCE in line for line in lines[:3]):
        yield f"{relative}: the licence header is missing"
    for number, line in enumerate(lines, start=1):
        if MACHINE_PATH.search(line):
            yield f"{relative}:{number}: a path of one machine"
        if OPEN_END.search(line):
            yield f"{relative}:{number}: an open end; finish it or open an issue"


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).parents[2]
    root = root.resolve()
    files = [
        path
        for area in ("lib", "tools", "python")
        for path in sorted((root / area).rglob("*"))
        if path.suffix in (".hpp", ".cpp", ".txt", ".py", ".pyi") and path.parent.name != DATA
    ]
    problems = [p for path in files for p in problems_in(path, path.relative_to(root))]
    for line in problems:
        print(line)
    if not files:
        print(f"{root} holds no sources")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
