#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares metrics with the records of the archive.

Usage: metrics_test.py TRACE_INSPECT OTF2_PRINT ARCHIVE
Number, sum, least and greatest value per metric and location must be those of otf2-print's records,
whole numbers to the last digit, and those of call paths must add up to them.
"""

import collections
import csv
import io
import math
import re
import subprocess
import sys

MEMBER = re.compile(r'^METRIC_MEMBER +(\d+) +Name: "([^"]*)".* Mode: (\w+?)_\w+,')
LOCATION = re.compile(r"^LOCATION +(\d+) ")
RECORD = re.compile(r"^METRIC +(\d+) +\d+ +Metric: (.*)$")
VALUE = re.compile(r'\("[^"]*" <(\d+)>; (\w+); ([^)]*)\)')


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    if done.returncode:
        sys.exit(" ".join(command) + ": " + done.stderr)
    return done.stdout


def tallies(otf2_print, anchor):
    """(metric, location by place) -> (values, sum, least, greatest), as the records have it."""
    members, places = {}, {}
    for line in run(otf2_print, "-G", anchor).splitlines():
        if found := MEMBER.match(line):
            members[found[1]] = found[2], found[3]
        elif found := LOCATION.match(line):
            places[found[1]] = len(places)
    samples, last = collections.defaultdict(list), {}
    for line in run(otf2_print, anchor).splitlines():
        record = RECORD.match(line)
        if not record:
            continue
        for member, kind, text in VALUE.findall(record[2]):
            number = float(text) if kind in ("DOUBLE", "FLOAT") else int(text)
            place = member, places[record[1]]
            if members[member][1] == "ACCUMULATED":
                before, last[place] = last.get(place), number
                if before is None:
                    continue
                number -= before
            samples[place].append(number)
    result = collections.defaultdict(list)
    for (member, place), values in sorted(samples.items(), key=lambda it: it[0][1]):
        total = math.fsum(values) if isinstance(values[0], float) else sum(values)
        result[members[member][0]].append((len(values), total, min(values), max(values)))
    return result


def number(text):
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


def told(tool, archive, by):
    rows = csv.DictReader(io.StringIO(run(tool, "metrics", "-q", "--csv", "--by", by, archive)))
    result = collections.defaultdict(list)
    for row in rows:
        values = (number(row[name]) for name in ("values", "sum", "min", "max"))
        result[row["metric"]].append(tuple(values))
    return result


def same(a, b):
    """otf2-print shows six digits of real numbers, and all of whole ones."""
    return math.isclose(a, b, rel_tol=1e-5) if isinstance(b, float) else a == b


def together(rows):
    return (sum(row[0] for row in rows), math.fsum(row[1] for row in rows),
            min(row[2] for row in rows), max(row[3] for row in rows))


def main(tool, otf2_print, archive):
    wanted = tallies(otf2_print, archive + "/traces.otf2")
    ours = told(tool, archive, "location")
    assert ours.keys() == wanted.keys(), sorted(ours.keys() ^ wanted.keys())
    for name, rows in wanted.items():
        assert len(ours[name]) == len(rows), name
        for one, other in zip(sorted(ours[name]), sorted(rows)):
            assert all(map(same, one, other)), (name, one, other)
    paths = told(tool, archive, "path")
    for name, rows in ours.items():
        count, total, least, greatest = together(rows)
        of_paths = together(paths[name])
        assert (count, least, greatest) == (of_paths[0], *of_paths[2:]), name
        assert math.isclose(total, of_paths[1], rel_tol=1e-12), name
    print(sum(row[0] for rows in ours.values() for row in rows), "values")
    return 0 if ours else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
