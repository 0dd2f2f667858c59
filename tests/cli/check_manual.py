#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when the manual page of a tool and its --help do not name the same options and commands, or do
not describe the arguments alike.

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


def arguments_of(text):
    """Name and description of the arguments in a text of --help."""
    found = {}
    for line in section(text, "Positionals"):
        name, _, description = line.strip().partition("  ")
        if line[2] == " ":  # the description goes on
            name, description = list(found)[-1], found[list(found)[-1]] + " " + line.strip()
        found[name.split()[0]] = description.strip()
    return set(found.items())


def documented_arguments(manuals, name):
    """Name and first sentence of what is under ARGUMENTS in the manual page."""
    text = (manuals / f"{name}.md").read_text()
    part = re.search(r"^# ARGUMENTS\n(.*?)^# ", text, flags=re.MULTILINE | re.DOTALL)
    found = set()
    for head, body in re.findall(
            r"^(\*\w+\*(?:, \*\w+\*)*)\n:   (.*?)(?=\n\n)", part.group(1) if part else "",
            flags=re.MULTILINE | re.DOTALL):
        sentence = " ".join(body.split()).partition(". ")[0].rstrip(".")
        found |= {(word, sentence) for word in re.findall(r"\w+", head)}
    return found


def helped_arguments(tool):
    commands = {line.split()[0] for line in section(help_text(tool), "Subcommands") if line[2] != " "}
    texts = [help_text(tool, command) for command in commands] or [help_text(tool)]
    return set().union(*(arguments_of(text) for text in texts))


def helped(tool):
    """Options and commands that --help names, those of the commands included."""
    text = help_text(tool)
    commands = {line.split()[0] for line in section(text, "Subcommands") if line[2] != " "}
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
    shown, written = helped_arguments(tool), documented_arguments(pathlib.Path(manuals), name)
    problems += [f"man/{name}.md does not say: {': '.join(item)}" for item in sorted(shown - written)]
    problems += [f"{name} --help does not say: {': '.join(item)}" for item in sorted(written - shown)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
