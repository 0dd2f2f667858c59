#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a proxy application of an archive, compiles and runs it at the archive's number of ranks, and
compares the calls and bytes of every function on every rank with those of the trace.

usage: proxy_check.py [--bin BIN] [--most RANKS] [--timeout SECONDS] [--lines LINES] [--same-length]
                      [--log LIBRARY]
                      [--compiler MPICC] [--launcher "MPIEXEC -n"] ARCHIVE...

Set TRACEFOLD_MPI_PRELOAD to a library to be preloaded into the processes. Prints a table; exit code 0
if every archive gives an equal proxy or is refused with a sentence, 3 if one does not.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# What the program does at its beginning and end, and requests that are made, freed or cancelled where
# they are needed (docs/proxy.md).
NOT_COMPARED = {
    "MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Send_init", "MPI_Bsend_init",
    "MPI_Ssend_init", "MPI_Rsend_init", "MPI_Recv_init", "MPI_Cancel", "MPI_Request_free",
}
# Their bytes count where requests are posted.
COMPLETIONS = ("MPI_Wait", "MPI_Test")
SENT = {"send"}
RECEIVED = {"receive", "post_receive"}
# Issued as MPI_Comm_split.
SPLITS = dict.fromkeys(["MPI_Comm_split_type", "MPI_Cart_sub", "MPI_Graph_create",
                        "MPI_Dist_graph_create", "MPI_Dist_graph_create_adjacent"],
                       "MPI_Comm_split")
NO_ROOT = 0xFFFFFFFD
COLLECTIVE = {"collective", "post_collective"}


class Problem(Exception):
    """A sentence about what does not hold."""


def run(command, timeout, **options):
    try:
        return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              timeout=timeout, check=False, **options)
    except subprocess.TimeoutExpired as error:
        raise Problem(f"{command[0]} took more than {timeout} s") from error


def first_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[0] if lines else "no message"


def plain(name):
    """TAU's "MPI_Send()" is MPI_Send."""
    return name.removesuffix("()").rstrip()


def traced(lines):
    """(rank, function) -> calls, bytes sent, bytes received, from the JSON Lines of a trace."""
    counts = collections.defaultdict(lambda: [0, 0, 0])
    for line in lines:
        call = json.loads(line)
        count = counts[call["rank"], plain(call["name"])]
        count[0] += 1
        if plain(call["name"]).startswith(COMPLETIONS):
            continue
        for action in call.get("actions", []):
            kind = action["kind"]
            count[1] += action.get("bytes", 0) if kind in SENT else 0
            count[2] += action.get("bytes", 0) if kind in RECEIVED else 0
            if kind in COLLECTIVE and "handle" not in action.get("operation", ""):
                count[1] += action.get("sent", 0)
                count[2] += action.get("received", 0)
    return counts


def issued(text):
    """The same, from what the proxy prints with --counts."""
    counts = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 9 and words[0] == "rank":
            counts[int(words[1]), words[2]] = [int(words[4]), int(words[6]), int(words[8])]
    return counts


def differences(trace, proxy, missing, inferred):
    """Sentences; `missing` are the calls that the conversion says it left out or merged, `inferred`
    those with arguments that the trace does not have."""
    totals = [collections.Counter(), collections.Counter()]
    for (rank, name) in sorted(trace.keys() | proxy.keys()):
        want, got = trace.get((rank, name), [0, 0, 0]), proxy.get((rank, name), [0, 0, 0])
        totals[0][name] += want[0]
        totals[1][name] += got[0]
        if name in NOT_COMPARED or name in missing or name in inferred:
            continue
        if list(want) != list(got):
            yield f"rank {rank}: {name}: {want} in the trace, {got} in the proxy"
    for name, calls in missing.items():
        if name.startswith("MPI_") and totals[0][name] - calls != totals[1][name]:
            yield (f"{name}: {totals[0][name]} calls in the trace, {calls} of them left out, "
                   f"{totals[1][name]} in the proxy")


def launcher():
    command = shutil.which("mpiexec.mpich") or shutil.which("mpiexec") or "mpiexec"
    return f"{command} -n"


def environment(library, log):
    """Of a program whose calls `library` writes to `log`, if it is not None."""
    preload = os.environ.get("TRACEFOLD_MPI_PRELOAD") or os.environ.get("LD_PRELOAD", "")
    libraries = [name for name in (preload, library) if name]
    return {**os.environ, "LD_PRELOAD": ":".join(libraries), "MPI_LOG": str(log)}


def skips(name, missing):
    return name in NOT_COMPARED or name in missing


def traced_order(lines, missing):
    """Rank -> its calls in order as mpi_log.c writes them: names, then peer, tag and bytes of
    messages, or the root."""
    calls = collections.defaultdict(list)
    for line in lines:
        call = json.loads(line)
        if "call" not in call or skips(plain(call["name"]), missing):
            continue
        words = [SPLITS.get(plain(call["name"]), plain(call["name"]))]
        is_plain = words[0].startswith(COMPLETIONS + ("MPI_Start",))
        for action in [] if is_plain else call.get("actions", []):
            if action["kind"] in SENT | RECEIVED and action.get("completes", True):
                words += [action["peer"], action["tag"], action["bytes"]]
            elif action["kind"] == "post_receive":
                words += [0, 0, 0]  # never completed: posted where no message comes
            elif action["kind"] == "collective" and action["root"] < NO_ROOT:
                words.append(action["root"])
        calls[call["rank"]].append(" ".join(str(word) for word in words))
    return calls


def issued_order(log, ranks, missing):
    calls = {}
    for rank in range(ranks):
        path = pathlib.Path(f"{log}.{rank}")  # a rank without calls writes none
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        calls[rank] = [line for line in lines if not skips(line.split()[0], missing)]
    return calls


def order_differences(trace, proxy):
    known = {line.split()[0] for calls in proxy.values() for line in calls}
    for rank, calls in proxy.items():
        wanted = [line for line in trace[rank] if line.split()[0] in known]
        for number, (want, got) in enumerate(zip(wanted, calls)):
            if want != got:
                yield f"rank {rank}, call {number}: {want} in the trace, {got} in the proxy"
                break
        else:
            if len(wanted) != len(calls):
                yield f"rank {rank}: {len(wanted)} calls in the trace, {len(calls)} in the proxy"


def convert(tools, archive, output, target, timeout):
    result = run([tools / "trace_convert", archive, "--to", target, "-o", output, "-f", "--json"],
                 timeout)
    if result.returncode != 0:
        raise Problem("refused: " + first_line(result.stderr))
    return json.loads(result.stdout)


def check(options, archive):
    """Ranks, calls, lines of source, and what came out. Raises Problem."""
    tools, timeout = options.bin, options.timeout
    with tempfile.TemporaryDirectory(prefix="tracefold-proxy-") as folder:
        folder = pathlib.Path(folder)
        report = convert(tools, archive, folder / "proxy.c", "c", timeout)
        ranks = report["ranks"]
        lines = len((folder / "proxy.c").read_text().splitlines())
        if ranks > options.most:
            return ranks, report["calls"], lines, "not run"
        if options.lines and lines > options.lines:
            raise Problem(f"{lines} lines of source, more than {options.lines}")
        compiled = run([options.compiler, "-std=c99", "-O1", "-Wall", "-Werror", folder / "proxy.c", "-o",
                        folder / "proxy"], timeout)
        if compiled.returncode != 0:
            raise Problem("does not compile: " + first_line(compiled.stderr))
        ran = run([*options.launcher.split(), ranks, folder / "proxy", "--counts", "--no-compute"],
                  timeout, env=environment(options.log, folder / "log"))
        if ran.returncode != 0:
            raise Problem(f"exit code {ran.returncode}: {first_line(ran.stderr + ran.stdout)}")
        convert(tools, archive, folder / "trace.jsonl", "jsonl", timeout)
        with open(folder / "trace.jsonl", encoding="utf-8") as trace:
            wanted = traced(trace)
        missing = {plain(name): calls
                   for fate in ("dropped", "merged") for name, calls in report[fate].items()}
        inferred = report["approximated"]
        found = list(differences(wanted, issued(ran.stdout), missing, inferred))
        if options.log and not found:
            with open(folder / "trace.jsonl", encoding="utf-8") as trace:
                unlike = {*missing, *inferred}
                found += order_differences(traced_order(trace, unlike),
                                           issued_order(folder / "log", ranks, unlike))
        if found:
            raise Problem(f"{len(found)} differences: {found[0]}")
        dropped = sum(calls for name, calls in report["dropped"].items() if name.startswith("MPI_"))
        return ranks, report["calls"], lines, f"equal, {dropped} calls left out" if dropped else "equal"


def arguments_of_command_line():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--bin", type=pathlib.Path, default=here.parent / "build/release/bin")
    parser.add_argument("--most", type=int, default=32, help="ranks of what is run")
    parser.add_argument("--timeout", type=int, default=120, help="seconds of one step")
    parser.add_argument("--lines", type=int, default=0, help="of source at most (0: any number)")
    parser.add_argument("--same-length", action="store_true",
                        help="sources of all archives may differ by 5 percent in length")
    parser.add_argument("--log", help="a library of tests/support/mpi_log.c: compare the order, too")
    parser.add_argument("--compiler", default="mpicc")
    parser.add_argument("--launcher", default=launcher())
    parser.add_argument("archive", nargs="+")
    return parser.parse_args()


def main():
    arguments = arguments_of_command_line()
    print("| archive | ranks | calls | lines of C | result |\n|---|---|---|---|---|", flush=True)
    failed = False
    lengths = []
    for archive in arguments.archive:
        name = pathlib.Path(archive).name
        try:
            ranks, calls, lines, result = check(arguments, archive)
            lengths.append(lines)
            print(f"| {name} | {ranks} | {calls} | {lines} | {result} |", flush=True)
        except Problem as problem:
            failed = failed or not str(problem).startswith("refused: ")
            print(f"| {name} | | | | {problem} |", flush=True)
    if arguments.same_length and lengths and max(lengths) > 1.05 * min(lengths):
        print(f"the sources have {lengths} lines", flush=True)
        failed = True
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
