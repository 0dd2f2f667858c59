#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Gives a command the folder of an archive, its anchor file and the folded file, each of which must give the
same result, and looks for what was left in TMPDIR.

usage: any_input_test.py BIN ARCHIVE COMMAND...
COMMAND is that of a tool, with FILE for the input and OUT for a file or folder to write.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import limits

TIMEOUT_SECONDS = limits.seconds(60)
# What info says of the kind of its input.
OF_FOLDING = re.compile(r'(?<=INPUT  )(folded|OTF2 archive)|"input":"\w+"')
NAME = re.compile(r"someinput\.tfold|someinput|traces\.otf2")
# A page contains the name of its input.
OF_PAGE = re.compile(r"(?<=/out/result: )\d+ kB")
OF_TIME = re.compile(r", [\d.]+ [num]?s$", re.MULTILINE)


def text_of(path):
    return path.read_bytes().decode("utf-8", errors="backslashreplace")


class Cases:
    def __init__(self, tools, archive, command, work):
        self.tools = tools
        self.command = command
        self.work = work
        self.scratch = work / "scratch"
        self.scratch.mkdir()
        self.folder = work / "in" / "someinput"
        shutil.copytree(archive, self.folder)
        self.folded = work / "in" / "someinput.tfold"
        # As an archive is folded for a command that is given it.
        self.run([tools / "trace_compress", "-q", "--no-exact-bytes", self.folder, "-o", self.folded])
        self.before = self.entries()

    def run(self, command):
        return subprocess.run(
            command, cwd=self.work, env={**os.environ, "TMPDIR": str(self.scratch), "LC_ALL": "C"},
            capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)

    def entries(self):
        return sorted(self.scratch.rglob("*")) + sorted((self.work / "in").rglob("*"))

    def result(self, source):
        """All that a command prints and writes, without the name of its input."""
        out = self.work / "out"
        out.mkdir()
        names = {"FILE": source, "OUT": out / "result"}
        words = [str(names.get(word, word)) for word in self.command]
        result = self.run([self.tools / words[0], *words[1:]])
        content = [f"exit code {result.returncode}", result.stdout, result.stderr]
        for path in sorted(out.rglob("*")):
            if path.is_file():
                content += [str(path.relative_to(out)), text_of(path)]
        shutil.rmtree(out)
        text = NAME.sub("INPUT", "\n".join(content).replace(str(source), "INPUT"))
        return OF_PAGE.sub("", OF_TIME.sub("", OF_FOLDING.sub("", text)))

    def problems(self):
        wanted = self.result(self.folded)
        if not wanted.startswith(("exit code 0", "exit code 3")):
            yield wanted
        for source in (self.folder, self.folder / "traces.otf2"):
            found = self.result(source)
            if found != wanted:
                (self.work / "wanted").write_text(wanted)
                (self.work / "found").write_text(found)
                yield f"{source.name}:\n" + self.run(["diff", "wanted", "found"]).stdout
        if self.entries() != self.before:
            yield f"left behind: {self.entries()}"


def main(arguments):
    tools, archive, *command = arguments
    with tempfile.TemporaryDirectory(prefix="tracefold-input-") as work:
        cases = Cases(pathlib.Path(tools).resolve(), archive, command, pathlib.Path(work).resolve())
        problems = list(cases.problems())
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
