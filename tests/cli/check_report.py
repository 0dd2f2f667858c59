#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the page that trace_inspect report writes: well-formed, complete in itself, right data, bounded.

tests/page looks at it in a browser. Usage: check_report.py --bin DIR --samples DIR
"""

import argparse
import base64
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile

VOID = {"meta", "br", "hr", "img", "input", "link"}
SAMPLES = ["micro-stencil2d9p-isend-4", "micro-rma-4", "npb-lu.S-4", "micro-pcoll-4", "micro-omphyb-4", "made-cuda-2"]
#: Documents that are those of a command, and the command.
COMMANDS = {"structure": ["structure", "--lines", "--times"], "profile": ["profile", "--by", "rank"], "efficiency": ["efficiency", "--focus"],
            "matrix-rank": ["matrix", "--by", "rank"], "matrix-class": ["matrix", "--by", "class"], "sizes": ["sizes"],
            "graph": ["graph", "--signature", "call,path", "--top", "80", "--times"],
            "graph-variants": ["graph", "--top", "300", "--times"], "io": ["io"], "metrics": ["metrics"]}


class Page(html.parser.HTMLParser):
    """Notices tags that do not match, and what leads out of the page."""

    def __init__(self, text):
        super().__init__()
        self.open_tags = []
        self.problems = []
        self.feed(text)
        self.problems += [f"<{tag}> is never closed" for tag in self.open_tags]

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open_tags.append(tag)
        self.take(tag, dict(attributes))

    def handle_startendtag(self, tag, attributes):
        self.take(tag, dict(attributes))

    def take(self, tag, attributes):
        if tag in ("iframe", "object", "embed"):
            self.problems.append(f"<{tag}> has no place in the page")
        for name in ("href", "src", "xlink:href"):
            if name in attributes and not attributes[name].startswith(("#", "data:")):
                self.problems.append(f"{attributes[name]} leads out of the page")

    def handle_endtag(self, tag):
        if not self.open_tags or self.open_tags.pop() != tag:
            self.problems.append(f"</{tag}> closes something else")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def data_of(text):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))


def without_file(document):
    """Neither what the page does not show: it has lanes of all steps."""
    return {key: value for key, value in document.items() if key not in ("file", "imbalance")}


def check_documents(documents, folded, inspect):
    for name, command in COMMANDS.items():
        wanted = without_file(json.loads(run(inspect, *command, folded, "--json")))
        if without_file(documents[name]) != wanted:
            yield f"{name} is not what trace_inspect {' '.join(command)} says"
    wanted = json.loads(run(inspect, "stats", folded, "--json"))
    if documents["stats"]["rows"] != wanted["rows"]:
        yield "stats is not what trace_inspect stats says"


def check_spreads(documents):
    """Histograms hold every call that has a time."""
    spreads = {row["name"]: row for row in documents["spreads"]["rows"]}
    for row in documents["stats"]["rows"]:
        timed = sum(item["count"] for item in row["figures"] if item["over"] == "calls" and item["metric"] == "time")
        name = row["path"][-1]
        if sum(spreads[name]["calls"][1::2]) != timed:
            yield f"the histogram of {name} does not have all calls"
        steps = sum(item["count"] for item in row["figures"]
                    if item["over"] == "iterations" and item["metric"] == "time")
        if sum(sum(step[1::2]) for step in spreads[name]["steps"]) != steps:
            yield f"the steps of {name} do not have all samples"


def numbers_of(text):
    """Varints as the page has them."""
    number, shift = 0, 0
    for byte in base64.b64decode(text):
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number, shift = 0, 0


def check_calls(data, folded, inspect):
    """Rows are call by call what `calls` lists, with the arguments."""
    rate = data["trace"]["ticks_per_second"]
    timeline = data["timeline"]
    wanted = {}
    for call in json.loads(run(inspect, "calls", folded, "--json"))["calls"]:
        wanted.setdefault(call["location"], []).append(call)
    # A region that was suspended with its task goes on with a record of that task.
    entered = {call["name"] for calls in wanted.values() for call in calls if call["kind"] == "enter"}
    compared = 0
    for row in timeline["parts"][0]["rows"]:
        listed = wanted[data["trace"]["rows"][row["row"]][0]]
        numbers = list(numbers_of(row["calls"]))
        begin, number = row["begin"], 0
        for i in range(0, len(numbers), 6):
            begin += numbers[i]
            number += numbers[i + 1]
            name = timeline["names"][row["kinds"][numbers[i + 2]][0]]
            call = listed[number]
            goes_on = call["name"].startswith("ThreadTask") and name in entered
            if not (goes_on or name == call["name"]) or abs(begin - call["begin"] * rate) > 1:
                yield f"call {number} of row {row['row']} is {name}, not {call['name']}"
                return
            if row["kinds"][numbers[i + 2]][2] and abs(numbers[i + 4] - call.get("duration", 0) * rate) > 1:
                yield f"call {number} of row {row['row']} lasts {numbers[i + 4]} ticks"
                return
            facts = timeline["facts"][numbers[i + 5] - 1] if numbers[i + 5] else []
            told = [record["type"] for record in facts]
            if told != [record["type"] for record in call["records"]] and not (goes_on and not told):
                yield f"call {number} of row {row['row']} has records {told}"
                return
            compared += 1
    if compared < 20:
        yield f"{compared} calls were compared"


def check(sample, arguments, scratch):
    folded = scratch / f"{sample}.tfold"
    page_path = scratch / f"{sample}.html"
    inspect = str(arguments.bin / "trace_inspect")
    run(str(arguments.bin / "trace_compress"), "-q", str(arguments.samples / sample), "-o", str(folded))
    run(inspect, "report", str(folded), "-o", str(page_path))
    text = page_path.read_text(encoding="utf-8")
    yield from Page(text).problems
    data = data_of(text)
    if not data["timeline"]["exact"] or data["timeline"]["says"]:
        yield f"the page does not hold all: {data['timeline']['says']}"
    yield from check_documents(data["documents"], str(folded), inspect)
    yield from check_spreads(data["documents"])
    yield from check_calls(data, str(folded), inspect)


def check_small(arguments, scratch):
    """A page that may not have all tells so, and keeps to its size."""
    page = scratch / "small.html"
    run(str(arguments.bin / "trace_inspect"), "report", str(arguments.samples / "npb-lu.S-4"), "--max-size", "1", "-o",
        str(page), "-f")
    text = page.read_text(encoding="utf-8")
    if len(text) > 1_000_000:
        yield f"{len(text)} bytes are more than a megabyte"
    data = data_of(text)
    if not data["timeline"]["exact"] and not data["timeline"]["says"]:
        yield "the page does not say what it holds"


def check_processes(arguments, scratch):
    """The page is the same for any number of processes."""
    pages = []
    for number in (1, 2):
        page = scratch / f"by{number}.html"
        command = [str(arguments.bin / "trace_inspect"), "report", str(arguments.samples / "micro-stencil2d9p-isend-4"), "-o", str(page)]
        if number > 1:
            command = [*arguments.mpiexec.split(), "-n", str(number), *command]
        subprocess.run(command, check=True, capture_output=True)
        pages.append(page.read_text(encoding="utf-8"))
    if pages[0] != pages[1]:
        yield "two processes write another page than one"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    parser.add_argument("--mpiexec")
    arguments = parser.parse_args()
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for sample in SAMPLES:
            problems += [f"{sample}: {problem}" for problem in check(sample, arguments, scratch)]
        problems += check_small(arguments, scratch)
        if arguments.mpiexec:
            problems += check_processes(arguments, scratch)
    print("\n".join(problems))
    print(f"{len(SAMPLES)} pages, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
