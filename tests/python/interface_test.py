#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Stubs and docstrings say what there is; the other forms of a trace are right.

Usage: interface_test.py BIN SAMPLES
"""

import ast
import importlib.util
import inspect
import json
import pathlib
import subprocess
import sys
import unittest
import warnings

sys.dont_write_bytecode = True
import numpy as np  # noqa: E402
import tracefold  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
SCALING = SAMPLES / "scaling"


def has_matplotlib():
    try:
        import matplotlib

        matplotlib.use("Agg")
        return True
    except ImportError:
        return False


def parameters(function):
    """Names and defaults of a function of a stub, or of one that runs."""
    if not isinstance(function, ast.FunctionDef):
        return [
            (p.name, None if p.default is p.empty else p.default)
            for p in inspect.signature(function).parameters.values()
        ]
    arguments = function.args
    plain = [(a.arg, None) for a in arguments.args]
    for i, default in enumerate(arguments.defaults):
        at = len(plain) - len(arguments.defaults) + i
        plain[at] = (plain[at][0], ast.literal_eval(default))
    if arguments.vararg:
        plain.append((arguments.vararg.arg, None))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        plain.append((argument.arg, default and ast.literal_eval(default)))
    if arguments.kwarg:
        plain.append((arguments.kwarg.arg, None))
    return plain


class InterfaceTest(unittest.TestCase):
    @unittest.skipIf(importlib.util.find_spec("setuptools") is None, "there is no setuptools")
    def test_the_package_has_the_version_of_the_module(self):
        command = [sys.executable, "setup.py", "--version"]
        told = subprocess.run(command, cwd=SAMPLES.parent, stdout=subprocess.PIPE, check=True, text=True)
        self.assertEqual(told.stdout.split()[-1], tracefold.__version__)

    def test_stubs_are_true(self):
        stub = pathlib.Path(tracefold.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
        told = set()
        for item in ast.parse(stub).body:
            if isinstance(item, ast.FunctionDef):
                self.assertEqual(parameters(item), parameters(getattr(tracefold, item.name)))
                told.add(item.name)
            if not isinstance(item, ast.ClassDef) or item.name.startswith("_"):
                continue
            told.add(item.name)
            there = getattr(tracefold, item.name)
            for member in item.body:
                if not isinstance(member, ast.FunctionDef):
                    continue
                real = inspect.getattr_static(there, member.name)
                is_property = any(getattr(d, "id", "") == "property" for d in member.decorator_list)
                self.assertEqual(isinstance(real, property), is_property, member.name)
                if not is_property:
                    self.assertEqual(parameters(member), parameters(real), member.name)
        constants = {"CALL_COLUMNS", "EVENT_COLUMNS"}
        self.assertEqual(told | constants, set(tracefold.__all__))

    def test_all_that_is_public_is_documented(self):
        for name in tracefold.__all__:
            thing = getattr(tracefold, name)
            if isinstance(thing, list):
                continue
            self.assertTrue(inspect.getdoc(thing), name)
            for member, value in vars(thing).items() if inspect.isclass(thing) else ():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    if member != "shape":
                        self.assertTrue(inspect.getdoc(value), f"{name}.{member}")

    def test_columns_are_documented(self):
        for columns, method in (
            (tracefold.CALL_COLUMNS, tracefold.Trace.calls),
            (tracefold.EVENT_COLUMNS[:6], tracefold.Trace.events),
        ):
            for column in columns:
                self.assertIn(column, inspect.getdoc(method))

    def test_properties(self):
        with tracefold.open(SAMPLES / "made-cuda-2") as trace:
            self.assertEqual(trace.ranks, 2)
            self.assertEqual(sum(l["events"] for l in trace.locations), trace.event_count)
            self.assertIn("PAPI_TOT_CYC", [metric["name"] for metric in trace.metrics])
            self.assertEqual(trace.functions["MPI_Init"], 2)
            self.assertIn("2", trace._repr_html_())
            self.assertIn("<table", trace.calls()._repr_html_())
            self.assertIn("<table", trace.matrix()._repr_html_())
        self.assertIn("closed", repr(trace))

    def test_structure_is_a_tree(self):
        def calls(nodes):
            total = 0
            for node in nodes:
                if node["kind"] == "loop":
                    total += calls(node["body"])
                elif node["kind"] == "call":
                    total += 1
            return total

        trace = tracefold.open(SCALING / "stencil2d9p-n16-s20-16.tfold")
        scripts = trace.structure()
        loops = [node for script in scripts for node in script["body"] if node["kind"] == "loop"]
        self.assertTrue(loops)
        self.assertTrue(all(calls(script["body"]) > 0 for script in scripts))
        one = trace.structure(ranks=0)
        self.assertEqual(len(one), 1)
        self.assertEqual(one[0]["participants"], "rank 0")

    def test_rows_of_tables(self):
        trace = tracefold.open(SAMPLES / "micro-stencil2d9p-isend-4")
        small, whole = trace.calls(batch_rows=7), trace.calls()
        frame = whole.to_pandas()
        self.assertEqual(len(small), len(frame))
        for part, expected in (
            (small.head(), frame[:5]),
            (small.head(0), frame[:0]),
            (small[3:40], frame[3:40]),
            (small[14:21], frame[14:21]),
            (small[-9:], frame[-9:]),
            (small[len(frame) - 2 : len(frame) + 5], frame[-2:]),
            (small[10**9 :], frame[:0]),
        ):
            self.assertEqual(len(part), len(expected))
            for name in part.columns:
                self.assertEqual(np.ma.getdata(part[name]).shape, (len(expected),), name)
            for name in ("rank", "begin", "call", "bytes", "other"):
                mine, wanted = part.to_pandas()[name].tolist(), expected[name].tolist()
                self.assertEqual(mine, wanted, name)
        lists = [row.tolist() for row in small[:60]["completed"] if row is not None]
        self.assertEqual(lists, [row.tolist() for row in whole["completed"][:60] if row is not None])
        with self.assertRaises(ValueError):
            small[::2]

    def test_explain_is_the_document_of_the_command(self):
        path = SAMPLES / "micro-mpiio-4"
        command = [BIN / "trace_inspect", "explain", path, "--json", "-q"]
        document = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        found = tracefold.open(path).explain()
        document["file"] = found["file"] = str(path)
        self.assertEqual(found, document)
        self.assertEqual([cause["id"] for cause in found.causes], ["files"])
        self.assertIn("wins at most", str(found))
        self.assertEqual(found.to_pandas()["won"].tolist(), [found.causes[0]["won"]])

    def test_guard_is_the_document_of_the_command(self):
        runs = [SAMPLES / "scaling" / f"lulesh-s3-i4-{ranks}.tfold" for ranks in (8, 27)]
        command = [BIN / "trace_scale", "guard", runs[0], "--json", "-q", "--", runs[0]]
        document = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        with tracefold.open(runs[0]) as opened:
            found = tracefold.guard(opened, runs[0])
        self.assertEqual(found, document)
        self.assertTrue(found.passed)
        self.assertEqual(str(found), document["summary"])
        self.assertEqual(found.to_pandas()["path"].tolist(), [time["path"] for time in document["times"]])
        with self.assertRaisesRegex(tracefold.UnsupportedError, "ranks"):
            tracefold.guard(runs[1], [runs[0]])
        with self.assertRaises(tracefold.UsageError):
            tracefold.guard(runs[0], runs[0], allow="nothing:*")

    def test_efficiency_has_factors(self):
        trace = tracefold.open(SAMPLES / "npb-lu.S-4")
        command = [BIN / "trace_inspect", "efficiency", SAMPLES / "npb-lu.S-4", "--json", "-q"]
        document = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        efficiency = trace.efficiency()
        self.assertEqual(efficiency.factors, document["efficiency"])
        self.assertEqual(efficiency["parallel"], document["efficiency"]["parallel"])
        self.assertEqual(len(efficiency["figure"]), len(efficiency))
        with self.assertRaisesRegex(KeyError, "load_balance"):
            efficiency["nothing"]

    def test_warnings(self):
        trace = tracefold.open(SAMPLES / "npb-lu.S-4")
        with self.assertWarnsRegex(tracefold.TraceWarning, "did you mean MPI_Allreduce"):
            self.assertEqual(len(trace.calls(match="MPI_Alreduce")), 0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            trace.calls(match="MPI_Allreduce")
            trace.stats()

    @unittest.skipIf(importlib.util.find_spec("xarray") is None, "xarray is not installed")
    def test_xarray(self):
        matrix = tracefold.open(SAMPLES / "npb-lu.S-4").matrix()
        array = matrix.to_xarray("calls")
        self.assertEqual(array.sel({"from": matrix.rows[1]}).sum(), matrix.calls[1].sum())

    @unittest.skipIf(importlib.util.find_spec("polars") is None, "polars is not installed")
    def test_polars(self):
        calls = tracefold.open(SAMPLES / "npb-lu.S-4").calls()
        self.assertEqual(calls.to_polars()["rank"].to_list(), calls["rank"].tolist())
        self.assertEqual(calls[2:9].to_polars()["call"].to_list(), calls[2:9]["call"].tolist())

    def test_ranks_may_be_named_in_many_ways(self):
        trace = tracefold.open(SCALING / "stencil2d9p-n16-s20-16.tfold")
        expected = trace.calls(ranks="0-6:2")["rank"].tolist()
        for ranks in (range(0, 7, 2), [0, 2, 4, 6], np.array([0, 2, 4, 6]), (6, 4, 2, 0)):
            self.assertEqual(trace.calls(ranks=ranks)["rank"].tolist(), expected)

    def test_pipit_frames(self):
        trace = tracefold.open(SAMPLES / "micro-anysrc-4")
        definitions, events = trace.to_pipit()
        self.assertEqual(
            list(events.columns),
            ["Timestamp (ns)", "Event Type", "Name", "Thread", "Process", "Attributes"],
        )
        self.assertEqual(len(events), trace.event_count)
        self.assertTrue(events["Timestamp (ns)"].is_monotonic_increasing)
        kinds = events["Event Type"].value_counts()
        self.assertEqual(kinds["Enter"], kinds["Leave"])
        self.assertEqual(kinds["Enter"], trace.records["Enter"])
        sends = events[events["Name"].isin(["MpiSend", "MpiIsend"])]
        matrix = np.zeros((4, 4))
        for process, attributes in zip(sends["Process"], sends["Attributes"]):
            matrix[process, attributes["receiver"]] += attributes["msg_length"]
        self.assertEqual(matrix.tolist(), trace.matrix().bytes.astype(float).tolist())
        self.assertIn("Location", definitions["Definition Type"].tolist())

    def test_hatchet_tree(self):
        def nodes(trees):
            for tree in trees:
                yield tree
                yield from nodes(tree["children"])

        trace = tracefold.open(SAMPLES / "micro-user-4")
        literal = trace.to_hatchet()
        visits = {}
        for node in nodes(literal):
            name = node["frame"]["name"]
            visits[name] = visits.get(name, 0) + node["metrics"].get("visits", 0)
        for name in ("MPI_Sendrecv", "MPI_Init", "timestep"):
            self.assertEqual(visits.get(name), trace.functions[name], name)
        for node in nodes(literal):
            below = sum(child["metrics"]["time (inc)"] for child in node["children"])
            own = node["metrics"]
            self.assertAlmostEqual(own["time (inc)"], own["time"] + below, places=6)

    def test_networkx_graph(self):
        try:
            import networkx  # noqa: F401
        except ImportError:
            self.skipTest("networkx is not installed")
        trace = tracefold.open(SCALING / "stencil2d9p-n16-s20-16.tfold")
        matrix = trace.matrix()
        graph = matrix.to_networkx()
        self.assertEqual(graph.number_of_nodes(), 16)
        self.assertEqual(graph.number_of_edges(), len(matrix.cells))
        self.assertEqual(graph.size(weight="bytes"), matrix.total[1])

    def test_event_flow_graph(self):
        try:
            import networkx as nx
        except ImportError:
            self.skipTest("networkx is not installed")
        for path in (SAMPLES / "npb-lu.S-4", SAMPLES / "micro-user-4", SAMPLES / "made-cuda-2"):
            trace = tracefold.open(path)
            command = [BIN / "trace_inspect", "graph", path, "--json", "-q"]
            document = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            graph = trace.graph()
            self.assertIsInstance(graph, nx.DiGraph)
            self.assertEqual(graph.number_of_nodes(), len(document["nodes"]))
            self.assertEqual(graph.size(weight="count"), sum(e["count"] for e in document["edges"]))
            # Who comes goes: as often in as out of each node, and as often as it is visited.
            for node, facts in list(graph.nodes(data=True))[2:]:
                self.assertEqual(graph.in_degree(node, weight="count"), facts["visits"])
                self.assertEqual(graph.out_degree(node, weight="count"), facts["visits"])
        visits = {}
        for _, facts in list(trace.graph(signature=[]).nodes(data=True))[2:]:
            if facts["kind"] == "call":
                visits[facts["name"]] = visits.get(facts["name"], 0) + facts["visits"]
        self.assertEqual(visits["MPI_Allreduce"], trace.functions["MPI_Allreduce"])
        timed = trace.graph(times=True, ranks="0")
        total = sum(f["time"]["total"] for _, f in timed.nodes(data=True) if "time" in f)
        self.assertTrue(0 < total < 2 * trace.duration)
        with self.assertRaises(tracefold.UsageError):
            trace.graph(signature="nothing")

    @unittest.skipUnless(has_matplotlib(), "matplotlib is not installed")
    def test_plots(self):
        import matplotlib.pyplot as plt

        trace = tracefold.open(SAMPLES / "npb-lu.S-4")
        axes = trace.plot_matrix()
        drawn = np.ma.filled(axes.images[0].get_array(), 0)
        self.assertEqual(drawn.tolist(), trace.matrix().bytes.astype(float).tolist())
        axes = trace.plot_steps()
        steps = trace.steps().to_pandas()
        self.assertEqual(axes.images[0].get_array().shape, (4, steps["step"].nunique()))
        axes = trace.plot_timeline(match="MPI_*", ax=plt.figure().add_subplot())
        bars = sum(len(c.get_paths()) for c in axes.collections)
        calls = trace.calls(match="MPI_*")
        self.assertEqual(bars, int((calls["kind"] == "call").sum()))
        with self.assertRaises(ValueError):
            trace.plot_matrix(metric="time")
        plt.close("all")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
