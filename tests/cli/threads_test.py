#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs commands that take --threads with 1, 2 and 5 of them, which must print and write the same, and end
alike where the file is damaged.

usage: threads_test.py BIN ARCHIVE...
BIN is the folder of the tools. Each archive is folded with every timing level.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import limits

TIMEOUT_SECONDS = limits.seconds(100)
THREADS = ["1", "2", "5"]
TIMINGS = ["none", "histogram", "exact"]
# FILE is the folded file, OUT a file or folder to write.
COMMANDS = [
    ["trace_inspect", "check", "FILE", "--json"],
    ["trace_inspect", "stats", "FILE", "--json"],
    ["trace_inspect", "stats", "FILE", "--by", "path", "--csv"],
    ["trace_inspect", "stats", "FILE", "--by", "loop"],
    ["trace_inspect", "stats", "FILE", "--histogram", "MPI_*", "--over", "iterations", "--metric", "sent", "--json"],
    ["trace_inspect", "profile", "FILE", "--by", "location", "--json"],
    ["trace_inspect", "profile", "FILE", "-o", "OUT.cubex"],
    ["trace_inspect", "classes", "FILE", "--json"],
    ["trace_inspect", "classes", "FILE", "--per-iteration"],
    ["trace_inspect", "report", "FILE", "-o", "OUT.html"],
    ["trace_inspect", "efficiency", "FILE", "--json"],
    ["trace_inspect", "graph", "FILE", "--times", "--json"],
    ["trace_convert", "FILE", "--to", "tfold", "--ranks", "0", "-o", "OUT.tfold"],
] + [
    ["trace_convert", "FILE", "--to", form, "-o", f"OUT.{form}"]
    for form in ["otf2", "text", "jsonl", "csv", "chrome", "prv", "ti", "goal", "dim", "dumpi", "chakra", "c"]
]
# Commands whose threads read the times of records.
NEED_TIMES = ["efficiency", "graph"]
OF_TIME = re.compile(rb", [\d.]+ [num]?s$", re.MULTILINE)
# libotf2 gives each archive that it writes another id, unless the original anchor is kept.
ANCHOR = "result.otf2/traces.otf2"


def run(command, work):
    environment = {**os.environ, "TMPDIR": str(work), "LC_ALL": "C"}
    return subprocess.run(command, cwd=work, env=environment, capture_output=True, timeout=TIMEOUT_SECONDS,
                          check=False)


def result(tools, command, source, threads, work):
    """All that a command prints and writes."""
    out = work / "out"
    out.mkdir()
    words = [str(source) if word == "FILE" else word.replace("OUT", str(out / "result")) for word in command]
    done = run([tools / words[0], *words[1:], "--threads", threads], work)
    content = {"exit code": str(done.returncode), "stdout": OF_TIME.sub(b"", done.stdout),
               "stderr": OF_TIME.sub(b"", done.stderr)}
    for path in sorted(out.rglob("*")):
        if path.is_file():
            content[path.relative_to(out).as_posix()] = path.read_bytes()
    shutil.rmtree(out)
    return content


def differences(tools, source, timing, work):
    for command in COMMANDS:
        if timing != "exact" and command[1] in NEED_TIMES:
            continue
        expected = result(tools, command, source, THREADS[0], work)
        if expected["exit code"] not in ("0", "1", "3"):
            yield f"{' '.join(command)}: exit code {expected['exit code']}: {expected['stderr'].decode()}"
        for threads in THREADS[1:]:
            found = result(tools, command, source, threads, work)
            if found == expected:
                continue
            different = sorted(name for name in expected.keys() | found.keys()
                               if expected.get(name) != found.get(name))
            if timing != "exact" and different == [ANCHOR]:
                continue
            yield f"{' '.join(command)}: {', '.join(different)} with {threads} threads"


def ends_of_damaged(tools, source, work):
    """Commands that do not end with exit code 1, by whichever thread the damage is found."""
    content = bytearray(source.read_bytes())
    content[len(content) * 6 // 10] ^= 0x55
    damaged = work / "damaged.tfold"
    damaged.write_bytes(content)
    for command in COMMANDS:
        ends = [result(tools, command, damaged, threads, work)["exit code"] for threads in THREADS]
        # Not every command reads what is damaged.
        if ends[0] not in ("0", "1", "3") or len(set(ends)) > 1:
            yield f"{' '.join(command)}: exit codes {', '.join(ends)} for a damaged file"


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    tools = pathlib.Path(sys.argv[1])
    failed = 0
    for archive in sys.argv[2:]:
        for timing in TIMINGS:
            with tempfile.TemporaryDirectory() as folder:
                work = pathlib.Path(folder)
                source = work / "trace.tfold"
                folded = run([tools / "trace_compress", "-q", "--timing", timing, archive, "-o", source], work)
                if folded.returncode != 0:
                    print(folded.stderr.decode())
                    return 1
                found = [*differences(tools, source, timing, work)]
                if timing == "exact":
                    found += ends_of_damaged(tools, source, work)
                for difference in found:
                    failed += 1
                    print(f"{pathlib.Path(archive).name}, {timing}: {difference}")
    print(f"{failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
