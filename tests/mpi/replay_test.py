#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Replays an archive under mpiexec and compares what was issued with the calls that the text of the
trace shows, function by function.

usage: replay_test.py BIN ARCHIVE RANKS OPTIONS MPIEXEC -n   (OPTIONS: one word, for trace_replay)
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(100)

# Calls that reach no other process, or that a replay does by other means.
NOT_ISSUED = {
    "MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Cancel",
    "MPI_Request_free", "MPI_Comm_group", "MPI_Group_free", "MPI_Group_incl", "MPI_Buffer_attach",
    "MPI_Buffer_detach", "MPI_Send_init", "MPI_Recv_init", "MPI_Initialized", "MPI_Finalized",
    "MPI_Dims_create", "MPI_Cart_coords", "MPI_Cart_rank", "MPI_File_get_position",
    "MPI_File_get_position_shared", "MPI_File_get_size", "MPI_Reduce_local",
}


def run(command, timeout=TIMEOUT_SECONDS):
    return subprocess.run(
        command, capture_output=True, text=True, timeout=timeout, check=False)


def calls_in_text(tool, trace):
    """Calls per function, as trace_convert prints them: on one line, or from "enter" to "leave"; what
    MPI calls in between belongs to the outer call."""
    counts = collections.Counter()
    depth = collections.Counter()
    for line in run([tool, trace, "--to", "text"]).stdout.splitlines():
        words = line.split()
        if line.startswith("#") or len(words) < 4:
            continue
        location, word, name = words[0], words[3], words[-1].removesuffix("()")
        if word in ("enter", "leave") and name.startswith("MPI_"):
            counts[name] += word == "enter" and depth[location] == 0
            depth[location] += 1 if word == "enter" else -1
        elif word.startswith("MPI_") and depth[location] == 0:
            counts[word.removesuffix("()")] += 1
    return counts


def problems(tools, archive, ranks, options, launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-replay-") as folder:
        trace = str(pathlib.Path(folder) / "run.tfold")
        run([tools / "trace_compress", "-q", archive, "-o", trace])
        result = run([*launcher, ranks, tools / "trace_replay", trace, "--json", "--timeout", f"{limits.seconds(60)}s",
                      *options.split()])
        if result.returncode != 0 or result.stderr:
            yield f"exit code {result.returncode}:\n{result.stderr}"
            return
        report = json.loads(result.stdout)
        issued = {call["function"]: call["calls"] for call in report["calls_by_function"]}
        wanted = {name: count for name, count in calls_in_text(tools / "trace_convert", trace).items()
                  if name not in NOT_ISSUED}
        if "--verify" in options:
            proof = report["verified"]
            if proof["differences"] or proof["calls"] < report["calls"] or not proof["parts"]:
                yield f"not proven: {proof}"
        if "--wildcards" in options:
            made = {one["what"]: one["times"] for one in report["inferences"]}
            if not any("MPI_ANY_SOURCE" in what for what in made):
                yield f"no wildcards: {made}"
        vectors = ("alltoallv", "alltoallw", *(("gatherv", "scatterv", "allgatherv") if "tau" in archive else ()))
        spread = sum(call["sent_bytes"] + call["received_bytes"] for call in report["calls_by_function"]
                     if call["function"].lower().removeprefix("mpi_").removeprefix("i") in vectors)
        if report["fidelity"]["spread_bytes"] != spread:
            yield f"{report['fidelity']['spread_bytes']} bytes spread over partners instead of {spread}"
        check = json.loads(run([tools / "trace_replay", "--check", trace, "--json"]).stdout)
        not_issued = {call["function"]: call["not_issued"] for call in report["calls_by_function"] if "not_issued" in call}
        if check["not_issued"] != not_issued:
            yield f"not issued: {not_issued}, but {check['not_issued']} by the check"
        if not wanted:
            yield "the trace shows no calls"
        if issued != wanted:
            yield f"issued {issued}\nwanted {wanted}"
        if report["calls"] != sum(issued.values()):
            yield f"{report['calls']} calls in all, {sum(issued.values())} by function"
        if report["deltas"] == "exact" and "recorded" in report:
            recorded = report["recorded"]["wall"]["max"]
            replayed = report["replayed"]["wall"]["max"]
            if replayed < 0.5 * recorded:
                yield f"computation is missing: {replayed} s of {recorded} s"


def main(tools, archive, ranks, options, *launcher):
    found = list(problems(pathlib.Path(tools), archive, ranks, options, launcher))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
