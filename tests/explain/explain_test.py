# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Explains recorded programs with a known fault, and their twins without it.

usage: explain_test.py BIN FOLDER [--table]

FOLDER has bench.json and runs/NAME.faulty.tfold, runs/NAME.clean.tfold. The first cause must be the right one in 90 % of the
faulty runs, and a twin has a cause in at most 5 %, apart from those that keep one by construction ("keeps"). Some programs have a known number of "steps". Every number is
one that the command prints which it names. --table also prints the confusion table and the gains beside those of reruns.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

RIGHT, FALSE_ALARMS, CLOSE = 0.9, 0.05, 0.15
MOST_TEXT, MOST_JSON = 4096, 16384
GALLERY = pathlib.Path(__file__).resolve().parents[2] / "docs/tutorial/patterns.md"


def output(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def numbers_in(document):
    if isinstance(document, dict):
        document = document.values()
    if isinstance(document, (int, float)) and not isinstance(document, bool):
        yield document
    elif not isinstance(document, (int, float, str, type(None))):
        for value in document:
            yield from numbers_in(value)


def check_numbers(inspect, file, found):
    printed = {}
    for cause in found["causes"] + found["smaller"]:
        for number in cause["numbers"]:
            command = number["command"]
            if command not in printed:
                printed[command] = list(numbers_in(json.loads(output(inspect, *command.split(), "--json", file))))
            near = 1e-9 * abs(number["value"])
            if not any(abs(other - number["value"]) <= near for other in printed[command]):
                raise SystemExit(f"{file}: {command} does not print {number}")


def check_gallery(said):
    """The quotations of docs/tutorial/patterns.md are what the command says."""
    lines = GALLERY.read_text(encoding="utf-8").splitlines()
    quotations = re.findall(r"(?:^> .*\n)+", "\n".join(lines) + "\n", re.MULTILINE)
    for quotation in quotations:
        words = " ".join(line[2:] for line in quotation.splitlines())
        if words not in said:
            raise SystemExit(f"{GALLERY.name} quotes what no run gives: {words}")


def explain(inspect, file):
    text, document = output(inspect, "explain", file), output(inspect, "explain", "--json", file)
    if len(text.encode()) > MOST_TEXT or len(document.encode()) > MOST_JSON:
        raise SystemExit(f"{file}: {len(text)} B of text, {len(document)} B of JSON")
    found = json.loads(document)
    gains = [cause["won"] for cause in found["causes"]]
    if gains != sorted(gains, reverse=True):
        raise SystemExit(f"{file}: the most costly cause is not the first: {gains}")
    check_numbers(inspect, file, found)
    first = found["causes"][0] if found["causes"] else {"id": "nothing", "won_share": 0}
    return {**first, "of_steps": found["steps"]}


def main(folder, bench, table):
    inspect = pathlib.Path(sys.argv[1]) / "trace_inspect"
    found = {run.name[:-6]: explain(inspect, run) for run in sorted((folder / "runs").glob("*.tfold"))}
    right, close, alarms, twins = [], [], [], []
    confused = collections.Counter()
    if folder == pathlib.Path(__file__).resolve().parent:
        check_gallery({f"{cause.get('sentence')} {cause.get('remedy')}" for cause in found.values()})
    for name, truth in bench.items():
        faulty, clean = found[f"{name}.faulty"], found[f"{name}.clean"]
        if truth.get("steps", faulty["of_steps"]) != faulty["of_steps"]:
            raise SystemExit(f"{name}: {faulty['of_steps']} steps")
        confused[truth["causes"][0], faulty["id"]] += 1
        if faulty["id"] in truth["causes"]:
            right.append(name)
            if abs(faulty["won_share"] - truth["won"]) <= CLOSE * truth["won"]:
                close.append(name)
        if not truth.get("keeps"):
            twins.append(name)
            if clean["id"] != "nothing":
                alarms.append(name)
        if table:
            print(f"{name:20} {truth['causes'][0]:18} {faulty['id']:18} {100 * faulty['won_share']:5.1f} %, "
                  f"rerun {100 * truth['won']:5.1f} %, twin {clean['id']}")
    if table:
        for (wanted, got), count in sorted(confused.items()):
            print(f"| {wanted} | {got} | {count} |")
    print(f"right cause in {len(right)} of {len(bench)}, gain within {100 * CLOSE:.0f} % in {len(close)}; "
          f"a cause in {len(alarms)} of {len(twins)} twins: {' '.join(alarms)}")
    print("wrong:", *(name for name in bench if name not in right))
    return 0 if len(right) >= RIGHT * len(bench) and len(alarms) <= FALSE_ALARMS * len(twins) else 1


if __name__ == "__main__":
    FOLDER = pathlib.Path(sys.argv[2]).resolve()
    sys.exit(main(FOLDER, json.loads((FOLDER / "bench.json").read_text()), "--table" in sys.argv))
