# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import json
import os
import random
import re
import shlex
import shutil
import statistics
import tempfile
import pathlib

from .call_logs import are_late, issued_logs, order_differences, traced_logs
from .common import FAILED, ROOT, Campaign, Failure, print_head, print_row, run, with_preloaded

CHECKED = (0, 3)  # exit codes of a check
# Kernels of bench/replayed_program.c and their steps, for some tenths of a second each.
KERNELS = {"heat": 2000, "products": 6000, "wavefront": 20000, "transpose": 4000, "messages": 50000, "pingpong": 50000}


def size_text(count):
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}" if unit != "B" else f"{count} B"
        count /= 1000
    return f"{count:.3g} GB"


def time_text(seconds):
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def total(result, key):
    return sum(call[key] for call in result["calls_by_function"])


def verified_text(proofs):
    """Compared parts, by choice of --deltas if they are not as many."""
    text = " / ".join(dict.fromkeys(f"{proof['parts']:,}" for proof in proofs))
    differences = sum(proof["differences"] for proof in proofs)
    if differences:
        text += f", {differences} differ"
    if len({proof["fingerprint"] for proof in proofs}) != 1:
        text += ", not alike"
    return text


class Replay(Campaign):
    """Replay archives with each choice of --deltas, once with --verify and once without it for the time.

A row has calls, bytes, verified parts, recorded and replayed wall times, and the findings of the check. With --log, a library
below the replay writes its calls, and each of the functions that the library knows must be the trace's: arguments and order.
"""

    name = "replay"
    jobs = 1
    launcher = True
    max_ranks = 32
    timeout = 60

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--deltas", nargs="+", default=["none", "exact"], metavar="CHOICE")
        parser.add_argument("--min-ranks", type=int, default=1, metavar="N", help="leave out archives with fewer ranks")
        parser.add_argument("--options", type=shlex.split, default=[], help="more of them for trace_replay")
        parser.add_argument("--log", metavar="LIBRARY", help="of tests/support/mpi_log.c: compare the calls below the replay")

    def head(self):
        return ["archive", "ranks", "calls", "left out", "sent", "received", "verified", "recorded", *self.options.deltas,
                "found by the check", *(["below the replay"] if self.options.log else [])]

    def limits(self):
        return [*super().limits(), ("ranks", self.options.min_ranks, float("inf"))]

    def log_text(self, archive):
        """Compares the calls that a library below the replay sees with those of the trace."""
        options, work, ranks = self.options, archive.work, archive.info["ranks"]
        if archive.info["locations"] > ranks:
            return "threads: not logged"
        command = ["env", f"MPI_LOG={work / 'log'}", "MPI_LOG_ISSUED=1", options.bin / "trace_replay", archive.file, "--json",
                   "--repeat", 1, "--warmup", 0, "--timeout", f"{options.timeout:g}s", *options.options]
        result = archive.launch(ranks, command, 5 * options.timeout, libraries=[options.log], codes=(0, FAILED))
        if not result.stdout:
            raise Failure(f"trace_replay: {result.stderr.strip()[-300:]}")
        inferred = {one["what"].split(":")[0] for one in json.loads(result.stdout.splitlines()[0])["inferences"]}
        symbols = run(["nm", "-D", "--defined-only", options.log]).stdout
        known = {word for word in symbols.split() if word.startswith("MPI_")}
        # Those without a call that completes their requests are issued at the end.
        late_frees = inferred & {"persistent requests", "MPI_Request_free of an unknown request"}
        missing = {"MPI_Request_free"} if late_frees else ()
        renamed = {"MPI_Comm_split_type": "MPI_Comm_split"} if "MPI_Comm_split_type of other members here" in inferred else {}
        calls = work / "calls.jsonl"
        archive.tool("trace_convert", archive.file, "--to", "jsonl", "-o", calls)
        with open(calls, encoding="utf-8") as lines:
            late = are_late(lines)
        issued, _ = issued_logs(work / "log", ranks, missing, late=late,
                                has_own=inferred & {"failed probes", "receives that never complete"})
        with open(calls, encoding="utf-8") as lines:
            wanted = traced_logs(lines, ranks, missing, known, renamed=renamed, late=late)
        for rank in range(ranks):
            # Beyond the calls of the trace, a replay frees what the program did not free.
            calls = issued[rank].lines
            while len(calls) > len(wanted[rank].lines) and re.fullmatch("MPI_Wait|MPI_Request_free|MPI_Comm_free free .*", calls[-1]):
                calls.pop()
        found = list(order_differences(wanted, issued, ranks))
        if found:
            raise Failure(f"{len(found)} ranks differ: {found[0]}")
        return f"{sum(len(log.lines) for log in wanted.values()):,} equal"

    def replay(self, archive, *arguments):
        command = [self.options.bin / "trace_replay", archive.file, "--json", "--timeout", f"{self.options.timeout:g}s",
                   *self.options.options, *arguments]
        result = archive.launch(archive.info["ranks"], command, 5 * self.options.timeout)
        return json.loads(result.stdout.splitlines()[0])  # MPI may print lines after it

    def check(self, archive):
        archive.fold()
        findings = archive.inspect("check", archive.file, codes=CHECKED)["findings"]
        proofs = [self.replay(archive, "--deltas", choice, "--verify")["verified"] for choice in self.options.deltas]
        results = [self.replay(archive, "--deltas", choice) for choice in self.options.deltas]
        one = results[0]
        return (one["ranks"], one["calls"], one["calls_left_out"], size_text(total(one, "sent_bytes")),
                size_text(total(one, "received_bytes")), verified_text(proofs),
                time_text(one["recorded"]["wall"]["max"]) if "recorded" in one else "",
                *(time_text(statistics.mean(result["wall_seconds"])) for result in results),
                ", ".join(f"{found['count']} {found['kind']}" for found in findings),
                *([self.log_text(archive)] if self.options.log else []))


class Check(Campaign):
    """Compare `trace_inspect check` and `trace_replay --check` with replays, with and without --unsupported skip.

A trace must replay with --verify if, and only if, both checks pass.
"""

    name = "check"
    columns = ("--unsupported error", "--unsupported skip")
    jobs = 1
    launcher = True
    max_ranks = 32
    timeout = 120

    def check(self, archive):
        archive.fold()
        return [self.outcome(archive, choice) for choice in ("error", "skip")]

    def outcome(self, archive, choice):
        skip = ["--unsupported", choice]
        checks = [run([self.options.bin / tool, *words, "--json", archive.file, *skip], self.options.timeout, None).returncode
                  for tool, words in (("trace_inspect", ["check"]), ("trace_replay", ["--check"]))]
        try:
            archive.launch(max(archive.info["ranks"], 1),
                           [self.options.bin / "trace_replay", archive.file, "--verify", "--deltas", "none", "--timeout",
                            f"{self.options.timeout / 2:g}s", "-q", "--scratch", archive.work, "--allow-left-out", *skip])
            said = ""
        except Failure as failure:
            said = f": {failure}"
        agree = checks[0] == checks[1] and (checks[0] == 0) == (said == "")
        return f"{'agree' if agree else 'FAILED'}: check {checks[0]}, --check {checks[1]}, replay {'fails' if said else 0}{said}"


class Pair:
    """A recorded run and its replay, in seconds."""

    def __init__(self, report):
        ranks = report["ranks_in_detail"]
        self.calls = report["calls"] / len(ranks)
        self.wall = [max(rank[side]["wall"] for rank in ranks) for side in ("recorded", "replayed")]
        self.computation = [sum(rank[side]["computation"] for rank in ranks) / len(ranks)
                            for side in ("recorded", "replayed")]


def difference(pairs):
    """The median of how much longer the second of each pair is, in per cent."""
    return statistics.median(100 * (second / first - 1) for first, second in pairs)


class Fidelity(Campaign):
    """Measure the difference between runs and their replays with --deltas exact.

Runs the kernels of bench/replayed_program.c under a recorder (tests/support/mpi_log.c), folds the record with its times, and
replays it at once on the same processors. Compares wall time from the end of MPI_Init to MPI_Finalize, and time between
calls. Run and replay take turns: both see the machine in the same state. Cells are medians. Needs a build with tests
(archive_of_log).
"""

    name = "fidelity"
    archives = False
    launcher = True
    timeout = 120

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--kernels", nargs="+", choices=KERNELS, default=list(KERNELS), metavar="KERNEL",
                            help="of " + ", ".join(KERNELS))
        parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2], metavar="N")
        parser.add_argument("--runs", type=int, default=11, help="pairs for every row (default: %(default)s)")
        parser.add_argument("--scale", type=float, default=1, help="factor for the number of steps")
        parser.add_argument("--compiler", default=os.environ.get("MPICC", "mpicc"))
        parser.add_argument("--prefix", type=shlex.split, default=[], help='before the launcher, as "chrt -f 1"')
        parser.add_argument("--options", type=shlex.split, default=[], help="more of them for trace_replay")
        parser.add_argument("--wall", type=float, default=5, help="largest difference in percent (default: %(default)s)")
        parser.add_argument("--computation", type=float, default=1, help="largest difference in percent (default: %(default)s)")

    def run(self):
        print_head(["program", "ranks", "calls of a rank", "wall, recorded", "replayed", "difference",
                    "computation, recorded", "difference"])
        with tempfile.TemporaryDirectory() as name:
            self.folder = pathlib.Path(name)
            compiler = [self.options.compiler, "-O2", "-Wno-stringop-overflow"]
            run([*compiler, ROOT / "bench/replayed_program.c", "-o", self.folder / "program"])
            run([*compiler, "-shared", "-fPIC", ROOT / "tests/support/mpi_log.c", "-o", self.folder / "libmpi_log.so"])
            within = [self.row(kernel, ranks) for kernel in self.options.kernels for ranks in self.options.ranks]
        return 0 if all(within) else FAILED

    def pair(self, kernel, ranks):
        """Records a run and replays it."""
        options, archive, folded = self.options, self.folder / "archive", self.folder / "run.tfold"
        shutil.rmtree(archive, ignore_errors=True)
        launch = [*options.prefix, *shlex.split(options.launcher), ranks]
        recorder = {"MPI_LOG": str(self.folder / "log"), "MPI_LOG_TIMES": "1"}
        run([*launch, self.folder / "program", kernel, max(1, int(KERNELS[kernel] * options.scale))], options.timeout,
            env=with_preloaded(self.folder / "libmpi_log.so") | recorder)
        run([options.bin / "archive_of_log", self.folder / "log", ranks, archive], options.timeout)
        run([options.bin / "trace_compress", "-q", "--no-verify", "--force", archive, "-o", folded], options.timeout)
        return Pair(json.loads(run([*launch, options.bin / "trace_replay", folded, "--deltas", "exact", "--json",
                                    *options.options], options.timeout, env=with_preloaded()).stdout))

    def row(self, kernel, ranks):
        """Prints a row of the table; whether it is within the limits."""
        pairs = [self.pair(kernel, ranks) for _ in range(self.options.runs)]
        wall, computation = difference(pair.wall for pair in pairs), difference(pair.computation for pair in pairs)
        print_row([kernel, ranks, f"{pairs[0].calls:,.0f}",
                   *(time_text(statistics.median(pair.wall[side] for pair in pairs)) for side in (0, 1)), f"{wall:+.2f} %",
                   time_text(statistics.median(pair.computation[0] for pair in pairs)), f"{computation:+.3f} %"])
        return abs(wall) <= self.options.wall and abs(computation) <= self.options.computation


class Latency(Campaign):
    """Compare predictions of a longer latency with replays whose messages are held back at their receivers.

Replays archives of two ranks while a preloaded library (tests/support/held_messages.c) holds back every message for two
lengths of time, and predicts the same change. Needs mpicc, and two idle cores.
"""

    name = "latency"
    columns = ("measured", "predicted", "difference")
    programs = ("mpicc",)
    jobs = 1
    launcher = True

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--from", dest="low", type=float, default=2, metavar="MS", help="(default: %(default)s)")
        parser.add_argument("--to", dest="high", type=float, default=6, metavar="MS", help="(default: %(default)s)")
        parser.add_argument("--runs", type=int, default=3, help="(default: %(default)s)")
        parser.add_argument("--most", type=float, default=0.05, help="largest relative difference (default: %(default)s)")

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            self.library = pathlib.Path(folder) / "held_messages.so"
            run(["mpicc", "-O2", "-Wall", "-shared", "-fPIC", "-o", self.library, ROOT / "tests/support/held_messages.c",
                 "-ldl"])
            return super().run()

    def limits(self):
        return [*super().limits(), ("ranks", 2, 2)]

    def check(self, archive):
        archive.fold()
        ends = self.options.low, self.options.high
        pairs = [[self.replayed(archive, latency) for latency in ends] for _ in range(self.options.runs)]
        measured = statistics.median(high - low for low, high in pairs)
        low, high = (archive.inspect("predict", archive.file, "--latency", f"{latency:g}ms", "--collectives", "linear")
                     ["networks"][0]["run_time"] for latency in ends)
        difference_of_model = (high - low) / measured - 1
        if abs(difference_of_model) > self.options.most:
            raise Failure(f"measured {measured:.4f} s, predicted {high - low:.4f} s")
        return f"{measured:.4f} s", f"{high - low:.4f} s", f"{100 * difference_of_model:+.1f} %"

    def replayed(self, archive, latency):
        """Seconds of a replay whose messages are held back so long."""
        report = archive.work / "report.json"
        # --sleep: a sender holds back no small message, and no process another one's core.
        archive.launch(2, ["env", f"HELD_SECONDS={latency / 1000}", self.options.bin / "trace_replay", archive.file, "--deltas",
                           "exact", "--sleep", "--quiet", "-f", "--repeat", "1", "--warmup", "0", "--report", report], libraries=[self.library])
        return json.loads(report.read_text(encoding="utf-8"))["wall_seconds"][0]


class Judge(Campaign):
    """Compare replays of one machine with each other, and with slower messages.

Each pair is made of launches that take turns, so that both see the machine in the same states, and is compared by
`trace_replay --compare`: folders of --launches reports, or single reports for 1. A pair without difference may be called
different in at most 5 %; with messages slower by --slow (tests/support/slow_messages.c) at least 95 % must be found. The cells
count the verdicts on the figure of merit. Needs mpicc, a processor for each rank, and programs such as a ping-pong, in which a
call waits for what is added on the other side as well.
"""

    name = "judge"
    columns = ("pairs", "alike, called different", "median difference", "slower, called different", "median difference",
               "wall times alike, called different")
    programs = ("mpicc",)
    jobs = 1
    launcher = True
    timeout = 120

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--pairs", type=int, default=200, help="(default: %(default)s)")
        parser.add_argument("--launches", type=int, default=15, help="of each side of a pair (default: %(default)s)")
        parser.add_argument("--slow", type=float, default=0.1, help="part of their time (default: %(default)s)")
        parser.add_argument("--options", type=shlex.split, default=[], help="more of them for trace_replay")

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            self.library = pathlib.Path(folder) / "slow_messages.so"
            run(["mpicc", "-O2", "-Wall", "-shared", "-fPIC", "-o", self.library, ROOT / "tests/support/slow_messages.c"])
            return super().run()

    def report(self, archive, name, slow):
        name.parent.mkdir(exist_ok=True)
        share = slow / (2 + slow)  # of every call, on both sides of a message
        archive.launch(archive.info["ranks"], ["env", f"SLOW_SHARE={share}", self.options.bin / "trace_replay", archive.file,
                                               "-q", "-f", "--report", name, *self.options.options],
                       libraries=[self.library] if slow else [])

    def judgements(self, archive, pair, other):
        first, second = (pair / one if self.options.launches > 1 else pair / one / "0.json" for one in ("first", other))
        result = json.loads(archive.tool("trace_replay", "--compare", first, second, "--json", "-q"))
        found = {one["quantity"]: one for one in result["differences"][0]["judgements"]}
        return found["figure of merit"], found["wall time"]

    def check(self, archive):
        archive.fold()
        alike, slower = [], []
        self.order = random.Random(1)  # none follows another one more often
        for number in range(self.options.pairs):
            pair = archive.work / str(number)
            pair.mkdir()
            for launch in range(self.options.launches):
                sides = [("first", 0), ("second", 0), ("slow", self.options.slow)]
                for side, slow in self.order.sample(sides, len(sides)):
                    self.report(archive, pair / side / f"{launch}.json", slow)
            alike.append(self.judgements(archive, pair, "second"))
            slower.append(self.judgements(archive, pair, "slow"))
            shutil.rmtree(pair)
        wrong, found = (sum(merit["different"] for merit, _ in side) for side in (alike, slower))
        shifts = [statistics.median(abs(merit["ratio"] - 1) for merit, _ in side) for side in (alike, slower)]
        fails = wrong > 0.05 * self.options.pairs or found < 0.95 * self.options.pairs
        return (self.options.pairs, f"{'FAILED: ' * fails}{wrong}", f"{100 * shifts[0]:.1f} %", found,
                f"{100 * shifts[1]:.1f} %", sum(wall["different"] for _, wall in alike))
