# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import collections
import json

from .call_logs import COMPLETIONS, NOT_COMPARED, are_late, issued_logs, order_differences, plain, traced_logs
from .common import FAILED, Campaign, Failure, Refusal, run

# Issued as MPI_Comm_split.
SPLITS = dict.fromkeys(["MPI_Comm_split_type", "MPI_Cart_sub", "MPI_Graph_create",
                        "MPI_Dist_graph_create", "MPI_Dist_graph_create_adjacent"],
                       "MPI_Comm_split")
SENT = {"send"}
RECEIVED = {"receive", "post_receive"}
COLLECTIVE = {"collective", "post_collective"}


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
        with open(work / "proxy.jsonl", encoding="utf-8") as lines:
            late = are_late(lines)
        proxy, members = issued_logs(work / "log", ranks, missing, chance, late)
        known = {line.split()[0] for log in proxy.values() for line in log.lines}
        with open(work / "proxy.jsonl", encoding="utf-8") as lines:
            trace = traced_logs(lines, ranks, missing, known, chance, SPLITS, late)
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
