#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks, replays and converts traces of 2 ranks that tests/support/make_trace.cpp makes.

usage: replay_made_test.py BIN MAKE_TRACE KIND COMPILER MPIEXEC -n
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(60)

# What a replay issues, by function, and how often it must have inferred what.
ISSUED = {
    "matched": {"MPI_Send": 6, "MPI_Mprobe": 3, "MPI_Improbe": 2, "MPI_Iprobe": 2, "MPI_Probe": 1,
                "MPI_Mrecv": 2, "MPI_Imrecv": 1, "MPI_Recv": 2, "MPI_Wait": 1},
    "handed": {"MPI_Send": 2, "MPI_Mprobe": 2, "MPI_Mrecv": 1, "MPI_Imrecv": 1, "MPI_Wait": 1},
    "groups": {"MPI_Send": 3, "MPI_Recv": 3},
}
INFERRED = {
    "matched": {"failed probes: probe for no message": 2,
                "probed messages that no call receives: received at the end": 1},
    "handed": {},
    "groups": {},
}
# Formats of one file or folder each; all say something about messages.
FORMATS = ["ti", "goal", "dumpi", "dim", "chrome", "prv", "csv", "jsonl"]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS,
                          check=False)


class Case:
    def __init__(self, tools, kind, launcher, trace):
        self.tools, self.kind, self.launcher, self.trace = tools, kind, launcher, trace

    def problems_of_replay(self):
        result = run([*self.launcher, "2", self.tools / "trace_replay", self.trace, "--json",
                      "--verify", "--timeout", f"{limits.seconds(20)}s"])
        if result.returncode != 0 or result.stderr:
            yield f"replay: exit code {result.returncode}:\n{result.stderr}"
            return
        report = json.loads(result.stdout)
        issued = {call["function"]: call["calls"] for call in report["calls_by_function"]}
        if issued != ISSUED[self.kind]:
            yield f"issued {issued}, not {ISSUED[self.kind]}"
        proof = report["verified"]
        if proof["differences"] or not proof["parts"]:
            yield f"not proven: {proof}"
        inferred = {one["what"]: one["times"] for one in report["inferences"]}
        if inferred != INFERRED[self.kind]:
            yield f"inferred {inferred}, not {INFERRED[self.kind]}"

    def problems_of_efficiency(self):
        """Threads that call MPI have figures, but for what they would do on an ideal network."""
        result = run([self.tools / "trace_inspect", "efficiency", self.trace, "--json"])
        if result.returncode != 0:
            yield f"efficiency: {result.stderr}"
            return
        figures = json.loads(result.stdout)
        if not figures["threads_call_mpi"] or "ideal_runtime" in figures:
            yield f"efficiency of threads that call MPI: {figures}"
        text = run([self.tools / "trace_inspect", "efficiency", self.trace]).stdout
        if "lost to MPI" not in text or "means over its threads" not in text:
            yield f"efficiency does not tell what times of a rank are: {text}"

    def problems_of_formats(self, folder):
        for name in FORMATS:
            result = run([self.tools / "trace_convert", self.trace, "--to", name, "-o",
                          folder / name])
            if result.returncode != 0:
                yield f"--to {name}: {result.stderr}"

    def problems_of_parts(self, folder):
        """Copies without names, and a part that has all ranks, have the same messages."""
        wanted = self.messages(self.trace, folder / "csv-of-trace")
        for options in (["--anonymize"], ["--ranks", "0-1", "--drop", "metrics"]):
            copy = folder / "copy.tfold"
            result = run([self.tools / "trace_convert", self.trace, *options, "--to", "tfold", "-f",
                          "-o", copy])
            if result.returncode != 0:
                yield f"{options}: {result.stderr}"
            elif self.messages(copy, folder / "csv-of-copy") != wanted or not wanted:
                yield f"{options} changes the messages"

    def messages(self, trace, folder):
        run([self.tools / "trace_convert", trace, "--to", "csv", "-f", "-o", folder])
        return (folder / "messages.csv").read_text()

    def problems_of_proxy(self, folder, compiler):
        program = folder / "proxy"
        for command in ([self.tools / "trace_convert", self.trace, "--to", "c", "--allow-left-out",
                         "-o", f"{program}.c"], [compiler, f"{program}.c", "-o", program],
                        [*self.launcher, "2", program, "--allow-left-out"]):
            result = run(command)
            if result.returncode != 0:
                yield f"{command[0]}: {result.stderr}"
                return


def problems(tools, make_trace, kind, compiler, launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-made-") as name:
        folder = pathlib.Path(name)
        trace = folder / "run.tfold"
        made = run([make_trace, kind, trace])
        if made.returncode != 0:
            yield made.stderr
            return
        case = Case(tools, kind, launcher, trace)
        yield from case.problems_of_replay()
        yield from case.problems_of_formats(folder)
        yield from case.problems_of_parts(folder)
        if kind == "handed":
            yield from case.problems_of_efficiency()
        else:
            yield from case.problems_of_proxy(folder, compiler)


def main():
    tools, make_trace, kind, compiler, *launcher = sys.argv[1:]
    found = list(problems(pathlib.Path(tools), make_trace, kind, compiler, launcher))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
