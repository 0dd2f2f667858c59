#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks when a pager shows a listing: on a terminal only, and which program it is.

Usage: pager_test.py FOLDER_OF_TOOLS ARCHIVE
"""

import os
import pty
import subprocess
import sys
import tempfile

MARKED = "sed s/^/paged:/"


def on_terminal(command, **variables):
    """What a command prints on a terminal, and its exit code."""
    environment = {**os.environ, "TERM": "xterm", **variables}
    for name in ("PAGER", "TRACEFOLD_PAGER", "LESS"):
        if name not in variables:
            environment.pop(name, None)
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, environment)
    text = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        text += piece
    return text.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def cases(inspect, archive):
    """What is checked, whether the pager was used, and whether it should have been."""
    listing = [inspect, "calls", archive, "--ranks", "0"]
    used = lambda result: "paged:0 " in result[0]
    yield "TRACEFOLD_PAGER", used(on_terminal(listing, TRACEFOLD_PAGER=MARKED, PAGER="cat")), True
    yield "PAGER", used(on_terminal(listing, PAGER=MARKED)), True
    yield "--no-pager", used(on_terminal([*listing, "--no-pager"], PAGER=MARKED)), False
    yield "an empty TRACEFOLD_PAGER", used(on_terminal(listing, TRACEFOLD_PAGER="", PAGER=MARKED)), False
    yield "a dumb terminal", used(on_terminal(listing, PAGER=MARKED, TERM="dumb")), False
    piped = subprocess.run(listing, env={**os.environ, "PAGER": MARKED, "TERM": "xterm"}, text=True,
                           capture_output=True, check=True)
    yield "a pipe", used((piped.stdout, 0)), False
    yield "help", "paged:" in on_terminal([inspect, "--help"], PAGER=MARKED)[0], False
    yield "a wrong command line", "paged:" in on_terminal([inspect, "--hepl"], PAGER=MARKED)[0], False


def convert_cases(convert, archive, folder):
    lines = [convert, archive, "--to", "text", "--ranks", "0"]
    yield "text", "paged:#" in on_terminal(lines, PAGER=MARKED)[0], True
    to_file = [*lines, "-o", f"{folder}/lines.txt"]
    yield "text in a file", "paged:" in on_terminal(to_file, PAGER=MARKED)[0], False


def main(arguments):
    tools, archive = arguments
    with tempfile.TemporaryDirectory() as folder:
        found = [*cases(f"{tools}/trace_inspect", archive),
                 *convert_cases(f"{tools}/trace_convert", archive, folder)]
    problems = [f"{what}: the pager was {'' if used else 'not '}used"
                for what, used, wanted in found if used != wanted]
    missing = on_terminal([f"{tools}/trace_inspect", "info", "nothing.tfold"], PAGER=MARKED)
    if missing[1] != 1:
        problems.append(f"the exit code of a failure under a pager is {missing[1]}")
    print("\n".join(problems) or f"{len(found) + 1} cases")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
