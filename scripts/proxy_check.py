#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a proxy application of an archive, compiles and runs it at the archive's number of ranks, and
compares the calls and bytes of every function on every rank with those of the trace.

usage: proxy_check.py [--bin BIN] [--most RANKS] [--timeout SECONDS] [--lines LINES] [--same-length]
                      [--log LIBRARY [--fold TOOL]]
                      [--compiler MPICC] [--launcher "MPIEXEC -n"] ARCHIVE...

Set TRACEFOLD_MPI_PRELOAD to a library to be preloaded into the processes. Prints a table; exit code 0
if every archive gives an equal proxy or is refused with a sentence, 3 if one does not.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What the program does at its beginning and end, and requests that are made or cancelled where they
# are needed (docs/reference/proxy.md).
NOT_COMPARED = {
    "MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Send_init", "MPI_Bsend_init",
    "MPI_Ssend_init", "MPI_Rsend_init", "MPI_Recv_init", "MPI_Cancel",
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
    """TAU's "MPI_Send() [{a.c} {3,1}]" is MPI_Send, and so is MPI_Send_c."""
    return re.sub(r"[ (\[].*", "", name).removesuffix("_c")


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
    if any(sent or received for _, sent, received in trace.values()) and not any(
            count[0] for (_, name), count in proxy.items() if name not in NOT_COMPARED):
        yield "the proxy issues none of the communication of the trace"
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


# What mpi_log.c calls the kinds of actions, and how many numbers follow; a send may have a request, too.
WORDS = {"send": "send", "receive": "receive", "post_receive": "post", "complete_send": "sent",
         "complete_receive": "received", "create_comm": "make", "destroy_comm": "free",
         "collective": "collective"}
NUMBERS = {"send": 4, "receive": 4, "post": 1, "sent": 1, "received": 5, "make": 1, "free": 1,
           "collective": 4}
COMM_PLACE = {"received": 1, "post": None, "sent": None}
REQUEST_PLACE = {"send": 4, "post": 0, "sent": 0, "received": 0}


def action_words(action):
    """As mpi_log.c writes an action, with communicators and requests by their ids."""
    kind, word = action["kind"], WORDS.get(action["kind"])
    if word is None or (kind == "collective" and action["operation"].endswith("handle")):
        return []
    request = [action["request"]] if "request" in action else []
    if word in ("post", "sent"):
        return [word, *request]
    if word in ("make", "free"):
        return [word, action["comm"]]
    if word == "collective":
        root = action["root"] if action["root"] < NO_ROOT else -1
        return [word, action["comm"], root, action["sent"], action["received"]]
    message = [action["comm"], action["peer"], action["tag"], action["bytes"]]
    return [word, *request, *message] if word == "received" else [word, *message, *request]


def traced_line(call):
    """As mpi_log.c writes a call."""
    name = SPLITS.get(plain(call["name"]), plain(call["name"]))
    words = [name]
    actions = call.get("actions", []) if name != "MPI_Request_free" else []
    for action in actions:
        # What MPI_Comm_idup makes, and receives that TAU does not record where they are posted.
        if not name.startswith(COMPLETIONS) or action["kind"] not in ("create_comm", "receive"):
            words += action_words(action)
    return " ".join(str(word) for word in words)


def split_actions(words):
    """Actions of a line: lists of a word and its numbers."""
    while words:
        count = 1 + NUMBERS[words[0]]
        if words[0] == "send" and len(words) > count and words[count] not in NUMBERS:
            count += 1
        yield words[:count]
        words = words[count:]


class RankLog:
    """The calls of a rank, with communicators and requests numbered as these calls mention them."""

    def __init__(self, lines=(), chance=()):
        self.lines = []
        self.comms = {}
        self.requests = {}
        self.completed = {number for line in lines for number in re.findall(r" sent (\d+)", line)}
        for line in lines:
            self.add(line, chance)

    def add(self, line, chance):
        words = line.split()
        out = words[:1]
        for word, *numbers in [] if out[0] in chance else split_actions(words[1:]):
            comm, request = COMM_PLACE.get(word, 0), REQUEST_PLACE.get(word)
            if word == "send" and numbers[request:] and numbers[request] not in self.completed:
                del numbers[request]
            if request is not None and request < len(numbers):
                if word in ("send", "post"):
                    self.requests.setdefault(numbers[request], len(self.requests))
                if numbers[request] not in self.requests:
                    continue  # posted by a call that is not compared
                numbers[request] = self.requests[numbers[request]]
            if comm is not None:
                numbers[comm] = self.comms.setdefault(numbers[comm], len(self.comms))
            out += [word, *numbers]
        self.lines.append(" ".join(str(word) for word in out))


def issued_logs(log, ranks, missing, chance):
    """Rank -> its log, and its communicators: number -> members."""
    logs, members = {}, {}
    for rank in range(ranks):
        comms, calls = {}, []
        path = pathlib.Path(f"{log}.{rank}")  # a rank without calls writes none
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            words = line.split()
            if words[0] == "comm":
                comms[words[1]] = words[2:]
            elif not skips(words[0], missing):
                calls.append(line)
        logs[rank] = RankLog(calls, chance)
        members[rank] = {number: comms[comm] for comm, number in logs[rank].comms.items()}
    return logs, members


def traced_logs(lines, ranks, missing, known, chance):
    calls = [[] for _ in range(ranks)]
    for text in lines:
        call = json.loads(text)
        if "call" not in call or skips(plain(call["name"]), missing):
            continue
        line = traced_line(call)
        if line.split()[0] in known:
            calls[call["rank"]].append(line)
    return {rank: RankLog(lines, chance) for rank, lines in enumerate(calls)}


def order_differences(trace, proxy, ranks):
    for rank in range(ranks):
        wanted, calls = trace[rank].lines, proxy[rank].lines
        for number, (want, got) in enumerate(zip(wanted, calls)):
            if want != got:
                yield f"rank {rank}, call {number}: {want} in the trace, {got} in the proxy"
                break
        else:
            if len(wanted) != len(calls):
                yield f"rank {rank}: {len(wanted)} calls in the trace, {len(calls)} in the proxy"


def chance_functions(source):
    """Those whose completions the proxy leaves to chance."""
    return {f"MPI_{name}" for name in ("Waitany", "Waitsome", "Testany", "Testsome")
            if f" {name}_of(" in source}


def folded(options, folder, name, ranks, logs, members):
    """What trace_compress makes of calls."""
    work = folder / f"folded-{name}"
    work.mkdir()
    for rank in range(ranks):
        comms = [" ".join(["comm", str(number), *its]) for number, its in members[rank].items()]
        (work / f"log.{rank}").write_text("\n".join([*comms, *logs[rank].lines, ""]), encoding="utf-8")
    for command in ([options.fold, work / "log", ranks, work / "traces"],
                    [options.bin / "trace_compress", "-q", "--timing", "none", work / "traces", "-o",
                     work / "folded.tfold"]):
        result = run(command, options.timeout)
        if result.returncode != 0:
            raise Problem(f"{pathlib.Path(command[0]).name}: {first_line(result.stderr)}")
    return work / "folded.tfold"


def compare_order(options, folder, ranks, missing):
    """Differences in the calls, one by one and, with --fold, in what they fold to."""
    chance = chance_functions((folder / "proxy.c").read_text(encoding="utf-8"))
    proxy, members = issued_logs(folder / "log", ranks, missing, chance)
    known = {line.split()[0] for log in proxy.values() for line in log.lines}
    with open(folder / "trace.jsonl", encoding="utf-8") as lines:
        trace = traced_logs(lines, ranks, missing, known, chance)
    found = list(order_differences(trace, proxy, ranks))
    if options.fold and not found:
        files = [folded(options, folder, name, ranks, logs, members)
                 for name, logs in (("trace", trace), ("proxy", proxy))]
        result = run([options.bin / "trace_inspect", "diff", *files], options.timeout)
        if result.returncode != 0:
            found.append("its own trace folds differently: " + first_line(result.stdout + result.stderr))
    return found


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
            found += compare_order(options, folder, ranks, {*missing, *inferred})
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
    parser.add_argument("--fold", help="tests/support/archive_of_log.cpp: fold the calls of both, too")
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
