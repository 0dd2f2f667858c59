#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when the manual page of a tool and its --help do not name the same options and commands.

Usage: check_manual.py TOOL FOLDER_OF_MANUALS
"""

import pathlib
import re
import subprocess
import sys

LONG_OPTION = re.compile(r"--[a-z][a-z-]*")


def help_text(tool, *commands):
    result = subprocess.run(
        [tool, *commands, "--help"], check=True, capture_output=True, text=True
    )
    return result.stdout


def section(text, title):
    """The indented lines that follow the line TITLE."""
    match = re.search(rf"^{title}:\n((?:  .*\n)+)", text, flags=re.MULTILINE)
    return match.group(1).splitlines() if match else []


def options_of(text):
    heads = (line.strip().split("  ")[0] for line in text.splitlines() if re.match(r" +-", line))
    return {option for head in heads for option in LONG_OPTION.findall(head)}


def helped(tool):
    """Options and commands that --help names, those of the commands included."""
    text = help_text(tool)
    commands = {line.split()[0] for line in section(text, "Subcommands")}
    options = options_of(text)
    for command in commands:
        options |= options_of(help_text(tool, command))
    return options, commands


def documented(manuals, name):
    """Options and commands that are defined in the manual page."""
    text = "".join((manuals / file).read_text() for file in (f"{name}.md", "common.md"))
    heads = re.findall(r"^(\*\*.*)\n:", text, flags=re.MULTILINE)
    options = {option for head in heads for option in LONG_OPTION.findall(head)}
    commands_text = re.search(r"^# COMMANDS\n(.*?)^# ", text, flags=re.MULTILINE | re.DOTALL)
    commands = re.findall(r"^\*\*(\w+)\*\*\n:", commands_text.group(1) if commands_text else "", re.M)
    return options, set(commands)


def main(arguments):
    tool, manuals = arguments
    name = pathlib.Path(tool).name
    problems = []
    for kind, shown, written in zip(
        ("option", "command"), helped(tool), documented(pathlib.Path(manuals), name)
    ):
        problems += [f"man/{name}.md lacks the {kind} {item}" for item in sorted(shown - written)]
        problems += [f"{name} has no {kind} {item}" for item in sorted(written - shown)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
