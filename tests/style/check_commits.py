#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Subjects of commits, from the commit that added this check on. Usage: check_commits.py [ROOT]

A subject has at most 80 characters and begins with a verb of engineering, such as Add, Fix, Move or Remove, in place
of one that says nothing about the change. Leaves with 77 where there is no history.
"""

import pathlib
import subprocess
import sys

SKIPPED = 77
LONGEST = 80
VAGUE = {"Say", "Tell", "Let", "Take", "Keep", "Name", "Give", "Count", "Bring"}


def problems_in(subject):
    words = subject.split()
    if not words:
        yield "no subject"
    elif words[0] in VAGUE:
        yield f'"{words[0]}" does not say what changes: {subject}'
    if len(subject) > LONGEST:
        yield f"{len(subject)} characters, more than {LONGEST}: {subject}"


def git(root, *arguments):
    """The lines that git prints; none if it fails."""
    try:
        command = ["git", "-C", str(root), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2]).resolve()
    top = git(root, "rev-parse", "--show-toplevel")
    added = git(root, "log", "--diff-filter=A", "--format=%H", "--", "tests/style/check_commits.py")
    if not top or pathlib.Path(top[0]).resolve() != root or not added:
        print(f"{root} has no history since this check")
        return SKIPPED
    first = added[-1]
    lines = git(root, "log", "-1", "--format=%h %s", first) + git(root, "log", "--format=%h %s", f"{first}..HEAD")
    failed = 0
    for line in lines:
        commit, _, subject = line.partition(" ")
        for problem in problems_in(subject):
            print(f"{commit}: {problem}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
