#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scaling factors of two runs with counters, which make_world makes, against values computed by hand.

usage: scaling_test.py BIN MAKE_WORLD

Three steps: 2 ranks compute 1000 ns each, with 2000 instructions and 2500 cycles; 4 ranks 600 ns, 1100 and 1200. Each step
ends in an MPI_Allreduce of 50 ns, MPI_Init and MPI_Finalize are outside.
"""

import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

SMALL = {"runtime": 3150e-9, "computation": 6000e-9, "instructions": 12000, "ipc": 0.8, "frequency": 2.5e9,
         "parallel": 3000 / 3150, "load_balance": 1, "communication": 3000 / 3150, "serialisation": 1,
         "computation_scaling": 1, "instruction_scaling": 1, "ipc_scaling": 1, "frequency_scaling": 1,
         "global": 3000 / 3150}
LARGE = {"runtime": 1950e-9, "computation": 7200e-9, "instructions": 13200, "ipc": 11 / 12, "frequency": 2e9,
         "parallel": 1800 / 1950, "computation_scaling": 6000 / 7200, "instruction_scaling": 12000 / 13200,
         "ipc_scaling": 11 / 12 / 0.8, "frequency_scaling": 0.8, "global": 1800 / 1950 * 6000 / 7200}
# In weak scaling, four ranks have twice the work of two.
WEAK = {**LARGE, "computation_scaling": 12000 / 7200, "instruction_scaling": 24000 / 13200,
        "global": 1800 / 1950 * 12000 / 7200}


def main(folder, make):
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        runs = {}
        for kind in ("counters_of_two", "counters", "counters_with_gap", "spell"):
            runs[kind] = pathlib.Path(scratch) / kind
            subprocess.run([make, kind, runs[kind]], check=True)

        def scale(*arguments):
            done = subprocess.run([pathlib.Path(folder) / "trace_scale", "efficiency", *arguments], capture_output=True,
                                  encoding="utf-8")
            if done.returncode != 0:
                problems.append(f"exit code {done.returncode}: {done.stderr}")
            return done.stdout

        def same(what, wanted, got):
            if got is None or abs(got - wanted) > 1e-9 * max(1, abs(wanted)):
                problems.append(f"{what}: {got}, should be {wanted}")

        both = runs["counters"], runs["counters_of_two"]  # in any order
        for options, large in ((), LARGE), (("--scaling", "weak"), WEAK):
            told = json.loads(scale(*both, "--json", *options))
            if [run["ranks"] for run in told["runs"]] != [2, 4]:
                problems.append("runs are not by number of ranks")
            for run, wanted in zip(({**run, **run["efficiency"]} for run in told["runs"]), (SMALL, large)):
                for name, value in wanted.items():
                    same(f"{run['ranks']} ranks {' '.join(options)}: {name}", value, run.get(name))
                product = run["instruction_scaling"] * run["ipc_scaling"] * run["frequency_scaling"]
                same("product of the three", run["computation_scaling"], product)
        rows = csv.DictReader(io.StringIO(scale(*both, "--csv")))
        found = {(int(row["ranks"]), row["figure"]): float(row["value"]) for row in rows}
        for name, value in LARGE.items():
            same(f"CSV: {name}", value, found.get((4, name)))
        text = scale(*both)
        for words in ("strong scaling (inferred: the instructions of all ranks grow as p^0.14)", "IPC scaling"):
            if words not in text:
                problems.append(f"the text lacks {words!r}")
        for other, words in (("spell", "instructions were not recorded"),
                             ("counters_with_gap", "counters lack values in more than 1 %")):
            text = scale(runs["counters"], runs[other], "--scaling", "strong")
            if words not in text or "IPC scaling" in text:
                problems.append(f"{other}: the text lacks {words!r}, or has factors of counters")
    print("\n".join(problems))
    return 3 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
