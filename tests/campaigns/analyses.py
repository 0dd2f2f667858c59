# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import csv
import io
import sys

from .common import ROOT, Campaign, Failure, Refusal, run

STATISTICS = ["stats --json", "stats --json --by path", "stats --json --by loop", "stats --csv --histogram MPI_* --bins 30",
              "stats --csv --histogram MPI_* --over-time --bins 10", "classes --json --by events",
              "classes --json --by calls --histogram MPI_*", "classes --json --by script --per-iteration",
              "classes --json --by arguments --per-iteration", "classes --json --by regions=MPI_I*"]
PROCESSES_AND_FANOUTS = [(2, 2), (4, 2), (5, 2), (5, 4), (5, 8)]
NOT_PRINTABLE = 4  # exit code of check_stats.py


def unwound_messages(table):
    """Number and bytes of messages in the calls one by one."""
    found = {key: [0, 0] for key in ("send", "receive")}
    for call in csv.DictReader(io.StringIO(table)):
        tos, froms = (len(call[key].split(";")) if call[key] else 0 for key in ("to", "from"))
        numbers = [int(number) for number in call["bytes"].split(";")] if call["bytes"] else []
        # A call that does both has its messages in the order of their records.
        sends = numbers[:tos] if tos else []
        for key, some in (("send", sends), ("receive", numbers[len(sends):] if froms else [])):
            found[key][0] += len(some)
            found[key][1] += sum(some)
        # Completions of unknown requests have the bytes that they received.
        for field in call["other"].split():
            if field.startswith("MpiIrecv.bytes="):
                found["receive"][0] += 1
                found["receive"][1] += int(field.split("=")[1])
    return {key: tuple(pair) for key, pair in found.items()}


class Inspect(Campaign):
    """Run the commands of trace_inspect, and compare matrix and sizes with the records and the calls.

Messages, collective parts and bytes of `matrix` and `sizes` must be those of the records that `info` counts and of the calls
unwound one by one. JSON must follow docs/reference/json.md.
"""

    name = "inspect"
    columns = ("messages", "bytes", "collective parts")

    def check(self, archive):
        file = archive.fold()
        for words in (["structure", "--times"], ["matrix", "--by", "node"], ["matrix", "--by", "class", "--svg"],
                      ["sizes", "--exact"]):
            archive.tool("trace_inspect", *words, file)
        json_of = {name: archive.inspect(*words, file, codes=codes) for name, words, codes in (
            ("info", ["info"], (0,)), ("p2p", ["matrix"], (0,)), ("rma", ["matrix", "--kind", "rma"], (0,)),
            ("collective", ["matrix", "--kind", "collective"], (0,)), ("sizes", ["sizes"], (0,)))}
        self.compare(json_of, unwound_messages(archive.tool("trace_inspect", "calls", "--csv", file)))
        documents = []
        for words in (["info"], ["structure"], ["calls", "--ranks", "0"], ["check"], ["matrix"], ["sizes"],
                      ["diff", archive.path]):
            documents.append(archive.work / f"{words[0]}.json")
            documents[-1].write_text(archive.tool("trace_inspect", *words, "--json", file, codes=(0, 3)), encoding="utf-8")
        run([sys.executable, ROOT / "tests/cli/check_json.py", ROOT / "docs/reference/json.md", *documents])
        total = json_of["p2p"]["total"]
        return total["calls"], total["bytes"], json_of["collective"]["received"]["calls"]

    @staticmethod
    def compare(json_of, unwound):
        records = json_of["info"]["records"]

        def recorded(*names):
            return sum(records.get(name, 0) for name in names)

        def sent(kind):
            return tuple(json_of[kind]["total"][key] + json_of[kind]["unknown"][key] for key in ("calls", "bytes"))

        def received(kind):
            return tuple(json_of[kind]["received"][key] for key in ("calls", "bytes"))

        def histogram(kind, side):
            wanted = [one for one in json_of["sizes"]["histograms"] if (one["kind"], one["side"]) == (kind, side)]
            return sum(one["count"] for one in wanted), sum(one["bytes"] for one in wanted)

        for name, found, wanted in (
                ("sends", sent("p2p")[0], recorded("MpiSend", "MpiIsend")),
                ("receives", received("p2p")[0], recorded("MpiRecv", "MpiIrecv")),
                ("collective parts", received("collective")[0],
                 recorded("MpiCollectiveEnd", "NonBlockingCollectiveComplete")),
                ("one-sided operations", sent("rma")[0], recorded("RmaPut", "RmaGet", "RmaAtomic")),
                ("sizes sent", histogram("send", "sent"), sent("p2p")),
                ("sizes received", histogram("receive", "received"), received("p2p")),
                ("sizes of collectives", histogram("collective", "sent"), sent("collective")),
                ("unwound sends", unwound["send"], sent("p2p")),
                ("unwound receives", unwound["receive"], received("p2p")),
                ("cells", sum(cell["bytes"] for cell in json_of["p2p"]["cells"]), json_of["p2p"]["total"]["bytes"])):
            if found != wanted:
                raise Failure(f"{name}: {found} instead of {wanted}")


class Stats(Campaign):
    """Compare statistics with a plain computation over otf2-print, and between numbers of processes.

`trace_inspect stats` must have the figures of tests/profile/check_stats.py, and the same output with 1, 2, 4 and 5 processes
and fan-outs of 2, 4 and 8.
"""

    name = "stats"
    programs = ("otf2-print",)
    columns = ("otf2-print", "commands", "outputs compared")
    jobs = 1
    launcher = True

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--reference-only", action="store_true", help="start no other numbers of processes")

    def check(self, archive):
        reference = run([sys.executable, ROOT / "tests/profile/check_stats.py", self.options.bin, archive.path],
                        self.options.timeout, (0, NOT_PRINTABLE))
        word = "equal" if reference.returncode == 0 else "cannot print it"
        if self.options.reference_only:
            return word, 0, 0
        archive.fold()
        for words in STATISTICS:
            command, *rest = words.split()
            command = [self.options.bin / "trace_inspect", command, archive.file, *rest, "--fanout"]
            alone = run([*command, 2], self.options.timeout).stdout
            for processes, fanout in PROCESSES_AND_FANOUTS:
                if archive.launch(processes, [*command, fanout]).stdout != alone:
                    raise Failure(f"{words}: another result of {processes} processes with fan-out {fanout}")
        return word, len(STATISTICS), len(STATISTICS) * len(PROCESSES_AND_FANOUTS)


class Graph(Campaign):
    """Draw the event flow graph of every archive, and recover every rank's sequence from it.

Graphviz must accept the DOT without a warning: by default, with loops collapsed, with boxes around regions, and with nothing
joined (--top reduces large ones). networkx must read the GraphML. The sequence recovered from the graph must be the trace's, with
the default signature and with everything in it.
"""

    name = "graph"
    programs, modules = ("dot",), ("networkx",)
    columns = ("locations", "events", "trace B", "graph B", "ratio", "nodes", "edges", "cardinality", "most")
    timeout = 300

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--max-nodes", type=int, default=150, metavar="N", help="draw no more nodes than these")

    def check(self, archive):
        archive.fold("--timing", "histogram")
        figures = archive.inspect("graph", archive.file, "--stats")
        for everything in ([], ["--regions", "--signature", "call,peer,size,comm,tag,path"]):
            self.graph(archive, "--verify", *everything)
        reduced = ["--top", self.options.max_nodes] if figures["nodes"] > self.options.max_nodes else []
        for picture in ([], ["--collapse", "loops"], ["--cluster", "paths"], ["--collapse", "none", *reduced]):
            drawn = run(["dot", "-Tsvg"], self.options.timeout, input=self.graph(archive, *picture))
            if drawn.stderr or "</svg>" not in drawn.stdout:
                raise Failure(f"dot, {picture}: {drawn.stderr.strip()[:200] or 'no picture'}")
        self.check_graphml(figures, self.graph(archive, "--format", "graphml"))
        return (*(figures[key] for key in ("locations", "events", "trace_bytes", "graph_bytes")),
                f"{figures['trace_bytes'] / figures['graph_bytes']:.1f}", figures["nodes"], figures["edges"],
                f"{figures['mean_cardinality']:.2f}", figures["maximum_cardinality"])

    @staticmethod
    def graph(archive, *arguments):
        return archive.tool("trace_inspect", "graph", archive.file, *arguments)

    @staticmethod
    def check_graphml(figures, text):
        import networkx  # not on every machine
        graph = networkx.parse_graphml(text)
        inner = [(a, b) for a, b in graph.edges() if a != "n0" and b != "n1"]
        if graph.number_of_nodes() != figures["nodes"] + 2 or len(inner) != figures["edges"]:
            raise Failure("networkx reads other numbers of nodes and edges")


class Places(Campaign):
    """Compare the places of collectives relative to the steps, and "every N steps", with the calls of each step.

The calls are those of `trace_inspect calls --iterations`: the findings are computed from the structure.
"""

    name = "places"
    columns = ("steps", "claims")

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--max-steps", type=int, default=200, metavar="N", help="leave out programs with more steps")

    def check(self, archive):
        archive.fold("--timing", "exact")
        findings = archive.inspect("structure", archive.file)["findings"]
        steps = findings.get("steps")
        if not steps or steps > self.options.max_steps:
            raise Refusal("no steps" if not steps else f"{steps} steps")
        of_steps = [self.calls(archive, "--iterations", step) for step in range(steps)]
        begins = {location: min(begin for begin, _ in calls) for location, calls in of_steps[0].items()}
        everywhere = self.calls(archive)
        claims = 0
        for item in findings["collectives"]:
            if "places" not in item:
                continue
            claims += 1
            for location, calls in everywhere.items():
                moments = [begin for begin, name in calls if name == item["name"]]
                if moments:
                    inside = [sum(name == item["name"] for _, name in step.get(location, ())) for step in of_steps]
                    early = sum(moment < begins[location] for moment in moments)
                    self.compare(f"{item['name']} on location {location}", item["places"], inside, early, len(moments))
        return steps, claims

    @staticmethod
    def calls(archive, *arguments):
        """By location: begin and name of each call."""
        table = archive.tool("trace_inspect", "calls", archive.file, "--csv", *arguments)
        found = {}
        for row in csv.DictReader(io.StringIO(table)):
            found.setdefault(row["location"], []).append((float(row["begin"]), row["call"]))
        return found

    @staticmethod
    def compare(where, places, inside, early, total):
        occupied = [step for step, calls in enumerate(inside) if calls]
        found = {"before": early, "within": sum(inside), "after": total - early - sum(inside), "steps": len(occupied)}
        wanted = {key: places[key] for key in found}
        if found != wanted:
            raise Failure(f"{where}: {wanted}, but the calls are {found}")
        if "every" in places:
            period = places["every"]
            if occupied != list(range(occupied[0], len(inside), period)) or occupied[0] >= period:
                raise Failure(f"{where}: not in every {period} steps, but in {occupied}")
            if len({inside[step] for step in occupied}) != 1:
                raise Failure(f"{where}: {inside}")
