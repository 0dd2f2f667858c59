#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Collective calls that left no record: checked, replayed and proven, on any communicator, between
calls that have one, and under every name that recorders give them.

usage: replay_unrecorded_test.py BIN ARCHIVE_OF_LOG MPIEXEC -n
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(60)
RANKS = 4


def program(rank):
    """A line per call. Half of the ranks share one more communicator each."""
    half = [0, 1] if rank < 2 else [2, 3]
    yield "comm 0 0 1 2 3"
    yield f"comm 1 {half[0]} {half[1]}"
    yield "MPI_Init()"
    yield "MPI_Comm_create_group make 1"
    yield "mpi_barrier_"
    yield f"MPI_Bcast collective 0 2 {32 if rank == 2 else 0} 8"
    for _ in range(2 if rank < 2 else 3):
        yield "MPI_Allreduce()" if rank < 2 else "PMPI_Barrier"
    # On a communicator that the trace does not know.
    if rank == 3:
        yield "MPI_Reduce()"
    yield "MPI_IBARRIER"
    if rank == 0:
        # Of something else.
        yield "MPI_Wait"
    yield "MPI_Wait"
    yield "mpi_exscan__"
    yield "MPI_Finalize()"


# kind: how many calls. Two halves of two ranks, and all four.
WANTED = {"unrecorded_barrier": 4 + 3 * 2 + 4, "unrecorded_collective": 2 * 2 + 4,
          "unknown_size": 2 * 2 + 4, "lost_collective": 1}
ISSUED = {"MPI_Barrier": 4 + 3 * 2, "MPI_Bcast": 4, "MPI_Allreduce": 4, "MPI_Comm_create_group": 4, "MPI_Ibarrier": 4,
          "MPI_Exscan": 4}


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=TIMEOUT_SECONDS, check=False)


def problems(tools, writer, folder, launcher):
    for rank in range(RANKS):
        text = "\n".join(program(rank)) + "\n"
        (folder / f"log.{rank}").write_text(text, encoding="utf-8")
    made = run(writer, folder / "log", RANKS, folder / "archive")
    if made.returncode:
        yield made.stderr
        return
    trace = folder / "run.tfold"
    run(tools / "trace_compress", "-q", folder / "archive", "-o", trace)
    check = run(tools / "trace_replay", trace, "--check", "--json")
    if check.returncode:
        yield f"the check ends with {check.returncode}: {check.stderr}"
        return
    found = {one["kind"]: one["count"] for one in json.loads(check.stdout)["findings"]}
    if found != WANTED:
        yield f"the check finds {found}"
    result = run(*launcher, RANKS, tools / "trace_replay", trace, "--verify", "--json", "--deltas",
                 "none", "--timeout", f"{limits.seconds(30)}s")
    if result.returncode:
        yield f"the replay ends with {result.returncode}: {result.stderr}"
        return
    report = json.loads(result.stdout)
    issued = {one["function"]: one["calls"] for one in report["calls_by_function"]}
    issued = {name: issued[name] for name in issued if name != "MPI_Wait"}
    if issued != ISSUED:
        yield f"issued {issued}"
    if report["verified"]["differences"]:
        yield f"not proven: {report['verified']}"
    named = sum(one["times"] for one in report["inferences"] if "record: issued" in one["what"])
    if named != WANTED["unrecorded_barrier"] + WANTED["unrecorded_collective"]:
        yield f"named {report['inferences']}"


def main(tools, writer, *launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-unrecorded-") as folder:
        found = list(problems(pathlib.Path(tools), writer, pathlib.Path(folder), launcher))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
