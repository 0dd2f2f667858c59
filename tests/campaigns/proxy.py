# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import collections
import json
import pathlib
import re

from .common import FAILED, Campaign, Failure, Refusal, run

# Calls of the program at its beginning and end, and requests that are made or cancelled where they
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
            # TAU records messages where they complete; the proxy posts their receives.
            counts[call["rank"], "MPI_Irecv"][2] += sum(
                action["bytes"] for action in call.get("actions", []) if action["kind"] == "receive")
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
    """Calls and bytes, from the output of the proxy with --counts."""
    counts = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 9 and words[0] == "rank":
            counts[int(words[1]), words[2]] = [int(words[4]), int(words[6]), int(words[8])]
    return counts


def differences(trace, proxy, missing, inferred):
    """Sentences; `missing` are the calls that the conversion reports as left out or merged, `inferred`
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


def left_out(report):
    """Calls that communicate and that the proxy lacks."""
    return sum(calls for name, calls in report["dropped"].items() if name.startswith("MPI_"))


def skips(name, missing):
    return name in NOT_COMPARED or name in missing


# mpi_log.c's words for the kinds of actions, and the count of numbers that follow; a send may have a request, too.
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
        # Communicators of MPI_Comm_idup, and receives that TAU does not record where they are posted.
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


class Proxy(Campaign):
    """Compile and run the proxy application of every archive, and compare its calls with the trace.

Calls and bytes of every function on every rank must be the trace's, but for calls that the conversion reports as left out or
merged. With --log, the order of the calls of every rank as well; with --fold, traces of both must fold to the same.
"""

    name = "proxy"
    columns = ("ranks", "calls", "lines of C", "result", "fingerprint")
    jobs = 1
    launcher = True
    max_ranks = 32
    timeout = 120

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--max-lines", type=int, metavar="N", help="of the source")
        parser.add_argument("--same-length", action="store_true",
                            help="sources of all archives may differ by 5 percent in length")
        parser.add_argument("--log", metavar="LIBRARY", help="of tests/support/mpi_log.c: compare the order, too")
        parser.add_argument("--fold", metavar="TOOL", help="tests/support/archive_of_log.cpp: fold the calls of both, too")
        parser.add_argument("--compiler", default="mpicc")

    def run(self):
        self.lengths = []
        code = super().run()
        if self.options.same_length and self.lengths and max(self.lengths) > 1.05 * min(self.lengths):
            print(f"the sources have {self.lengths} lines")
            return FAILED
        return code

    def convert(self, archive, target):
        output = archive.work / f"proxy.{target}"
        try:
            done = run([self.options.bin / "trace_convert", archive.path, "--to", target, "-o", output, "--json"],
                       self.options.timeout, (0, FAILED))
        except Failure as failure:
            raise Refusal(str(failure)) from failure
        report = json.loads(done.stdout)
        if target == "c" and (done.returncode == FAILED) != (left_out(report) > 0):
            raise Failure(f"trace_convert ends with {done.returncode}, and drops {report['dropped']}")
        return output, report

    def check(self, archive):
        options, work = self.options, archive.work
        source, report = self.convert(archive, "c")
        lines = len(source.read_text(encoding="utf-8").splitlines())
        self.lengths.append(lines)
        if options.max_lines and lines > options.max_lines:
            raise Failure(f"{lines} lines of source, more than {options.max_lines}")
        run([options.compiler, "-std=c99", "-O1", "-Wall", "-Werror", source, "-o", work / "proxy"], options.timeout)
        command = [work / "proxy", "--counts", "--no-compute", "--scratch", work]
        if options.log:
            command = ["env", f"MPI_LOG={work / 'log'}", *command]
        code = FAILED if left_out(report) else 0
        printed = archive.launch(report["ranks"], command, libraries=[options.log] if options.log else [], codes=(code,)).stdout
        fingerprint = self.repetitions(archive, report, issued(printed))
        trace, _ = self.convert(archive, "jsonl")
        with open(trace, encoding="utf-8") as calls:
            wanted = traced(calls)
        missing = {plain(name): calls for fate in ("dropped", "merged") for name, calls in report[fate].items()}
        found = list(differences(wanted, issued(printed), missing, report["approximated"]))
        if options.log and not found:
            found += self.order_differences(archive, report["ranks"], {*missing, *report["approximated"]})
        if found:
            raise Failure(f"{len(found)} differences: {found[0]}")
        dropped = left_out(report)
        return report["ranks"], report["calls"], lines, f"equal, {dropped} calls left out" if dropped else "equal", fingerprint

    def repetitions(self, archive, report, counts):
        """Three repetitions issue the calls of one; their report agrees, and is compared with that of a replay. Whether
        the fingerprint is the trace's."""
        work, known = archive.work, archive.work / "proxy.json"
        said = archive.launch(report["ranks"], [work / "proxy", "--counts", "--no-compute", "--repeat", 3, "--warmup", 1,
                                                "--allow-left-out", "--scratch", work, "--json", known]).stdout
        if issued(said) != counts:
            raise Failure("three repetitions have other counts than one")
        document = json.loads(known.read_text(encoding="utf-8"))
        found = document["fingerprint"]
        totals = collections.Counter()
        for (_, name), (calls, *_) in counts.items():
            totals[name] += calls
        if totals != {of["function"]: of["calls"] for of in document["calls_by_function"]}:
            raise Failure("the report has other counts")
        if totals.total() != sum(of["calls"] for of in document["calls_by_size"]):
            raise Failure("the report has other counts by size")
        if len(document["wall_seconds"]) != 3 or found["issued"] != found["expected"] or not document["fidelity"]["met"]:
            raise Failure(f"the report has {found}, {document['fidelity']}, {document['wall_seconds']}")
        skip = ["--unsupported", "skip"] if left_out(report) else []
        wanted = run([self.options.bin / "trace_replay", "--fingerprint", archive.path, *skip], self.options.timeout).stdout.strip()
        if wanted != found["trace"]:
            raise Failure(f"the fingerprint of the trace is {wanted}, not {found['trace']}")
        replayed = work / "replay.json"
        archive.launch(report["ranks"], [self.options.bin / "trace_replay", archive.path, *skip, "--allow-left-out",
                                         "--scratch", work, "--report", replayed])
        archive.tool("trace_replay", "--compare", known, replayed)
        return "the trace's" if found["issued"] == found["trace"] else "its own"

    def order_differences(self, archive, ranks, missing):
        """Differences in the calls, one by one and, with --fold, in their folded files."""
        work = archive.work
        chance = chance_functions((work / "proxy.c").read_text(encoding="utf-8"))
        proxy, members = issued_logs(work / "log", ranks, missing, chance)
        known = {line.split()[0] for log in proxy.values() for line in log.lines}
        with open(work / "proxy.jsonl", encoding="utf-8") as lines:
            trace = traced_logs(lines, ranks, missing, known, chance)
        found = list(order_differences(trace, proxy, ranks))
        if self.options.fold and not found:
            files = [self.folded(archive, name, logs, members) for name, logs in (("trace", trace), ("proxy", proxy))]
            result = run([self.options.bin / "trace_inspect", "diff", *files], self.options.timeout, None)
            if result.returncode != 0:
                found.append(f"its own trace folds differently: {(result.stdout + result.stderr).strip()[:200]}")
        return found

    def folded(self, archive, name, logs, members):
        """Folds calls as an archive of their own."""
        work = archive.work / f"folded-{name}"
        work.mkdir()
        for rank, log in logs.items():
            comms = [" ".join(["comm", str(number), *its]) for number, its in members[rank].items()]
            (work / f"log.{rank}").write_text("\n".join([*comms, *log.lines, ""]), encoding="utf-8")
        run([self.options.fold, work / "log", len(logs), work / "traces"], self.options.timeout)
        archive.tool("trace_compress", "-q", "--timing", "none", work / "traces", "-o", work / "folded.tfold")
        return work / "folded.tfold"
