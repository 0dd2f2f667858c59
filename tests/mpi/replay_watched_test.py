#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a tool sees that is preloaded beside a replay: every call of the trace once, in every mode.

usage: replay_watched_test.py BIN ARCHIVE RANKS COUNTER MPIEXEC -n   (COUNTER: of tests/support/mpi_count.c)
"""

import collections
import os
import pathlib
import sys
import tempfile

from replay_test import NOT_ISSUED, calls_in_text, limits, run

# Options, and how often the trace is replayed with them.
MODES = (
    ((), 1),
    (("--verify",), 1),
    (("--deltas", "exact"), 1),
    (("--repeat", "2", "--warmup", "1"), 3),
    (("--record", "played.tfold"), 2),
)
# Of a replay: its beginning and end, groups for calls that need some, what the program left to
# MPI_Finalize, and persistent requests, which show in no record.
OWN = {
    "MPI_Init_thread", "MPI_Finalize", "MPI_Group_incl", "MPI_Group_free", "MPI_Comm_free",
    "MPI_Win_free", "MPI_File_close", "MPI_Request_free", "MPI_Cancel", "MPI_Send_init",
    "MPI_Recv_init", "MPI_Comm_dup",
}
# Calls of which docs/reference/replay.md says that a replay makes others in their place, by archive.
REPLACED = {
    # Tests run as if each process had a node of its own: they share no memory.
    "micro-rma-4": {"MPI_Comm_split", "MPI_Comm_split_type", "MPI_Win_test", "MPI_Win_wait"},
    "micro-mpiio-4": {"MPI_File_open", "MPI_Waitall"},
}


def counted(path):
    counts = collections.Counter()
    for line in path.read_text().splitlines():
        name, calls = line.split()
        counts[name] += int(calls)
    return counts


def without(names, counts):
    return collections.Counter({name: count for name, count in counts.items() if name not in names})


def problems(tools, archive, ranks, counter, launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-watched-") as folder:
        folder = pathlib.Path(folder)
        trace = folder / "run.tfold"
        run([tools / "trace_compress", "-q", archive, "-o", trace])
        wanted = calls_in_text(tools / "trace_convert", trace)
        preloaded = ":".join(filter(None, [os.environ.get("LD_PRELOAD"), counter]))
        for options, times in MODES:
            place = folder / f"counts{'.'.join(options)}"
            words = [folder / word if "." in word else word for word in options]
            result = run([*launcher, ranks, "env", f"LD_PRELOAD={preloaded}", f"MPI_COUNT={place}",
                          tools / "trace_replay", trace, "-q", "--timeout", f"{limits.seconds(60)}s", *words])
            if result.returncode != 0:
                yield f"{options}: exit code {result.returncode}:\n{result.stderr}"
                continue
            replaced = REPLACED.get(pathlib.Path(archive).name, set())
            yield from differences(options, times, without(replaced, wanted),
                                   without(replaced, counted(place)), int(ranks))


def differences(options, times, wanted, seen, ranks):
    if seen["MPI_Init_thread"] != ranks:
        yield f"{options}: {seen['MPI_Init_thread']} processes were watched"
    for name in sorted(set(wanted) | set(seen)):
        if name in OWN or (name in NOT_ISSUED and name not in seen):
            continue
        if seen[name] != times * wanted[name]:
            yield f"{options}: {name}: {seen[name]} instead of {times} x {wanted[name]}"
        elif name in NOT_ISSUED:
            yield f"{options}: {name} is said not to be issued"


def main(tools, archive, ranks, counter, *launcher):
    found = list(problems(pathlib.Path(tools), archive, ranks, counter, launcher))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
