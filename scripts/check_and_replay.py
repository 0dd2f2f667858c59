#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the rule that what a check calls replayable replays, and what it does not, does not: folds
OTF2 archives, asks `trace_inspect check` and `trace_replay --check`, replays with --verify, and
compares the exit codes, without and with --unsupported skip. Prints a line per archive and choice.

Exit code 0 if they agree everywhere, 3 if not, 2 for a wrong command line.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

CHOICES = ("error", "skip")


def run(command, seconds):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", "it took too long")


def sentence(result):
    lines = [line for line in result.stderr.splitlines() if "error" in line]
    return lines[0] if lines else result.stderr.strip().split("\n")[0]


def compare(tools, trace, choice, ranks, options):
    """Exit codes of both checks and of the replay, and what the replay said."""
    skip = ["--unsupported", choice]
    checks = [run([tools / "trace_inspect", "check", "--json", trace, *skip], options.timeout),
              run([tools / "trace_replay", "--check", "--json", trace, *skip], options.timeout)]
    replay = run([*options.launcher.split(), str(ranks), tools / "trace_replay", trace, "--verify",
                  "--deltas", "none", "--timeout", f"{options.timeout // 2}s", "-q",
                  "--scratch", str(trace.parent), *skip], options.timeout)
    return [check.returncode for check in checks], replay


def outcome(codes, replay):
    if codes[0] != codes[1]:
        return "DISAGREE"
    return "agree" if (codes[0] == 0) == (replay.returncode == 0) else "DISAGREE"


def check_archive(tools, archive, folder, options):
    """True if check and replay agree about an archive."""
    trace = pathlib.Path(folder) / "run.tfold"
    folded = run([tools / "trace_compress", "-q", "--force", "--no-verify", archive, "-o", trace],
                 options.timeout)
    if folded.returncode != 0:
        print(f"{archive.name}: not folded: {sentence(folded)}")
        return False
    check = run([tools / "trace_inspect", "check", "--json", trace], options.timeout)
    ranks = json.loads(check.stdout)["ranks"] if check.stdout else 0
    if ranks > options.most:
        print(f"{archive.name}: {ranks} ranks, left out")
        return True
    agree = True
    for choice in CHOICES:
        codes, replay = compare(tools, trace, choice, max(ranks, 1), options)
        word = outcome(codes, replay)
        agree = agree and word == "agree"
        said = sentence(replay) if replay.returncode != 0 else ""
        print(f"{archive.name} --unsupported {choice}: check {codes[0]}, --check {codes[1]}, "
              f"replay {replay.returncode}: {word} {said}", flush=True)
    return agree


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--bin", default=str(root / "build/release/bin"), help="the built tools")
    parser.add_argument("--most", type=int, default=32, help="leave out archives with more ranks")
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one program")
    parser.add_argument("--launcher", default="", help="command that takes a number of processes")
    parser.add_argument("archives", nargs="+", type=pathlib.Path, metavar="ARCHIVE")
    options = parser.parse_args()
    if not options.launcher:
        found = shutil.which("mpiexec.mpich") or shutil.which("mpiexec")
        if found is None:
            parser.error("there is no mpiexec; give one with --launcher")
        options.launcher = found + " -n"
    tools = pathlib.Path(options.bin)
    bad = []
    with tempfile.TemporaryDirectory(prefix="tracefold-check-") as folder:
        for archive in options.archives:
            if not check_archive(tools, archive, folder, options):
                bad.append(archive.name)
    print(f"{len(options.archives)} archives, {len(bad)} of them with a disagreement"
          + (": " + " ".join(bad) if bad else ""))
    return 3 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
