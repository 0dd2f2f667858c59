#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Traces with calls whose records are missing: what is known is issued, by name, and the rest is counted by function and
reason, the same in check and replay.

usage: replay_left_out_test.py BIN MAKE_TRACE COUNTER MPIEXEC -n   (COUNTER: of tests/support/mpi_count.c)
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

from replay_watched_test import counted  # noqa: E402

WINDOW = "the trace does not tell the window, or the target"
FILE = "the trace does not tell the file, or its ranks disagree on the calls"


class Kind:
    def __init__(self, issued, findings=(), not_issued=None, left_out=None, substituted=0, reason=""):
        self.issued, self.findings = issued, dict(findings)
        self.not_issued, self.left_out = not_issued or {}, left_out or {}
        self.substituted, self.reason = substituted, reason


KINDS = {
    # By step and rank: two receives, of which one has no message, and a send; then one of each.
    "requests": Kind({"MPI_Irecv": 18, "MPI_Isend": 12, "MPI_Waitall": 6, "MPI_Wait": 12}, {"paired_request": 24}),
    # Each rank waits for its send before the other one receives: paired, large messages would never end.
    "contradiction": Kind({"MPI_Isend": 2, "MPI_Wait": 2, "MPI_Recv": 2, "MPI_Request_free": 2}, {"unpaired_request": 2},
                          substituted=2),
    "bare_windows": Kind({"MPI_Isend": 2, "MPI_Recv": 2, "MPI_Put": 0, "MPI_Win_flush": 0, "MPI_Request_free": 2},
                         not_issued={"MPI_Put": 2, "MPI_Win_flush": 2},
                         left_out={"MPI_Win_create": 2, "MPI_Win_free": 2, "MPI_Win_lock_all": 2}, substituted=6,
                         reason=WINDOW),
    "reopened": Kind({"MPI_File_open": 8, "MPI_File_close": 8, "MPI_File_set_view": 4, "MPI_File_set_size": 4,
                      "MPI_File_sync": 0, "MPI_File_seek": 0}, {"closed_object": 1},
                     not_issued={"MPI_File_sync": 2, "MPI_File_seek": 1}, substituted=3, reason=FILE),
}


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                          timeout=limits.seconds(60), **options)


def problems_of_check(tools, trace, kind):
    result = run([tools / "trace_inspect", "check", trace, "--json"])
    check = json.loads(result.stdout)
    findings = {one["kind"]: one["count"] for one in check["findings"]}
    for name, count in kind.findings.items():
        if findings.get(name) != count:
            yield f"check finds {findings}, not {kind.findings}"
    if check["not_issued"] != kind.not_issued or check["unsupported"] != kind.left_out:
        yield f"check: not issued {check['not_issued']}, unsupported {check['unsupported']}"
    reasons = dict.fromkeys([*kind.not_issued, *kind.left_out], kind.reason)
    if check["reasons"] != reasons:
        yield f"check: reasons {check['reasons']}"
    text = run([tools / "trace_inspect", "check", trace]).stdout
    for name, count in kind.not_issued.items():
        if f"not issued by a replay: {count} {name} ({kind.reason})" not in text:
            yield f"check does not name {name}: {text}"


def problems_of_replay(tools, trace, counter, launcher, kind):
    counts = trace.with_suffix(".counts")
    preloaded = ":".join(filter(None, [os.environ.get("LD_PRELOAD"), counter]))
    command = [*launcher, "2", "env", f"LD_PRELOAD={preloaded}", f"MPI_COUNT={counts}", tools / "trace_replay", trace,
               "--verify", "--unsupported", "skip", "--timeout", f"{limits.seconds(20)}s"]
    report = trace.with_suffix(".json")
    result = run([*command, "--repeat", "1", "--warmup", "0", "--report", report])
    is_whole = not kind.not_issued and not kind.left_out
    if result.returncode != (0 if is_whole else 3):
        yield f"exit code {result.returncode}: {result.stderr}"
        return
    seen = counted(counts)
    issued = {name: seen[name] for name in kind.issued}
    if issued != kind.issued:
        yield f"calls below PMPI: {issued}, not {kind.issued}"
    replay = json.loads(report.read_text())
    not_issued = {one["function"]: one["not_issued"] for one in replay["calls_by_function"] if "not_issued" in one}
    left_out = {one["function"]: one["calls"] for one in replay.get("left_out", [])}
    reasons = {one.get("reason") for one in replay["calls_by_function"] + replay.get("left_out", [])} - {None}
    if not_issued != kind.not_issued or left_out != kind.left_out or reasons - {kind.reason}:
        yield f"replay: not issued {not_issued}, left out {left_out}, reasons {reasons}"
    if replay["fidelity"]["met"] != is_whole or replay["verified"]["substituted"] != kind.substituted:
        yield f"replay: {replay['fidelity']}, {replay['verified']}"
    if replay["verified"]["differences"]:
        yield f"replay: {replay['verified']}"
    for name, count in [*kind.not_issued.items(), *kind.left_out.items()]:
        if f"{count} {name} ({kind.reason})" not in result.stdout:
            yield f"the replay does not name {name}: {result.stdout}"
    if run([*command, "--allow-left-out"]).returncode != 0:
        yield "fails in spite of --allow-left-out"
    fingerprint = run([tools / "trace_replay", trace, "--fingerprint", "--unsupported", "skip"]).stdout.strip()
    if fingerprint != replay["verified"]["fingerprint"]:
        yield f"fingerprint {fingerprint} of the file, {replay['verified']['fingerprint']} issued"


def main(tools, make_trace, counter, *launcher):
    found = []
    with tempfile.TemporaryDirectory(prefix="tracefold-left-out-") as name:
        for kind, wanted in KINDS.items():
            trace = pathlib.Path(name) / f"{kind}.tfold"
            run([make_trace, kind, trace])
            found += [f"{kind}: {text}" for text in problems_of_check(pathlib.Path(tools), trace, wanted)]
            found += [f"{kind}: {text}"
                      for text in problems_of_replay(pathlib.Path(tools), trace, counter, launcher, wanted)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
