#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Replays an archive several times, with and without computation, repetitions and a warm-up, and compares
the fingerprints of the issued calls with that of the file alone.

usage: replay_repeat_test.py BIN ARCHIVE RANKS MPIEXEC -n
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(100)


def run(command):
    return subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)


def fingerprint(tools, trace, ranks, launcher, *options):
    result = run([*launcher, ranks, tools / "trace_replay", trace, "--json", "--verify",
                  "--timeout", f"{limits.seconds(60)}s", *options])
    if result.returncode != 0:
        sys.exit(f"{options}: exit code {result.returncode}:\n{result.stderr}")
    proof = json.loads(result.stdout)["verified"]
    if not proof["parts"]:
        sys.exit("nothing was compared")
    return proof["fingerprint"]


def main(tools, archive, ranks, *launcher):
    tools = pathlib.Path(tools)
    with tempfile.TemporaryDirectory(prefix="tracefold-replay-") as folder:
        trace = str(pathlib.Path(folder) / "run.tfold")
        run([tools / "trace_compress", "-q", archive, "-o", trace])
        first = fingerprint(tools, trace, ranks, launcher)
        of_file = run([tools / "trace_replay", "--fingerprint", trace]).stdout.strip()
        if of_file != first:
            sys.exit(f"fingerprint {first}, but {of_file} from the file alone")
        for options in ([], ["--deltas", "sample", "--seed", "7"], ["--repeat", "2"], ["--warmup", "1"]):
            again = fingerprint(tools, trace, ranks, launcher, *options)
            if again != first:
                sys.exit(f"{options}: fingerprint {again}, but {first} before")


if __name__ == "__main__":
    main(*sys.argv[1:])
