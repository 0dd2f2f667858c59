#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what Cube's own tools read from a profile with `trace_inspect profile --csv`.

cube_sanity must find nothing wrong, cube_diff must take the file, and cube_dump must print, in the six digits that it
prints, the exclusive value of every metric, call path and location.
Prints what was compared. Exit code 0 if all agrees, 1 if not.

usage: check_cube.py BIN TRACE.tfold PROFILE.cubex CUBE_SANITY CUBE_DUMP CUBE_DIFF
"""

import csv
import io
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as ElementTree

DIGITS = 1e-5
COLOUR = re.compile("\x1b\\[\\d+m")


def output_of(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def failed_checks(sanity, cube):
    """Checks of cube_sanity that do not end well; large ones tell of their progress in between."""
    checks = {}
    for line in COLOUR.sub("", output_of(sanity, cube)).splitlines():
        if " ... " in line:
            name, said = line.split(" ... ", 1)
            checks[name.strip()] = said
    return [name for name, said in checks.items() if not said.endswith("OK")]


def values_of_cube(dump, cube):
    """{(call path, location, metric): value} but for zeros and metrics of the trace."""
    text = output_of(dump, "-m", "all", "-x", "excl", "-z", "excl", "-c", "all", "-s", "csv2", cube)
    values = {}
    for row in csv.DictReader(io.StringIO(text), skipinitialspace=True):
        node, location = int(row.pop("Cnode ID")), int(row.pop("Thread ID"))
        values |= {(node, location, metric): float(value) for metric, value in row.items()
                   if float(value) and not metric.startswith("metric_")}
    return values


def values_of_profile(bin_folder, trace, cube):
    """The same of the table, whose locations are those that hold more than metrics."""
    with tarfile.open(cube) as members:
        anchor = ElementTree.fromstring(members.extractfile("anchor.xml").read())
    numbers = sorted(int(it.get("Id")) for it in anchor.iter("location") if it.findtext("type") != "metric")
    text = output_of(bin_folder / "trace_inspect", "profile", trace, "--by", "location", "--csv")
    values, places = {}, {}
    for row in csv.DictReader(io.StringIO(text)):
        location = numbers[places.setdefault(row["location"], len(places))]
        if float(row["exclusive"]):
            values[int(row["id"]), location, row["metric"]] = float(row["exclusive"])
    return values


def main(arguments):
    bin_folder, trace, cube, sanity, dump, diff = map(pathlib.Path, arguments)
    wrong = [f"cube_sanity: {check}" for check in failed_checks(sanity, cube)]
    ours, theirs = values_of_profile(bin_folder, trace, cube), values_of_cube(dump, cube)
    wrong += [f"{key}: {theirs.get(key, 0)} in Cube, {ours.get(key, 0)} in the profile"
              for key in sorted(ours.keys() | theirs.keys())
              if abs(ours.get(key, 0) - theirs.get(key, 0)) > DIGITS * abs(ours.get(key, 0))]
    with tempfile.TemporaryDirectory() as folder:
        output_of(diff, "-o", f"{folder}/nothing", cube, cube)
        if values_of_cube(dump, f"{folder}/nothing.cubex"):
            wrong.append("cube_diff of a file with itself is not zero")
    print("\n".join(wrong[:3]) or f"{len(ours)} values")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
