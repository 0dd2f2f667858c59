#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Archives of other recorders and programs, made by make_world, against numbers that were worked out by hand.

Usage: world_test.py BIN MAKE_WORLD [--mpiexec "mpiexec -n"] [KIND ...]

Each archive is folded and restored, and every command, export and check runs on it. What needs MPI may refuse a trace
without ranks in one sentence, and all may refuse for a reason in REFUSALS, unless "fine" names the command. Times are
nanoseconds. Every expectation that fails is printed; exit code 3 if there is one.
"""

import argparse
import csv
import filecmp
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# name: (visits, exclusive, inclusive); None where records leave it open.
# check: fields of trace_inspect check --json. issued: calls that a replay issues at least;
# refused: a replay is refused and names this; both: either will do. p2p, rma: {(from, to): (calls, bytes)}.
KINDS = {
    "spell": {
        "regions": {"MPI_Send": (3, 150, 150), "MPI_Recv": (3, 180, 180), "MPI_Allreduce": (4, 120, 120),
                    "MPI_Waitall": (2, 20, 20), "MPI_Init": (2, 200, 200)},
        "check": {"calls": 18, "messages": 4, "message_bytes": 364, "collectives": 2, "can_be_replayed": True},
        "issued": 14, "p2p": {(0, 1): (4, 364)}},
    "partitioned": {"regions": {"MPI_Pready": (8, 80, 80), "MPI_Start": (4, 40, 40)}, "refused": "MPI_Psend_init",
                    "check": {"calls": 26, "messages": 0, "can_be_replayed": False}},
    "isendrecv": {"check": {"calls": 16, "messages": 6, "message_bytes": 603}, "issued": 12, "refused": "MPI_Isendrecv",
                  "p2p": {(0, 1): (3, 300), (1, 0): (3, 303)}},
    "isendrecv_bare": {"check": {"calls": 8, "messages": 0, "can_be_replayed": False}, "refused": "MPI_Isendrecv"},
    "sessions": {"check": {"calls": 20, "collectives": 5}, "issued": 10, "refused": "MPI_Session_init",
                 "regions": {"MPI_Allreduce": (10, 300, 300)}},
    "spawn": {"check": {"calls": 28, "messages": 6, "message_bytes": 9000, "collectives": 2},
              "refused": "MPI_Comm_spawn", "p2p": {(0, 3): (3, 3000), (1, 2): (3, 6000)}},
    "persistent_collectives": {"check": {"calls": 20, "collectives": 3}, "issued": 12, "refused": "MPI_Allreduce_init"},
    "thread_wait": {"check": {"calls": 20, "messages": 4, "message_bytes": 2000, "can_be_replayed": True},
                    "issued": 16, "p2p": {(0, 1): (4, 2000)}, "regions": {"MPI_Wait": (8, 240, 240)}},
    "io_wait": {
        # Operation i begins at 200 + 100 i, and its completion is at 230 + 100 i, on the other thread.
        "regions": {"MPI_File_iwrite": (8, 80, 80), "MPI_Wait": (8, 240, 240)}, "io": {"/data/out": ("write", 8, 32768, 240)},
        "unmatched": (0, 0), "check": {"calls": 24, "messages": 0, "can_be_replayed": True}, "issued": 16},
    "abi": {"check": {"calls": 14, "messages": 2, "message_bytes": 10000, "can_be_replayed": True}, "issued": 4,
            "p2p": {(0, 1): (2, 10000)}},
    "huge_messages": {"check": {"calls": 14, "messages": 2, "message_bytes": 10**10}, "no_replay": True,
                      "p2p": {(0, 1): (2, 10**10)}},
    "received_nonsense": {
        "check": {"calls": 10, "messages": 3, "message_bytes": 300}, "issued": 6, "refused": "bytes|size|memory",
        "p2p": {(0, 1): (3, 300)}, "regions": {"MPI_Recv": (3, 150, 150)},
        # 3 x (2^63 + 5) bytes do not fit in 64 bits.
        "never": [("matrix", r"9\.2 EB|received.* 300 B")], "fine": ["stats", "classes", "report"]},
    "silent_ranks": {
        "check": {"calls": 6, "messages": 1, "message_bytes": 100}, "issued": 2, "p2p": {(0, 2): (1, 100)},
        # Ranks 0 and 2 compute 800 of 900 each; rank 1 is left out of the means.
        "efficiency": {"load_balance": 1.0, "parallel": 800 / 900},
        "says": [("efficiency", r"(?i)without|no (records|events)|left out|nothing")]},
    "tau": {
        "regions": {"MPI_Isend": (4, 8e3, 8e3), "MPI_Barrier": (8, 32e3, 32e3), "MPI_Wait": (8, 24e3, 24e3),
                    ".TAU application": (2, 2e3, 114e3)},
        "check": {"calls": 28, "messages": 4, "message_bytes": 3200, "collectives": 4, "can_be_replayed": True},
        "issued": 16, "p2p": {(0, 1): (4, 3200)}},
    "eztrace": {
        "regions": {"MPI_Iallreduce": (2, 20, 20), "MPI_Wait": (2, 60, 60), "Working": (2, 20, 640),
                    "MPI_Waitall": (6, 120, 120)},
        # Its regions are of paradigm USER: MPI_Iallreduce, which leaves no record, is no call of MPI.
        "check": {"calls": 26, "messages": 9, "message_bytes": 1500, "collectives": 1, "can_be_replayed": True},
        "issued": 26, "p2p": {(0, 1): (6, 900), (1, 0): (3, 600)}},
    "eztrace_crossed": {"issued": 6, "refused": "MPI_|request", "p2p": {(0, 1): (6, 900), (1, 0): (3, 600)}},
    "apex": {
        "regions": {"async_task": (20, 700, 700), "APEX MAIN": (2, 300, None)}, "issued": 10,
        "check": {"messages": 5, "message_bytes": 1280}, "p2p": {(0, 1): (5, 1280)},
        "metrics": {"CPU User %": {"mean": 15, "min": 0, "max": 40, "values": 10}}},
    "renamed": {"regions": {"outer": (3, 180, 300), "inner": (3, 120, 120)},
                "says": [(c, r"6 of 6 [Ll]eaves") for c in ("info --all", "profile", "stats")]},
    "migrating_tasks": {
        # 120 of each task A (50 + 60 in deep, 10 after it) without the 30 of task B and the time until it is resumed.
        "regions": {"create": (4, 40, 40), "!$omp task A": (4, 40, 480), "deep": (4, 440, 440),
                    "!$omp task B": (4, 120, 120), "implicit": (2, 11360, None), "!$omp parallel": (1, 100, None)},
        "views": ("profile", "stats")},
    "otter": {"regions": {"root": (1, 90, None), "!$omp task": (5, 100, 250), "body": (5, 150, 150)}},
    "deep": {"regions": {"recurse": (100_000, 300_000, None)}, "views": ("profile", "csv", "chrome")},
    "rocprof": {
        # Two kernels of 1000: 0-300 and 100-500; allocations are no kernels, the process is no device.
        "regions": {"hipLaunchKernel": (8, 160, 160), "axpy(float*)": (8, None, 2800)},
        "kernels": {"axpy(float*)": (8, 2800)}, "run": 5900, "devices": {"gfx90a": 2000},
        "streams": {"Thread 4711, Compute on GPU 0, Queue 0": (8, 2000)}},
    # A Leave and an Enter at one time are two calls, too, that follow each other: only the first pair can be told.
    "reversed_pairs": {
        "regions": {"hipMalloc": (4, 400, 400), "hipFree": (4, 800, 800), "hipGetDevice": (4, 2100, 3000)},
        "says": [(c, "1 of 12 leaves ends no open region") for c in ("info --all", "check", "profile", "stats")]},
    "hip_streams": {
        "regions": {"stencil": (18, None, 4200), "reduce": (6, None, 2400), "hipLaunchKernel": (12, 360, 360)},
        "kernels": {"stencil": (18, 4200), "reduce": (6, 2400)}, "run": 4250, "issued": 2,
        "devices": {"HIP Context 0": 1500},
        "streams": {f"{r} HIP Stream {s}": (6, 900 if s else 1500) for r in (0, 1) for s in (0, 1)},
        "check": {"calls": 6, "collectives": 1, "can_be_replayed": True}},
    **{kind: {
        "check": {"calls": 6, "collectives": 1, "can_be_replayed": True}, "issued": 2, "run": 1150,
        "rma": {(0, 0): (6, 15360), (1, 1): (6, 15360)}, "regions": {"cudaMemcpyAsync": (6, 240, 240)}}
       for kind in ("cuda_windows", "cuda_locations")},
    "queues_only": {
        "regions": {"kern": (8, 2000, 2000)}, "run": 1500, "devices": {"gfx90a": 1200, "gfx942": 800},
        "efficiency": {"device_parallel": 1000 / 1500, "device_load_balance": 1000 / 1200,
                       "device_orchestration": 1200 / 1500},
        "says": [("efficiency", r"no processes, 1\.5 us")], "fine": ["efficiency"]},
    "opencl": {"regions": {"clFinish": (6, 2700, 2700)}, "kernels": {"vadd": (6, 2400)}, "run": 5500,
               "streams": {"OpenCL queue": (6, 2400)}},
    "interpolated": {
        # 3 GHz; the clock of rank 1 runs at half the speed, by which profile and stats count, as they say.
        "regions": {"work": (6, 12000, 12000), "MPI_Recv": (3, 900, 900), "MPI_Send": (3, 600, 600),
                    "MPI_Init": (2, 2000, 2000)}, "views": ("csv", "chrome"),
        "says": [(c, "durations are by the clock of each location, .* up to 100.0 %") for c in ("profile", "stats", "calls")],
        "begins": {("1", "MPI_Finalize"): 7900, ("1", "MPI_Init"): 0}, "issued": 6},
    "megahertz": {"regions": {"work": (6, 4.2e6, 4.2e6), "MPI_Send": (3, 3e5, 3e5)}, "issued": 6},
    "odd_clock": {"regions": {"work": (6, 4200 / 2.596123457, 4200 / 2.596123457)}, "issued": 6,
                  "begins": {("1", "MPI_Finalize"): 2500 / 2.596123457}},
    **{kind: {"regions": {"kern": (4, 2000, 2000)}, "kernels": {"kern": (4, 2000)}, "run": 2000,
              "streams": {"0 HIP Stream": (2, 1000), "1 HIP Stream": (2, 1000)},
              "begins": {("1", "MPI_Init"): 0, ("1", "MPI_Finalize"): 1900}, "never": [("calls", r"5000\.")]}
       for kind in ("skewed_gpus", "skewed_processes")},
    "shmem": {
        "regions": {"work": (15, 3000, 3000), "shmem_putmem": (15, 750, 750), "shmem_barrier_all": (3, 240, 240),
                    "shmem_int_finc": (3, 60, 60)},
        "rma": {(0, 1): (5, 504), (1, 2): (5, 500), (2, 0): (6, None), (0, 0): (1, None), (1, 0): (1, None),
                # The old value of an atomic comes back: bytes without a call.
                (0, 2): (0, 4)},
        "fine": ["efficiency", "to prv"]},
    "pthreads": {
        "regions": {"work": (2, 1200, 1200), "worker": (2, 200, 1400), "main": (1, 100, None),
                    "pthread_join": (2, 1000, 1000)},
        "efficiency": {"thread_parallel": 1500 / 3 / 1200}, "fine": ["to prv"]},
    "hpx": {"regions": {"hpx_task": (40, 1800, 1800)}, "fine": ["efficiency", "to prv"]},
    "aio": {
        "regions": {"aio_read": (9, 90, 90), "aio_return": (8, 80, 80)},
        "io": {"/data/in": ("read", 4, 12288, 1200), "stdin": ("read", 4, 2048, 800)}, "unmatched": (0, 0)},
    "local_strings": {"regions": {"secret_solve": (6, 300, 300), "alice_io": (6, 120, 120)},
                      "anonymous": [b"secret", b"alice"]},
    "unordered": {"regions": {"f0": (3, 30, 30), "f1": (3, 60, 60), "f2": (3, 90, 90)}},
    "names": {"regions": {"größe": (1, 10, 10), "<b>&amp;</b>": (1, 10, 10), "twin": (2, 20, 20)},
              "same_names": True},
    "many_regions": {"regions": {"main": (1, 100, 50100), "f0": (1, 10, 10), "f4999": (1, 10, 10)}},
    "samples": {"says": [(c, rf"\b{n}\b[^\n]*\b{f}\b|\b{f}\b[^\n]*\b{n}\b")
                         for c in ("profile", "stats") for f, n in (("g", 20), ("f", 10))]},
    "markers": {"regions": {"work": (1, 1000, 1000)}},
    "program": {"regions": {"solve": (6, 600, 600)}},
    "metrics": {"metrics": {
        # Means over time: a value holds up to the next one, those of "last" since the one before.
        **{f"absolute_{m}": {"mean": mean, "min": 10, "max": 40} for m, mean in (("point", 15), ("last", 30), ("next", 15))},
        **{f"relative_{m}": {"sum": 70, "min": 10, "max": 40} for m in ("point", "last", "next")},
        **{f"accumulated_{m}": {"sum": 30} for m in ("point", "last", "next")},
        "scaled": {"mean": -15e3, "min": -40e3, "max": -10e3}}},
    # Per step, 1100 instructions and 1200 cycles in 600 ns of computation; those in MPI do not count.
    "counters": {
        "counters": {"instructions": 13200, "cycles": 14400, "ipc": 1100 / 1200, "frequency": 2e9, "coverage": 1, "uncounted": []},
        "ranks": {rank: {"computation": 1800, "instructions": 3300, "cycles": 3600} for rank in range(4)}, "issued": 12},
    "counters_of_two": {
        "counters": {"instructions": 12000, "cycles": 15000, "ipc": 0.8, "frequency": 2.5e9, "coverage": 1, "uncounted": []},
        "issued": 6},
    # 1010 ns of rank 1 have no value at their end.
    "counters_with_gap": {
        "counters": {"instructions": 10000, "cycles": 12500, "ipc": 0.8, "frequency": 2.5e9, "coverage": 5000 / 6010,
                     "uncounted": [1]},
        "ranks": {1: {"computation": 3010, "instructions": 4000}},
        "says": [("efficiency", r"83\.2 % of the computation; .* on 1 rank")], "issued": 6},
    "flushes": {"ranks": {
        0: {"window": 1200, "computation": 800, "overhead": 300, "mpi": 100, "overhead_in_mpi": 20, "not_measured": 0},
        1: {"window": 800, "computation": 650, "overhead": 50, "mpi": 100, "overhead_in_mpi": 0, "not_measured": 400}},
        "efficiency": {"load_balance": 725 / 800, "parallel": 725 / 1200}, "issued": 2},
}
# Spellings of the same functions: every number is that of "spell".
SPELLINGS = """% P% %() %_f08 %_f08_ %_f08ts %_f08ts_ %l_f08_ %l_f08ts_ p%l_f08ts_ %l_f08ts_large_ %_f08_large %_f08_c %l %l_
%l__ p%l_ %u P%u %_c P%_c %_f %_f_ %@libmpi.so.40 %@@libmpi.so %@libmpi_abi.so.0 P%@libmpi_abi.so.0 %x""".split() + [
    "% [a.c:12]", "%() [{a.c} {3,1}-{4,2}]", "% [{/home/me/a b.f90} {7,1}]"]
# Names that nobody need undo: what is recorded in them must be issued, or the replay refused.
UNKNOWN = ["%_impl", "%$1", "% (wrapper)", "q%", "gotcha_%", "ompi_%l_f", "[libmpi] %", "libmpi.so.12!%"]
INSPECT = ["info", "structure", "calls", "matrix", "matrix --kind rma", "matrix --kind collective", "sizes", "system",
           "graph", "check", "profile", "stats", "classes", "metrics", "accelerators", "efficiency", "io", "predict"]
EXPORTS = ["text", "ti", "goal", "c", "dim", "dumpi", "chakra", "prv", "csv", "chrome", "jsonl"]
REFUSALS = re.compile(r"no receive of the trace waited for its|several threads of a rank call MPI|can represent|"
                      r"prediction needs those of all|request of another kind|recorded size differs")
SENTENCE = re.compile(r"trace_\w+: error: [^\n]{20,300}")
NEEDS_MPI = ["efficiency", "predict", *(f"to {form}" for form in EXPORTS)]
BROKEN = re.compile(r"unexpected failure|basic_string|std::|terminate called|assert|\bnan\b|\binf\b", re.IGNORECASE)
SECONDS = 20 * int(os.environ.get("TRACEFOLD_TEST_PATIENCE", "1"))  # for any command


class Kind:
    """One archive and what the tools say about it."""

    def __init__(self, options, folder, kind, *arguments):
        self.bin, self.mpiexec = pathlib.Path(options.bin), options.mpiexec.split()
        self.name = " ".join([kind, *arguments])
        self.expected = KINDS[kind]
        self.archive, self.file, self.folder = folder / "archive", folder / "folded.tfold", folder
        self.failures, self.ranks = [], 0
        subprocess.run([options.make, kind, self.archive, *arguments], check=True)

    def fail(self, where, expected, got):
        self.failures.append(f"{self.name}: {where}: expected {expected}, got {got}")

    def same(self, where, expected, got, tolerance=1e-6):
        if isinstance(expected, float) or isinstance(got, float):
            equal = got is not None and abs(got - expected) <= tolerance + 1e-6 * abs(expected)
        else:
            equal = got == expected
        if not equal:
            self.fail(where, expected, got)

    def run(self, *command, before=()):
        try:
            return subprocess.run([*before, self.bin / command[0], *command[1:]], stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(late.cmd, -1, late.stdout or b"", b"takes longer than the test allows")

    def inspect(self, command, *options):
        return self.run("trace_inspect", *command.split(), self.file, "--no-pager", *options)

    def ask(self, command):
        try:
            return json.loads(self.inspect(command, "--json").stdout)
        except (json.JSONDecodeError, UnicodeDecodeError):
            return {}

    def judge(self, where, done, allowed=(0,)):
        said = done.stderr.decode(errors="replace").strip()
        if BROKEN.search(said) or done.returncode < 0 or done.returncode > 3:
            self.fail(where, "a result or a reason", f"exit code {done.returncode}: {said[:160]}")
        elif done.returncode not in allowed:
            refused = done.returncode in (1, 2) and SENTENCE.fullmatch(said) and where not in self.expected.get("fine", [])
            if not refused or not (REFUSALS.search(said) or (self.ranks == 0 and where in NEEDS_MPI)):
                self.fail(where, f"exit code {allowed[0]}", f"{done.returncode}: {said[:160]}")
        if done.returncode == 0 and re.search(rb"(?<![\w.])-?(nan|inf)(?![\w.])", done.stdout):
            self.fail(where, "numbers", "nan or inf")

    def fold_and_restore(self):
        self.judge("fold", self.run("trace_compress", self.archive, "-o", self.file, "-q"))
        back = self.folder / "back"
        self.judge("restore", self.run("trace_convert", self.file, "--to", "otf2", "-o", back, "-q"))
        for path in sorted(p for p in self.archive.rglob("*") if p.is_file()):
            other = back / path.relative_to(self.archive)
            if not other.is_file() or not filecmp.cmp(path, other, shallow=False):
                self.fail("restore", "the same bytes", path.relative_to(self.archive))

    def run_everything(self):
        self.ranks = self.ask("info").get("ranks", 0)
        replayable = self.ask("check").get("can_be_replayed", True)
        for command in INSPECT:
            allowed = (0,) if command != "check" or replayable else (3,)
            self.judge(command, self.inspect(command), allowed)
            done = self.inspect(command, "--json") if command != "graph" else None
            if done is not None and done.returncode == 0:
                try:
                    json.loads(done.stdout)
                except ValueError as error:
                    self.fail(command, "JSON", error)
        self.judge("report", self.inspect("report", "-o", self.folder / "report.html"))
        self.judge("cubex", self.inspect("profile", "-o", self.folder / "profile.cubex"))
        for form in EXPORTS:
            # A proxy without calls that communicate is written, and told by the exit code.
            self.judge(f"to {form}", self.run("trace_convert", self.file, "--to", form, "-o", self.folder / form),
                       (0, 3) if form == "c" else (0,))

    def views(self):
        """(visits, exclusive, inclusive) by region, as each view has it."""
        profile, stats, table, chrome, open_since = {}, {}, {}, {}, {}
        for node in self.ask("profile").get("nodes", []):
            values = {m["metric"]: m for m in node["metrics"]}
            # A metric that is 0 everywhere below a node is left out.
            visits, time = ({over: values.get(metric, {}).get(over, {}).get("sum", 0)
                             for over in ("exclusive", "inclusive")} for metric in ("visits", "time"))
            self.add(profile, node["call"], visits["exclusive"], 1e9 * time["exclusive"], 1e9 * time["inclusive"])
        for row in self.ask("stats").get("rows", []):
            time = [f["sum"] for f in row["figures"] if (f["over"], f["metric"]) == ("calls", "time")]
            self.add(stats, row["path"][-1], row["calls"], None, 1e9 * time[0] if time else float("-inf"))
        self.begins = {}
        if (self.folder / "csv" / "regions.csv").exists():
            with open(self.folder / "csv" / "regions.csv", encoding="utf-8", errors="replace", newline="") as file:
                for row in csv.DictReader(file):
                    begin, end = float(row["begin_ns"]), float(row["end_ns"])
                    self.add(table, row["name"], row["resumed"] == "0", None, end - begin)
                    self.begins.setdefault((row["rank"], row["name"]), begin)
        if (self.folder / "chrome").exists():
            with open(self.folder / "chrome", encoding="utf-8", errors="replace") as file:
                events = json.load(file)["traceEvents"]
            for event in events:
                where = (event.get("pid"), event.get("tid"))
                if event["ph"] == "X":
                    self.add(chrome, event["name"], 1, None, 1e3 * event["dur"])
                elif event["ph"] == "B":
                    open_since.setdefault(where, []).append((event["name"], event["ts"]))
                elif event["ph"] == "E" and open_since.get(where):
                    name, begin = open_since[where].pop()
                    self.add(chrome, name, 1, None, 1e3 * (event["ts"] - begin))
        return {"profile": profile, "stats": stats, "csv": table, "chrome": chrome}

    @staticmethod
    def add(view, name, visits, exclusive, inclusive):
        name = re.sub(r"\(\)$", "", name) if name.startswith("MPI_") else name
        old = view.setdefault(name, [0, 0.0, 0.0])
        old[0] += visits
        old[1] = None if exclusive is None else old[1] + exclusive
        old[2] += inclusive

    def check_regions(self):
        views = self.views()
        for name, (visits, exclusive, inclusive) in self.expected.get("regions", {}).items():
            for view in self.expected.get("views", views):
                got = views[view].get(name, (0, None, None))
                self.same(f"{view}: visits of {name}", visits, got[0])
                # Tables round each time to nanoseconds.
                rounding = visits if view in ("csv", "chrome") and inclusive != int(inclusive or 0) else 0.01 * visits
                if exclusive is not None and view == "profile":
                    self.same(f"{view}: exclusive time of {name}", float(exclusive), got[1])
                if inclusive is not None and not (view == "profile" and exclusive is None):
                    self.same(f"{view}: inclusive time of {name}", float(inclusive), got[2], rounding)
        for where, begin in self.expected.get("begins", {}).items():
            self.same(f"csv: first beginning of {where}", float(begin), self.begins.get(where), 1)
        if "same_names" in self.expected:
            self.same("names of profile and stats", set(views["profile"]), set(views["stats"]))

    def check_messages(self):
        check = self.ask("check")
        for field, value in self.expected.get("check", {}).items():
            self.same(f"check: {field}", value, check.get(field))
        for kind in ("p2p", "rma"):
            if kind not in self.expected:
                continue
            matrix = self.ask(f"matrix --kind {kind}")
            cells = {(c["row"], c["column"]): (c["calls"], c["bytes"]) for c in matrix.get("cells", [])}
            wanted = self.expected[kind]
            got = {k: (c, b if wanted.get(k, (0, 0))[1] is not None else None) for k, (c, b) in cells.items()}
            self.same(f"matrix --kind {kind}", wanted, got)
            self.same(f"matrix --kind {kind}: unknown", 0, matrix.get("unknown", {}).get("calls"))

    def check_replay(self):
        """A replay issues what the trace has, or is refused by name, as check says."""
        if self.expected.get("no_replay") or ("issued" not in self.expected and "refused" not in self.expected):
            return
        ranks = self.ask("info").get("ranks", 1)
        done = self.run("trace_replay", self.file, "--verify", before=[*self.mpiexec, str(ranks)])
        said = (done.stdout + done.stderr).decode(errors="replace")
        issued = re.search(r"verified: (\d+) calls .*, 0 differences", said)
        can = self.ask("check").get("can_be_replayed")
        if done.returncode == 0 and issued and "issued" in self.expected:
            if int(issued[1]) < self.expected["issued"]:
                self.fail("replay --verify", f"at least {self.expected['issued']} calls", issued[0])
            self.same("check: can_be_replayed", True, can)
        elif done.returncode in (1, 3) and "refused" in self.expected and re.search(self.expected["refused"], said):
            self.same("check: can_be_replayed", False, can)
        else:
            self.fail("replay --verify", "a proof, or a reason", f"exit code {done.returncode}: {said[-160:]!r}")

    def check_devices(self):
        report = self.ask("accelerators") if {"kernels", "streams", "run"} & set(self.expected) else {}
        if "kernels" in self.expected:
            kernels = {c["name"]: (c["calls"], round(1e9 * c["seconds"])) for c in report.get("calls", [])
                       if c["on_stream"] and c["use"] == "kernel"}
            self.same("kernels", self.expected["kernels"], kernels)
        if "run" in self.expected:
            self.same("accelerators: run", float(self.expected["run"]), 1e9 * report.get("seconds", 0))
        for name, (calls, busy) in self.expected.get("streams", {}).items():
            uses = [u for s in report.get("streams", []) if s["location"] == name for u in s["uses"] if u["use"] == "kernel"]
            self.same(f"{name}: kernels and busy time", (calls, busy),
                      (uses[0]["calls"], round(1e9 * uses[0]["seconds"])) if uses else None)
        if "devices" in self.expected:
            devices = {d["name"]: round(1e9 * d["kernels"]) for d in self.ask("efficiency").get("devices", [])}
            self.same("efficiency: devices", self.expected["devices"], devices)
        for name, value in self.expected.get("efficiency", {}).items():
            self.same(f"efficiency: {name}", float(value), self.ask("efficiency").get("efficiency", {}).get(name))

    def check_ranks(self):
        """Times of ranks in nanoseconds, and counters of their computation."""
        told = self.ask("efficiency") if {"ranks", "counters"} & set(self.expected) else {}
        ranks = {rank["rank"]: rank for rank in told.get("ranks", [])}
        for name, value in self.expected.get("counters", {}).items():
            self.same(f"efficiency: {name}", value, told.get("counters", {}).get(name))
        for rank, figures in self.expected.get("ranks", {}).items():
            for name, value in figures.items():
                unit = 1 if name in ("instructions", "cycles") else 1e9
                self.same(f"efficiency: {name} of rank {rank}", float(value), unit * ranks.get(rank, {}).get(name, -1))

    def check_files_and_metrics(self):
        io = self.ask("io") if "io" in self.expected else {}
        for name, (operation, count, size, time) in self.expected.get("io", {}).items():
            got = [(o["operation"], o["count"], o["bytes"], round(1e9 * o["seconds"])) for line in io.get("lines", [])
                   if line["file"] == name for o in line["operations"]]
            self.same(f"io: {name}", [(operation, count, size, time)], got)
        if "unmatched" in self.expected:
            self.same("io: unmatched, outstanding", self.expected["unmatched"], (io["unmatched"], io["outstanding"]))
        metrics = {m["metric"]: m["rows"][0] for m in self.ask("metrics").get("metrics", [])}
        for name, values in self.expected.get("metrics", {}).items():
            for field, value in values.items():
                self.same(f"metrics: {field} of {name}", float(value), metrics.get(name, {}).get(field), 1e-3)

    def check_words(self):
        for command, pattern in self.expected.get("says", []):
            done = self.inspect(command)
            if not re.search(pattern, (done.stdout + done.stderr).decode(errors="replace")):
                self.fail(command, f"text like {pattern!r}", "no such text")
        for command, pattern in self.expected.get("never", []):
            found = re.search(pattern, self.inspect(command).stdout.decode(errors="replace"))
            if found:
                self.fail(command, f"no text like {pattern!r}", found[0])
        if "anonymous" in self.expected:
            target = self.folder / "anonymous"
            self.judge("anonymize", self.run("trace_convert", self.file, "--to", "otf2", "--anonymize", "-o", target))
            for path in (p for p in target.rglob("*") if p.is_file()):
                for word in self.expected["anonymous"]:
                    if word in path.read_bytes():
                        self.fail("anonymize", f"no {word}", path.name)

    def test(self):
        self.fold_and_restore()
        if not self.failures:
            self.run_everything()
            self.check_regions()
            self.check_messages()
            self.check_replay()
            self.check_devices()
            self.check_ranks()
            self.check_files_and_metrics()
            self.check_words()
        return self.failures


def test_spelling(options, folder, pattern, undone):
    """All counts agree: check, replay, dry run, efficiency and the proxy."""
    spelled = Kind(options, folder, "spell", pattern)
    spelled.fold_and_restore()
    spelled.expected = {"issued": 14, "refused": "." if not undone else "(?!)", "p2p": {(0, 1): (4, 364)}}
    spelled.check_replay()
    if undone:
        spelled.expected = KINDS["spell"]
        spelled.check_messages()
        functions = json.loads(spelled.run("trace_replay", spelled.file, "--dry-run", "--json").stdout)["functions"]
        spelled.same("dry run", 18, sum(f["calls"] for f in functions if f["kind"] != "local"))
        ranks = spelled.ask("efficiency").get("ranks", [])
        spelled.same("efficiency: in MPI", [230, 260], [round(1e9 * r["mpi"]) for r in ranks])
        spelled.judge("to c", spelled.run("trace_convert", spelled.file, "--to", "c", "--allow-left-out", "-o", folder / "proxy.c"))
        for call in ("MPI_Send(", "MPI_Recv(", "MPI_Allreduce(", "MPI_Isend(", "MPI_Waitall("):
            if call not in (folder / "proxy.c").read_text(encoding="utf-8"):
                spelled.fail("to c", call, "no such call")
    return spelled.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("make")
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--mpiexec", default="mpiexec -n", help="what starts so many ranks; the number follows")
    options = parser.parse_args()
    made = subprocess.run([options.make], capture_output=True, text=True, check=True).stdout.split()
    failures = [f"no expectations of kind {kind}" for kind in set(made) ^ set(KINDS)]
    for kind in options.kinds or [*KINDS, "spellings"]:
        if kind == "spellings":
            for pattern in SPELLINGS + UNKNOWN:
                with tempfile.TemporaryDirectory() as folder:
                    failures += test_spelling(options, pathlib.Path(folder), pattern, pattern in SPELLINGS)
        else:
            with tempfile.TemporaryDirectory() as folder:
                failures += Kind(options, pathlib.Path(folder), kind).test()
    print("\n".join(failures) if failures else "all expectations hold")
    return 3 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
