#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reports of trace_replay: all forms say the same, sums are those of their parts and of the trace.

usage: replay_report_test.py BIN ARCHIVE RANKS MPIEXEC -n
"""

import calendar
import collections
import csv
import html.parser
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(60)
VOID_TAGS = {"meta"}


class Page(html.parser.HTMLParser):
    """Tags that are not closed, texts, and everything that would be fetched."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.problems = []
        self.texts = []
        self.charts = 0
        self.feed(text)
        self.problems += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.charts += tag == "svg"
        for name, value in attrs:
            if name in ("src", "href") or "://" in (value or ""):
                self.problems.append(f"<{tag} {name}={value}> needs another file")
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.texts.append(data)


class Cases:
    def __init__(self, tools, archive, ranks, launcher, work):
        self.tools = tools
        self.ranks = int(ranks)
        self.launcher = [*launcher, ranks]
        self.work = work
        self.trace = work / "run & <b>.tfold"
        self.found = []
        self.run(tools / "trace_compress", "-q", archive, "-o", self.trace)

    def run(self, *command):
        return subprocess.run(command, capture_output=True, text=True, check=False,
                              timeout=TIMEOUT_SECONDS)

    def replay(self, *options, code=0, error=""):
        result = self.run(*self.launcher, self.tools / "trace_replay", self.trace, "-q", *options)
        self.expect(" ".join(map(str, options)), result.returncode, code)
        if error not in result.stderr or (not error and result.stderr):
            self.found.append(f"{options}: {result.stderr}")
        return result

    def expect(self, what, found, wanted):
        if found != wanted:
            self.found.append(f"{what}: {found} instead of {wanted}")

    def file(self, name):
        return self.work / name

    def check(self):
        names = [self.file("report." + form) for form in ("json", "csv", "html")]
        self.replay("--deltas", "exact", "--repeat", "2",
                    *(word for name in names for word in ("--report", name)))
        if self.found:
            return self.found
        report = json.loads(names[0].read_text())
        self.check_json(report)
        self.check_csv(report, names[1])
        self.check_html(report, names[2].read_text())
        self.check_options(names[0])
        self.check_processors()
        self.check_comparison(report)
        return self.found

    def check_json(self, report):
        self.expect("schema", report["schema"], {"name": "tracefold.replay", "version": 1})
        self.expect("repetitions", report["repetitions"]["count"], 2)
        walls = report["wall_seconds"]
        self.expect("longest repetition", report["repetitions"]["wall"]["max"], max(walls))
        fidelity = report["fidelity"]
        self.expect("met", (fidelity["met"], fidelity["shortfalls"]), (True, []))
        self.expect("issued", fidelity["issued_calls"], 2 * report["calls"])
        self.expect("bytes", fidelity["issued_bytes"], fidelity["trace_bytes"])
        details = report["ranks_in_detail"]
        self.expect("ranks", [rank["rank"] for rank in details], list(range(self.ranks)))
        self.check_environment(report, details)
        self.check_calls(report, details)
        self.check_messages(report, details)
        for rank in details:
            times = rank["replayed"]
            if abs(times["wall"] - times["communication"] - times["computation"]) > 1e-9:
                self.found.append(f"times of rank {rank['rank']} do not add up: {times}")

    def check_environment(self, report, details):
        environment = report["environment"]
        version = self.run(self.tools / "trace_replay", "--version").stdout.split()[1]
        self.expect("version", environment["tracefold"], version)
        self.expect("command", "--repeat 2" in environment["command"], True)
        self.expect("MPI", bool(environment["mpi"] and environment["mpi_standard"]), True)
        age = time.time() - calendar.timegm(time.strptime(environment["date"], "%Y-%m-%dT%H:%M:%S.%fZ"))
        self.expect("date", 0 <= age < 2 * TIMEOUT_SECONDS, True)
        self.expect("clock", 0 < environment["clock_resolution_seconds"] < 1e-4, True)
        self.expect("hosts", {rank["host"] for rank in details}, {node["host"] for node in environment["nodes"]})
        pinned = [group for node in environment["nodes"] for group in node["pinning"]]
        ranks = [rank for group in pinned for part in group["ranks"].split(",")
                 for rank in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)]
        self.expect("pinned ranks", sorted(ranks), list(range(self.ranks)))
        mine = sorted(os.sched_getaffinity(0))
        if mine == list(range(mine[0], mine[-1] + 1)) and len(pinned) == 1:
            self.expect("processors", pinned[0]["processors"], f"{mine[0]}-{mine[-1]}" if len(mine) > 1 else str(mine[0]))
        self.expect("walls", [run["wall"] for run in report["repetitions"]["list"]], report["wall_seconds"])
        for calls in report["calls_by_size"]:
            runs = calls["repetitions"]
            what = f"{calls['function']} {calls['from_bytes']}"
            self.expect(what, len(runs), 2)
            self.expect(what + " shortest", min(run["shortest"] for run in runs), calls["shortest_seconds"])
            mean = sum(run["seconds"] for run in runs) / 2
            if abs(mean - calls["replayed_seconds"]) > 1e-9 * mean or any(
                    run["median"] < run["shortest"] for run in runs):
                self.found.append(f"{what}: {calls}")

    def check_calls(self, report, details):
        calls = collections.Counter()
        sent = collections.Counter()
        for rank in details:
            for call in rank["calls_by_function"]:
                calls[call["function"]] += call["calls"]
                sent[call["function"]] += call["sent_bytes"]
        for call in report["calls_by_function"]:
            self.expect(call["function"], calls[call["function"]], call["calls"])
            self.expect(call["function"] + " bytes", sent[call["function"]], call["sent_bytes"])
        self.expect("calls", sum(calls.values()), report["calls"])
        self.check_sizes(report)

    def check_sizes(self, report):
        """Calls of all sizes are the calls of the function."""
        for call in report["calls_by_function"]:
            sizes = [size for size in report["calls_by_size"]
                     if size["function"] == call["function"]]
            name = call["function"] + " by size"
            self.expect(name, sum(size["calls"] for size in sizes), call["calls"])
            self.expect(name + ", bytes", sum(size["bytes"] for size in sizes),
                        call["sent_bytes"] + call["received_bytes"])
            seconds = sum(size["replayed_seconds"] for size in sizes)
            if abs(seconds - call["replayed_seconds"]) > 1e-6 * call["replayed_seconds"]:
                self.found.append(f"{name}: {seconds} s instead of {call['replayed_seconds']}")
            for size in sizes:
                low = size["from_bytes"]
                if not low * size["calls"] <= size["bytes"] <= 2 * low * size["calls"]:
                    self.found.append(f"{size} has bytes of another size")
                # 0: it took no longer than issuing a call takes by itself, as with sanitizers.
                if not 0 <= size["shortest_seconds"] * size["calls"] <= seconds:
                    self.found.append(f"{size} has a shortest call that is too long")

    def check_messages(self, report, details):
        """Against the text of the trace: every send is a record there."""
        text = self.run(self.tools / "trace_convert", self.trace, "--to", "text").stdout
        wanted = sum(" to=" in line for line in text.splitlines() if not line.startswith("#"))
        sizes = sum(bucket["count"] for bucket in report["message_sizes"])
        peers = sum(peer["messages"] for rank in details for peer in rank["peers"])
        self.expect("messages between ranks", peers, sizes)
        self.expect("messages of the trace", sizes, wanted)
        size_bytes = sum(bucket["bytes"] for bucket in report["message_sizes"])
        peer_bytes = sum(peer["bytes"] for rank in details for peer in rank["peers"])
        self.expect("bytes between ranks", peer_bytes, size_bytes)

    def check_csv(self, report, name):
        with open(name, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.expect("titles", rows[0], ["section", "rank", "name", "quantity", "value"])
        self.expect("columns", {len(row) for row in rows}, {5})
        values = {tuple(row[:4]): row[4] for row in rows[1:]}
        self.expect("one line for each number", len(values), len(rows) - 1)
        self.expect("calls", values["run", "", "calls", "count"], str(report["calls"]))
        for size in report["calls_by_size"]:
            key = ("call_size", "", f"{size['function']} {size['from_bytes']}", "bytes")
            self.expect(str(key), values.get(key), str(size["bytes"]))
        self.expect("wall", float(values["total", "", "replayed_wall", "max_seconds"]),
                    report["replayed"]["wall"]["max"])
        for rank in report["ranks_in_detail"]:
            for peer in rank["peers"]:
                key = ("peer", str(rank["rank"]), str(peer["rank"]), "bytes")
                self.expect(str(key), values.get(key), str(peer["bytes"]))

    def check_html(self, report, text):
        page = Page(text)
        self.found += page.problems
        words = " ".join(page.texts)
        self.expect("name of the trace", "run & <b>.tfold" in words, True)
        self.expect("met", "issued what was requested" in words, True)
        for call in report["calls_by_function"]:
            self.expect(call["function"] + " in HTML", call["function"] in words, True)
        if page.charts < 2 or "prefers-color-scheme: dark" not in text or "@media print" not in text:
            self.found.append(f"{page.charts} charts, or no styles")

    def check_options(self, present):
        self.replay("--report", present, code=1, error="exists")
        self.replay("--report", self.file("missing/report.json"), code=1, error="missing")
        self.replay("--report", present, "--force", "--no-hosts", "--repeat", "1")
        report = json.loads(present.read_text())
        self.expect("no hosts", [one for one in report["ranks_in_detail"] + report["environment"]["nodes"] if "host" in one], [])
        self.replay("--report", present, "--force", "--verify", "--ranks-per-report", "1")
        report = json.loads(present.read_text())
        self.expect("repetitions for a comparison", len(report["wall_seconds"]), 5)
        self.expect("proof beside the times", report["verified"]["differences"], 0)
        details = report["ranks_in_detail"]
        slowest = max(details, key=lambda rank: rank["replayed"]["wall"])
        self.expect("first rank", details[0]["rank"], 0)
        if len(details) > 2 or (len(details) == 2 and slowest["rank"] == 0) or any(
                not rank["host"] for rank in details):
            self.found.append(f"--ranks-per-report 1: {details}")
        strict = self.file("strict.json")
        self.replay("--report", strict, "--deltas", "exact", "--tolerance", "0%", code=3,
                    error="more than the tolerance")
        fidelity = json.loads(strict.read_text())["fidelity"]
        self.expect("not met", (fidelity["met"], len(fidelity["shortfalls"])), (False, 1))
        self.replay("--deltas", "exact", "--tolerance", "100000%")

    def check_comparison(self, first):
        """Against another replay: what is said of each report is what it says, and parts add up."""
        names = [self.file("report 1.json"), self.file("report 2.json")]
        names[0].write_text(json.dumps(first))
        self.replay("--deltas", "exact", "--report", names[1])
        second = json.loads(names[1].read_text())
        result = self.run(self.tools / "trace_replay", "--compare", *names, "--json", "-q")
        self.expect("comparison", result.returncode, 0)
        compared = json.loads(result.stdout)
        self.expect("reports", [report["name"] for report in compared["reports"]], ["report 1", "report 2"])
        for number, report in enumerate((first, second)):
            wanted = {(size["function"], size["from_bytes"]): size["bytes"] for size in report["calls_by_size"]}
            found = {(size["function"], size["from_bytes"]): size["reports"][number]["bytes"]
                     for size in compared["calls_by_size"] if size["reports"][number]}
            self.expect(f"calls of report {number}", found, wanted)
            self.expect(f"spread of report {number}", compared["reports"][number]["wall"], report["replayed"]["wall"])
        difference = compared["differences"][0]
        walls = [self.ranks * report["replayed"]["wall"]["mean"] for report in (first, second)]
        parts = sum(part["seconds"] for part in difference["parts"])
        for what, seconds in (("difference", difference["seconds"]), ("parts of it", parts)):
            if abs(seconds - (walls[1] - walls[0])) > 1e-6 * max(walls):
                self.found.append(f"{what}: {seconds} s instead of {walls[1] - walls[0]}")
        self.replay("--report", names[1], "-f")
        refused = self.run(self.tools / "trace_replay", "--compare", *names)
        if refused.returncode != 1 or "--deltas is none instead of exact" not in refused.stderr:
            self.found.append(f"other options: {refused.returncode} {refused.stderr}")

    def check_processors(self):
        """All ranks on one processor, and on all that are there."""
        mine = os.sched_getaffinity(0)
        for processors in ({min(mine)}, mine):
            os.sched_setaffinity(0, processors)
            report = json.loads(self.replay("--json", "--deltas", "mean").stdout)
            text = self.replay("--deltas", "mean").stdout
            wanted = {"nodes": 1, "oversubscribed_nodes": 1, "ranks": self.ranks,
                      "threads": self.ranks, "processors": len(processors)}
            line = (f"processors: {self.ranks} ranks share {len(processors)}; times are unreliable, "
                    "and computation times cannot be met\n")
            crowded = self.ranks > len(processors)
            self.expect("oversubscription", report.get("oversubscription"),
                        wanted if crowded else None)
            self.expect("line of processors", line in text, crowded)


def main(tools, archive, ranks, *launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-report-") as folder:
        found = Cases(pathlib.Path(tools), archive, ranks, launcher, pathlib.Path(folder)).check()
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
