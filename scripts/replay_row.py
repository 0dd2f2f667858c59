#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a row of the Markdown table of scripts/replay_all, or its head without --name.

usage: replay_row.py FOLDER DELTAS... [--name NAME]
FOLDER holds the JSON of a check (check) and, for each choice of --deltas, that of a replay (DELTAS)
and of one with --verify (verify.DELTAS).
"""

import argparse
import json
import pathlib


def first_object(path):
    """MPI may print lines after the JSON."""
    with open(path, encoding="utf-8") as lines:
        return json.loads(lines.readline())


def size(count):
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.3g} {unit}" if unit != "B" else f"{count} B"
        count /= 1000
    return ""


def time(seconds):
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def wall(result):
    return sum(result["wall_seconds"]) / len(result["wall_seconds"])


def total(result, key):
    return sum(call[key] for call in result["calls_by_function"])


def verified(proofs):
    """Parts that were compared, by choice of --deltas if they are not as many."""
    text = " / ".join(dict.fromkeys(f"{proof['parts']:,}" for proof in proofs))
    differences = sum(proof["differences"] for proof in proofs)
    if differences:
        text += f", {differences} differ"
    if len({proof["fingerprint"] for proof in proofs}) != 1:
        text += ", not alike"
    return text


def found(check):
    return ", ".join(f"{one['count']} {one['kind']}" for one in check["findings"])


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("deltas", nargs="+")
    arguments.add_argument("--name")
    given = arguments.parse_args()
    if given.name is None:
        columns = ["archive", "ranks", "calls", "left out", "sent", "received", "verified",
                   "recorded", *given.deltas, "found by the check"]
        print("| " + " | ".join(columns) + " |")
        print("|---|" + "---:|" * (len(columns) - 2) + "---|")
        return
    results = [first_object(given.folder / deltas) for deltas in given.deltas]
    proofs = [first_object(given.folder / f"verify.{deltas}")["verified"]
              for deltas in given.deltas]
    one = results[0]
    recorded = time(one["recorded"]["wall"]["max"]) if "recorded" in one else ""
    cells = [given.name, str(one["ranks"]), f"{one['calls']:,}", f"{one['calls_left_out']:,}",
             size(total(one, "sent_bytes")), size(total(one, "received_bytes")), verified(proofs),
             recorded, *(time(wall(result)) for result in results),
             found(first_object(given.folder / "check"))]
    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
