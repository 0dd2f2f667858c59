#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the completion scripts of a tool with its --help, and asks the shells that are there.

Every script must offer the options and words that the help of the tool and of each command names, and
no others. bash and fish are asked what they offer; zsh, which needs a terminal, checks the syntax.
Usage: completion_test.py TOOL [FOLDER_OF_INSTALLED_SCRIPTS]
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

OPTION = re.compile(r"^ +((?:-\w,)?--?[\w-]+(?:,--[\w-]+)*)(?: (\S+))?(?: |$)")
SHELLS = {"bash": "{}", "zsh": "_{}", "fish": "{}.fish"}


def output(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def helped(tool, *command):
    """Options that a help names, with the words of their values."""
    options = {}
    # Long lists of words go on in the next line.
    for line in re.sub(r"\|\n +", "|", output(tool, *command, "--help")).splitlines():
        match = OPTION.match(line)
        if not match:
            continue
        kind = match.group(2) or ""
        words = [re.split(r"[\[=]", word)[0] for word in kind.split("|")] if "|" in kind else []
        for name in match.group(1).split(","):
            options[name] = words
    return options


def commands_of(tool):
    part = re.search(r"^Subcommands:\n((?:  .*\n)+)", output(tool, "--help"), flags=re.M)
    lines = part.group(1).splitlines() if part else []
    return [line.split()[0] for line in lines if not line.startswith("   ")]


def ask_bash(script, line):
    """What bash offers for the last word of a line."""
    program = (
        f"source {script}; compopt() {{ :; }}; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($#-1)); COMPREPLY=();"
        f" _{line[0]}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    return set(output("bash", "-c", program, "bash", *line).split())


def ask_fish(script, line):
    program = f"source {script}; complete -C {' '.join(line)!r}"
    return {item.split("\t")[0] for item in output("fish", "-c", program).splitlines()}


def check_answers(ask, script, tool, commands):
    """ask(script, line) for options, words and commands."""
    name = pathlib.Path(tool).name
    shared = helped(tool)
    if commands and not set(commands) <= ask(script, [name, ""]):
        yield f"{name} TAB does not offer all commands"
    for command in commands or [""]:
        begin = [name, command] if command else [name]
        options = {**shared, **helped(tool, *begin[1:])}
        offered = ask(script, [*begin, "--"])
        wanted = {option for option in options if option.startswith("--")}
        if offered != wanted:
            yield f"{' '.join(begin)}: offers {sorted(offered ^ wanted)} or should"
        for option, words in options.items():
            found = ask(script, [*begin, option, ""]) if words and option.startswith("--") else set()
            if words and option.startswith("--") and found != set(words):
                yield f"{' '.join(begin)} {option}: offers {sorted(found)}, not {words}"


def check(tool, folder, scratch):
    name = pathlib.Path(tool).name
    commands = commands_of(tool)
    for shell, pattern in SHELLS.items():
        script = scratch / pattern.format(name)
        script.write_text(output(tool, "--completion", shell))
        installed = pathlib.Path(folder) / shell / script.name if folder else script
        if installed.read_text() != script.read_text():
            yield f"{installed} is not what {name} --completion {shell} prints"
        if not shutil.which(shell):
            print(f"skipped: {shell} is not installed")
            continue
        output(shell, "-n", str(script))
        if shell == "bash":
            yield from check_answers(ask_bash, script, tool, commands)
        if shell == "fish":
            yield from check_answers(ask_fish, script, tool, commands)
    for command in commands or [""]:
        options = helped(tool, *([command] if command else []))
        text = (scratch / SHELLS["zsh"].format(name)).read_text()
        for option in options:
            if f"{option}'[" not in text and f"{option}}}'[" not in text and f"{option}," not in text:
                yield f"zsh: {name} {command} lacks {option}"


def main(arguments):
    with tempfile.TemporaryDirectory() as scratch:
        problems = list(check(arguments[0], arguments[1] if len(arguments) > 1 else "",
                              pathlib.Path(scratch)))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
