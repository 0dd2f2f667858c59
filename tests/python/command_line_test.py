#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""The package says of traces what the command line's CSV says.

Usage: command_line_test.py BIN SAMPLES [TRACE...]; with traces, of these, and of all their calls.
"""

import json
import pathlib
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import equality  # noqa: E402
import numpy as np  # noqa: E402
import tracefold  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
INSPECT = BIN / "trace_inspect"
PROBES = pathlib.Path(__file__).resolve().parent.parent / "data/archives/micro-probe-4"
TRACES = [pathlib.Path(path) for path in sys.argv[3:]] or [
    *sorted(path.parent for path in SAMPLES.glob("*/traces.otf2")),
    PROBES,
    SAMPLES / "scaling/lulesh-s3-i4-8.tfold",
]

# That are compared one by one.
MOST_CALLS = 20_000
ALL_CALLS = None if sys.argv[3:] else MOST_CALLS


def steps_of(trace):
    """True if the program has steps."""
    try:
        trace.steps()
        return True
    except tracefold.UsageError:
        return False


def walk(body):
    """The nodes of a tree, each before what is in it, without that."""
    for node in body:
        yield {key: value for key, value in node.items() if key != "body"}
        yield from walk(node.get("body", []))


def walk_nodes(nodes, items):
    """The same of the list of nodes that the command line writes, in which loops have numbers."""
    for node in (nodes[item] for item in items):
        yield {key: value for key, value in node.items() if key != "body"}
        yield from walk_nodes(nodes, node.get("body", []))


def of_each_trace(test):
    """Runs a test method once for each trace, open."""

    def run(self):
        for path in TRACES:
            with self.subTest(path.name), tracefold.open(path) as trace:
                test(self, path, trace)

    return run


class CommandLineTest(unittest.TestCase):
    @of_each_trace
    def test_calls(self, path, trace):
        count = equality.compare_calls(INSPECT, path, trace, ALL_CALLS)
        self.assertGreater(count, 0)

    @of_each_trace
    def test_parts_of_calls(self, path, trace):
        parts = [{"match": "MPI_*"}, {"match": "/recv|wait/"}]
        if trace.ranks > 2:
            parts.append({"ranks": "1-2"})
        if trace.timing != "none":
            parts.append({"time": f"{trace.duration / 3}:{trace.duration / 2}"})
        if steps_of(trace):
            parts.append({"iterations": "1-2"})
        for part in parts:
            equality.compare_calls(INSPECT, path, trace, MOST_CALLS, **part)

    @of_each_trace
    def test_messages(self, path, trace):
        if trace.ranks == 0:
            self.assertRaises(tracefold.UnsupportedError, trace.messages)
            return
        equality.compare_table(INSPECT, ("messages", path), trace.messages())
        options = ("messages", path, "--top", "7", "--ranks", "0")
        equality.compare_table(INSPECT, options, trace.messages(top=7, ranks=0))

    @of_each_trace
    def test_matrix(self, path, trace):
        for kind in ("p2p", "rma", "collective"):
            for by in ("rank", "node", "class"):
                options = ("matrix", path, "--kind", kind, "--by", by)
                table = trace.matrix_table(kind=kind, by=by)
                equality.compare_table(INSPECT, options, table)
                matrix = trace.matrix(kind=kind, by=by)
                self.assertEqual(int(matrix.bytes.sum()), matrix.total[1])
                self.assertEqual(int(matrix.calls.sum()), matrix.total[0])
                self.assertEqual(int(table["bytes"].sum()), matrix.total[1])

    @of_each_trace
    def test_sizes(self, path, trace):
        equality.compare_table(INSPECT, ("sizes", path), trace.sizes())
        equality.compare_table(INSPECT, ("sizes", path, "--exact"), trace.sizes(exact=True))

    @of_each_trace
    def test_statistics(self, path, trace):
        for by in ("call", "path", "loop"):
            options = ("stats", path, "--by", by)
            equality.compare_table(INSPECT, options, trace.stats(by=by))
        options = ("stats", path, "--histogram", "MPI_*")
        equality.compare_table(INSPECT, options, trace.stats(histogram="MPI_*"))

    @of_each_trace
    def test_classes(self, path, trace):
        for by in ("events", "calls", "script", "regions=M*"):
            options = ("classes", path, "--by", by)
            equality.compare_table(INSPECT, options, trace.classes(by=by))

    @of_each_trace
    def test_profile(self, path, trace):
        equality.compare_table(INSPECT, ("profile", path), trace.profile())
        for by in ("node", "rank", "location"):
            options = ("profile", path, "--by", by, "--depth", "2")
            equality.compare_table(INSPECT, options, trace.profile(by=by, depth=2))

    @of_each_trace
    def test_efficiency(self, path, trace):
        try:
            table = trace.efficiency()
        except tracefold.Error:
            with self.assertRaises(equality.Difference):
                list(equality.rows_of(INSPECT, "efficiency", path))
            return
        self.assertGreater(equality.compare_table(INSPECT, ("efficiency", path), table), 0)

    @of_each_trace
    def test_events_are_those_of_calls(self, path, trace):
        events = trace.events(columns=["event", "region"])
        types, counts = np.unique(events["event"].astype(str), return_counts=True)
        self.assertEqual(dict(zip(types.tolist(), counts.tolist())), trace.records)
        self.assertEqual(sum(counts), trace.event_count)

    @of_each_trace
    def test_structure_and_number_of_steps(self, path, trace):
        times = trace.timing != "none"
        command = [INSPECT, "structure", path, "--json", "-q", *["--times"] * times]
        told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        scripts = trace.structure(times=times)
        self.assertEqual(len(scripts), len(told["scripts"]))
        for script, expected in zip(scripts, told["scripts"]):
            self.assertEqual(script["participants"], expected["participants"])
            self.assertEqual(script["locations"], expected["locations"])
            nodes = expected["nodes"]
            self.assertEqual(list(walk(script["body"])), list(walk_nodes(nodes, expected["root"])))
        steps = trace.steps()["step"] if steps_of(trace) else []
        self.assertEqual(len(set(steps)), told["findings"].get("steps") or 0)

    @of_each_trace
    def test_steps_are_what_iterations_names(self, path, trace):
        if not steps_of(trace):
            return
        steps = trace.steps().to_pandas()
        calls = trace.calls(iterations=1, columns=["location", "begin", "duration"])
        calls = calls.to_pandas().dropna(subset=["begin"])
        second = steps[steps["step"] == 1].set_index("location")
        self.assertEqual(len(second) == 0, len(calls) == 0)
        begins = calls.groupby("location", observed=True)["begin"].min()
        counts = calls.groupby("location", observed=True).size()
        for location, begin in begins.items():
            self.assertEqual(second.loc[location, "begin"], begin)
            self.assertEqual(second.loc[location, "calls"], counts[location])

    def test_differences(self):
        pairs = [(TRACES[0], TRACES[0]), (TRACES[0], TRACES[1])]
        scaling = sorted((SAMPLES / "scaling").glob("stencil2d9p-*.tfold"))
        pairs.append((scaling[0], scaling[1]))
        for a, b in pairs:
            command = [INSPECT, "diff", a, b, "--json"]
            text = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout
            expected = json.loads(text)
            table = tracefold.diff(a, b)
            rows = [row for row in equality.batch_rows(table) if row["name"] is not None]
            self.assertEqual(len(rows), len(expected["differences"]))
            for row, line in zip(rows, expected["differences"]):
                self.assertEqual(row["path"], " > ".join(line["path"]))
                for name in ("kind", "participants", "name", "field", "a", "b"):
                    self.assertEqual(row[name], line.get(name))
            only = {r["kind"]: r["participants"] for r in equality.batch_rows(table) if not r["name"]}
            self.assertEqual(only.get("only_in_a", ""), expected["only_in_a"])
            self.assertEqual(only.get("only_in_b", ""), expected["only_in_b"])

    def test_lists(self):
        for options, words in (({}, []), ({"where": "ranks>=16", "sort": "size", "reverse": True},
                                          ["--where", "ranks>=16", "--sort", "size", "--reverse"])):
            command = [INSPECT, "list", SAMPLES, "--no-index", "--json", *words]
            text = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
            table = tracefold.list(SAMPLES, index=False, **options)
            self.assertEqual(list(equality.batch_rows(table)), json.loads(text)["traces"])

    @of_each_trace
    def test_a_finding_is_told(self, path, trace):
        self.assertEqual(
            trace.check().columns,
            ["finding", "count", "hinders", "what", "treatment", "examples"],
        )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
