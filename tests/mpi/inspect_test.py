#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs commands of trace_inspect under mpiexec, which must print and write what one process does, and end alike where
the file is damaged.

usage: inspect_test.py BIN SAMPLES MPIEXEC...   (with its options)
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(60)
SAMPLES = ["micro-stencil2d9p-isend-4", "npb-lu.S-4", "micro-anysrc-4", "micro-omphyb-4", "made-cuda-2"]
# FILE is the folded file, OUT what is written.
COMMANDS = [
    ["efficiency", "FILE", "--json"],
    ["structure", "FILE", "--times", "--json"],
    ["report", "FILE", "--max-size", "1", "-o", "OUT"],
]


def result(words, source, work):
    """All that a command prints and writes."""
    out = work / "out.html"
    words = [str(source) if word == "FILE" else str(out) if word == "OUT" else word for word in words]
    done = subprocess.run(words, cwd=work, capture_output=True, timeout=TIMEOUT_SECONDS, check=False)
    told = [line for line in done.stderr.splitlines() if b"trace_inspect: error: " in line]
    page = out.read_bytes() if out.exists() else b""
    out.unlink(missing_ok=True)
    return {"exit code": done.returncode, "output": done.stdout, "errors": told, "page": page}


def differences(inspect, launcher, commands, source, work):
    for command in commands:
        alone = result([inspect, *command], source, work)
        together = result([*launcher, inspect, *command], source, work)
        for key, value in alone.items():
            if together[key] != value:
                yield f"{' '.join(command)}: {key} {str(together[key])[:500]}, not {str(value)[:500]}"


def fold(tools, archive, timing, folded):
    subprocess.run([tools / "trace_compress", "-q", "--timing", timing, archive, "-o", folded], check=True,
                   timeout=TIMEOUT_SECONDS)


def damage(folded, damaged):
    content = bytearray(folded.read_bytes())
    content[len(content) * 6 // 10] ^= 0x55
    damaged.write_bytes(content)


def problems(tools, samples, launcher):
    inspect = str(tools / "trace_inspect")
    for sample in SAMPLES:
        with tempfile.TemporaryDirectory(prefix="tracefold-mpi-") as folder:
            work = pathlib.Path(folder)
            fold(tools, samples / sample, "exact", work / "exact.tfold")
            damage(work / "exact.tfold", work / "damaged.tfold")
            for source in ("exact.tfold", "damaged.tfold"):
                for difference in differences(inspect, launcher, COMMANDS, work / source, work):
                    yield f"{sample}, {source}: {difference}"
    with tempfile.TemporaryDirectory(prefix="tracefold-mpi-") as folder:
        work = pathlib.Path(folder)
        fold(tools, samples / SAMPLES[0], "none", work / "none.tfold")
        yield from differences(inspect, launcher, COMMANDS, work / "none.tfold", work)
        yield from differences(inspect, launcher, COMMANDS[-1:], samples / SAMPLES[0], work)


def main(tools, samples, *launcher):
    found = list(problems(pathlib.Path(tools), pathlib.Path(samples), launcher))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
