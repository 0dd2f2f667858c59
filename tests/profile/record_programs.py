#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records the programs of known_programs.c, and compares what is told of them with what they do.

usage: record_programs.py BIN RECORDER LAUNCHER... (as in mpiexec -n)

RECORDER is the source of a recorder that is preloaded and writes the folder OTF2_RECORDER_DIR; more_recorder.c adds windows, files, a
region and a counter. Steps and phases must be those of the
program; factors, waits and places those of check_efficiency.py; calls, messages and bytes those of check_counts.py. Exit code 3 if
anything differs.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import check_counts  # noqa: E402
from check_efficiency import Comparison  # noqa: E402

HERE = pathlib.Path(__file__).parent
# What the text must say: case, line of the findings, words.
SAID = (("in_place", "collectives", "MPI_Alltoall 8 (every step)"), ("deep", "steps", "messages every 3 steps"),
        ("every5", "collectives", "MPI_Allreduce 4 (every 5 steps)"), ("hypercube", "exchange", "recursive doubling"),
        ("ends", "collectives", "MPI_Reduce 2 (in step 0 and 9)"), ("grid", "process grid", "2 x 3, periodic"),
        ("communicators", "collectives", "MPI_Comm_split 14 (every step)"),
        ("nonblocking", "collectives", "MPI_Iallreduce 9 (every step)"))
# Sizes with MPI_IN_PLACE: the recorder leaves the own part out, so that both readings are told.
IN_PLACE = ("80 B if MPI_IN_PLACE", "48 B if MPI_IN_PLACE", "40 B if MPI_IN_PLACE")
# Calls without records: no factor is computed as if they were free.
UNRECORDED = ("persistent", "partitioned", "between")
# Least seconds of a kind of wait on a rank, far below what they are on an idle machine.
WAITS = (("late_sender", 1, "late_sender", 0.003), ("wrong_order", 1, "wrong_order", 0.002), ("probe", 1, "late_sender", 0.002),
         ("late_receiver", 0, "late_receiver", 0.003), ("late_receiver", 2, "late_receiver", 0.001),
         ("fences", 0, "fence", 0.004), ("epochs", 1, "late_post", 0.001), ("epochs", 0, "late_complete", 0.004),
         ("locks", 1, "late_unlock", 0.003), ("finalize", 1, "finalize", 0.005), ("rooted", 3, "late_root", 0.003), ("rooted", 2, "early_root", 0.002))


def built(folder, recorder):
    subprocess.run(["mpicc", "-O2", "-w", "-o", folder / "programs", HERE / "known_programs.c", "-ldl"], check=True)
    subprocess.run(["mpicc", "-std=c11", "-O2", "-w", "-shared", "-fPIC", f'-DRECORDER="{recorder}"', HERE / "more_recorder.c",
                    "-o", folder / "recorder.so", "-lopen-trace-format2"], check=True)
    return subprocess.run([folder / "programs", "--list"], check=True, capture_output=True, encoding="utf-8").stdout


def steps_of(findings):
    if "phases" in findings:
        return "+".join(map(str, findings["phases"]))
    return str(findings.get("steps", "none"))


def main(arguments):
    if len(arguments) < 3:
        sys.exit(__doc__[__doc__.index("usage:"):].splitlines()[0])
    tools, recorder, *launcher = arguments
    differ = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for line in built(folder, recorder).splitlines():
            name, ranks, truth = line.split()
            environment = {**os.environ, "OTF2_RECORDER_DIR": str(folder / name),
                           "LD_PRELOAD": f"{folder / 'recorder.so'} {os.environ.get('LD_PRELOAD', '')}"}
            if name == "cycles":
                environment["RECORDER_CYCLES"] = "1"
            subprocess.run([*launcher, ranks, folder / "programs", name], check=True, timeout=120, env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            found = Comparison(tools, folder / name)
            findings = found.inspect("structure")["findings"]
            lines = {item["subject"]: item["text"] for item in findings["lines"]}
            found.true(f"steps: {steps_of(findings)}, should be {truth}", steps_of(findings) == truth)
            for case, subject, words in SAID:
                if case == name:
                    found.true(f"{subject}: {lines.get(subject)}, should have {words}", words in lines.get(subject, ""))
            for case, rank, kind, least in WAITS:
                if case == name:
                    seconds = found.told["ranks"][rank]["waits"][kind]
                    found.true(f"{kind} on rank {rank}: {seconds} s, should be {least} s at least", seconds >= least)
            if name in UNRECORDED:
                found.true("no reason why factors are not computed", found.told.get("not_computed"))
                found.true("serialisation in spite of calls without records", "serialisation" not in found.told["efficiency"])
            if name == "cycles":
                found.true("no frequency", found.told.get("counters", {}).get("frequency"))
            if name == "in_place":
                text = found.run("trace_inspect", "structure", folder / name)
                for words in IN_PLACE:
                    found.true(f"structure does not say {words}", words in text)
            counts = check_counts.Comparison(tools, folder / name)
            found.problems += counts.problems
            found.compared += counts.compared
            print(f"{name}: {found}; {found.compared} figures compared, {len(found.problems)} differ", flush=True)
            for problem in found.problems[:20]:
                print(f"  {problem}")
            differ += bool(found.problems)
    return 3 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
