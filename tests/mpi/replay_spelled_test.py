#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""However a recorder spells MPI functions, check, replay, proxy, efficiency and exports agree.

usage: replay_spelled_test.py BIN MAKE_TRACE COUNTER COMPILER MPIEXEC -n
(COUNTER: of tests/support/mpi_count.c)
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

from replay_watched_test import counted  # noqa: E402

# Calls below the profiling interface that the program of tests/support/spelled_program.hpp makes.
EXPECTED = {
    "MPI_Send": 2, "MPI_Recv": 2, "MPI_Sendrecv": 2, "MPI_Isend": 4, "MPI_Irecv": 4,
    "MPI_Waitall": 4, "MPI_Wait": 2, "MPI_Ibarrier": 2, "MPI_Barrier": 2, "MPI_Allreduce": 2,
    "MPI_Bcast": 2, "MPI_Win_create": 2, "MPI_Win_fence": 4, "MPI_Put": 1, "MPI_Get": 1,
    "MPI_Win_free": 2, "MPI_File_open": 2, "MPI_File_write": 2, "MPI_File_close": 2,
}
NAMES = ["MPI_Init", "MPI_Comm_rank", "MPI_Isendrecv", "MPI_Finalize", *EXPECTED]
# Calls of the program: with those that are not issued, and MPI_Isendrecv in place of 4 calls.
CALLS = sum(EXPECTED.values()) + 3 * 2 - 2


def in_class(name):
    """As the C++ bindings of MPI-2 name it."""
    function = name.removeprefix("MPI_")
    if function in ("Init", "Finalize"):
        return f"MPI::{function}"
    if function == "Comm_rank":
        return "MPI::Comm::Get_rank"
    if function.startswith(("Win_", "File_")):
        scope, method = function.split("_", 1)
        return f"MPI::{scope}::{method.capitalize()}"
    return f"MPI::{'Win' if function in ('Put', 'Get') else 'Comm'}::{function}"


SPELLINGS = {
    "large": lambda n: f"{n}_c",
    "profiling": lambda n: f"P{n}",
    "profiling large": lambda n: f"P{n}_c",
    "fortran": lambda n: n.lower(),
    "fortran_": lambda n: f"{n.lower()}_",
    "fortran__": lambda n: f"{n.lower()}__",
    "FORTRAN": lambda n: n.upper(),
    "pmpi_": lambda n: f"p{n.lower()}_",
    "PMPI": lambda n: f"P{n.upper()}",
    "f08": lambda n: f"{n}_f08",
    "f08_": lambda n: f"{n.lower()}_f08_",
    "f08ts": lambda n: f"{n}_f08ts",
    "f08ts_": lambda n: f"{n.lower()}_f08ts_",
    "f08ts_large_": lambda n: f"{n.lower()}_f08ts_large_",
    "pmpir": lambda n: f"pmpir_{n.lower().removeprefix('mpi_')}_f08ts_",
    "f": lambda n: f"{n}_f",
    "fts": lambda n: f"{n}_fts",
    "module": lambda n: f"__mpi_f08_MOD_{n.lower()}",
    "line": lambda n: f"{n} [solver.c:123]",
    "parentheses": lambda n: f"{n}()",
    "tau": lambda n: f"{n}() [{{a.c}} {{3,1}}]",
    "tau range": lambda n: f"{n}() C [{{/home/x/MPI_code.c}} {{3,1}}-{{9,2}}]",
    "signature": lambda n: f"int {n}(const void *, int, MPI_Datatype, int, int, MPI_Comm)",
    "signature C": lambda n: f"int {n}(void *, int) C",
    "library": lambda n: f"{n}@libmpi.so.12",
    "version": lambda n: f"{n}@@LIBMPI_1.0",
    "module!": lambda n: f"libmpi.so.12!{n}",
    "[module]": lambda n: f"[libmpi.so.12] {n}",
    "module behind": lambda n: f"{n} [/usr/lib/libmpi.so.12]",
    "offset": lambda n: f"{n}+0x1f",
    "part": lambda n: f"{n}.part.0",
    "wrap": lambda n: f"__wrap_{n}",
    "key": lambda n: f"mpi.function={n}",
    "class": in_class,
    "class with arguments": lambda n: f"void {in_class(n)}(void const*, int) const",
}
# Functions that no standard has: their records tell what they do.
VENDOR = {
    "MPI_Send": "MPIX_Stream_send", "MPI_Recv": "MPI_Frob [a.c:3]", "MPI_Sendrecv": "MPIX_Exchange",
    "MPI_Isend": "MPIX_Isend_enqueue", "MPI_Irecv": "mpix_irecv_enqueue_",
    "MPI_Allreduce": "MPIX_Allreduce_tuned", "MPI_Ibarrier": "MPIX_Start_barrier",
    "MPI_Comm_rank": "MPI_Comm_whoami",
}
FORMATS = ["c", "ti", "goal", "dim", "dumpi"]


class Problem(Exception):
    """A sentence about what does not hold."""


def run(command, code=0, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            timeout=limits.seconds(60), check=False, **options)
    if result.returncode != code:
        raise Problem(f"{command}: exit code {result.returncode}, not {code}\n{result.stderr}")
    return result


class Tools:
    def __init__(self, folder, make_trace, counter, compiler, launcher):
        self.folder, self.make_trace = pathlib.Path(folder), make_trace
        self.counter, self.compiler, self.launcher = counter, compiler, [*launcher, "2"]

    def make(self, place, spellings):
        place.mkdir()
        (place / "names").write_text("".join(f"{a}\t{b}\n" for a, b in spellings.items()))
        run([self.make_trace, "spelled", place / "run.tfold", place / "names"])
        return place

    def counts(self, place, *command):
        """Calls below the profiling interface."""
        preloaded = ":".join(filter(None, [os.environ.get("LD_PRELOAD"), self.counter]))
        seen = place / "counts"
        seen.unlink(missing_ok=True)
        result = run([*self.launcher, "env", f"LD_PRELOAD={preloaded}", f"MPI_COUNT={seen}",
                      *command])
        counts = counted(seen)
        return {name: counts[name] for name in EXPECTED}, result

    def replay(self, place):
        counts, result = self.counts(place, self.folder / "trace_replay", place / "run.tfold",
                                     "--verify", "--json", "--timeout",
                                     f"{limits.seconds(20)}s")
        report = json.loads(result.stdout)
        if report["verified"]["differences"] or not report["verified"]["calls"]:
            raise Problem(f"not proven: {report['verified']}")
        if counts != EXPECTED:
            raise Problem(f"calls below PMPI: {counts}, not {EXPECTED}")
        return report["verified"]["calls"]

    def answers(self, place):
        """What commands say and conversions write, without the names of files."""
        found = {}
        for command in (["check"], ["efficiency"], ["matrix"], ["matrix", "--kind", "rma"]):
            said = run([self.folder / "trace_inspect", *command, place / "run.tfold", "--json"])
            document = json.loads(said.stdout)
            document.pop("file", None)
            # Call paths have the names of the recorder.
            waits = [{**wait, "path": ""} for wait in document.get("waits", [])]
            document["waits"] = sorted(waits, key=str)
            found[" ".join(command)] = document
        for name in FORMATS:
            run([self.folder / "trace_convert", "run.tfold", "-q", "--to", name, "-f", "-o",
                 f"out.{name}"], cwd=place)
            paths = sorted(path for path in place.rglob("*")
                           if path.is_file() and path.relative_to(place).parts[0] == f"out.{name}"
                           or path.parent == place and path.name.startswith(f"out.{name}."))
            # A proxy has the checksum of its file, in which the names stand.
            found[name] = [re.sub(rb'#define TRACE ".*"', b"", path.read_bytes()) for path in paths]
        return found

    def proxy(self, place):
        run([self.compiler, place / "out.c", "-o", place / "proxy", "-lm"])
        counts, _ = self.counts(place, place / "proxy", "--scratch", place)
        if counts != EXPECTED:
            raise Problem(f"calls of the proxy below PMPI: {counts}, not {EXPECTED}")


def by_records(check):
    found = [finding for finding in check["findings"] if finding["kind"] == "by_records"]
    return found[0] if found else {"count": 0, "examples": []}


def check_reference(tools, place):
    tools.make(place, {name: name for name in NAMES})
    answers = tools.answers(place)
    if answers["check"]["calls"] != CALLS or by_records(answers["check"])["count"] != 2:
        raise Problem(f"check: {answers['check']}, not {CALLS} calls, 2 by their records")
    if tools.replay(place) != CALLS - 6:
        raise Problem("the replay verifies another number of calls than check counts")
    tools.proxy(place)
    return answers


def check_spelling(tools, place, spell, reference):
    tools.make(place, {name: spell(name) for name in NAMES})
    answers = tools.answers(place)
    for answer in (answers["check"], reference["check"]):
        for finding in answer["findings"]:
            finding.pop("examples", None)
    for name, wanted in reference.items():
        if answers[name] != wanted:
            raise Problem(f"{name} differs: {str(answers[name])[:800]}\n{str(wanted)[:800]}")
    tools.replay(place)


def check_vendor(tools, place):
    tools.make(place, VENDOR)
    check = tools.answers(place)["check"]
    found = by_records(check)
    if found["count"] != 16 or not any("MPIX_Stream_send" in one for one in found["examples"]):
        raise Problem(f"check of functions of vendors: {check}")
    tools.replay(place)
    tools.proxy(place)


def check_unissued(tools, trace):
    """A call for which MPI gets none is told, is in no time, and fails unless that is accepted."""
    run([tools.make_trace, "closed", trace])
    replay = [*tools.launcher, tools.folder / "trace_replay", trace, "--json"]
    report = json.loads(run(replay, code=3).stdout)
    put = [call for call in report["calls_by_function"] if call["function"] == "MPI_Put"][0]
    if put["not_issued"] != 1 or put["replayed_seconds"] != 0 or report["fidelity"]["met"]:
        raise Problem(f"a call that is not issued: {put}")
    check = json.loads(run([tools.folder / "trace_replay", "--check", trace, "--json"]).stdout)
    if check["not_issued"] != {"MPI_Put": 1}:
        raise Problem(f"the check predicts {check['not_issued']}")
    text = run([*replay[:-1], "--allow-left-out"]).stdout
    if "not issued: 1 MPI_Put (the trace does not tell the window, or the target)" not in text:
        raise Problem(f"calls that are not issued are not told: {text}")


def check_refusals(tools, place):
    """What cannot be issued is named; a replay of nothing proves nothing."""
    tools.make(place, {"MPI_Put": "MPIX_Notify put", "MPI_Get": "MPIX_Get_notify"})
    trace = place / "run.tfold"
    said = run([tools.folder / "trace_inspect", "check", trace], code=3).stdout
    replay = [*tools.launcher, tools.folder / "trace_replay"]
    refused = run([*replay, trace], code=1).stderr
    for text in (said, refused):
        if "MPIX_Notify put" not in text or "MPIX_Get_notify" not in text:
            raise Problem(f"names are missing: {text}")
    run([*replay, trace, "--verify", "--unsupported", "skip"], code=3)
    skipped = run([*replay, trace, "--verify", "--unsupported", "skip", "--allow-left-out"])
    if "left out 2 calls" not in skipped.stderr:
        raise Problem(f"calls that are left out are not told: {skipped.stderr}")
    check_unissued(tools, place / "closed.tfold")
    run([tools.make_trace, "unsent", place / "unsent.tfold"])
    nothing = run([*replay, place / "unsent.tfold", "--verify"], code=3)
    if "nothing was replayed" not in nothing.stderr or "verified" in nothing.stdout:
        raise Problem(f"a replay of nothing: {nothing.stdout}{nothing.stderr}")


def main():
    folder, make_trace, counter, compiler, *launcher = sys.argv[1:]
    tools = Tools(folder, make_trace, counter, compiler, launcher)
    problems = []
    with tempfile.TemporaryDirectory(prefix="tracefold-spelled-") as name:
        places = pathlib.Path(name)
        reference = check_reference(tools, places / "reference")
        checks = {label: lambda place, spell=spell: check_spelling(tools, place, spell, reference)
                  for label, spell in SPELLINGS.items()}
        checks["vendor"] = lambda place: check_vendor(tools, place)
        checks["refusals"] = lambda place: check_refusals(tools, place)
        for number, (label, check) in enumerate(checks.items()):
            try:
                check(places / str(number))
            except Problem as problem:
                problems.append(f"{label}: {problem}")
    print("\n".join(problems) or f"{len(SPELLINGS)} spellings agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
