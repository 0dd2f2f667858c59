#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads a .cubex file with a reader of its own and compares it with the profile as text.

Usage: cubex_test.py TRACE_INSPECT ARCHIVE
"""

import csv
import io
import json
import pathlib
import struct
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as ElementTree


OF_TRACE = "of the trace: "

def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_cubex(path):
    """{(metric, path, location): value}; locations are numbered without those that only hold metrics."""
    with tarfile.open(path) as archive:
        members = {member.name: archive.extractfile(member).read() for member in archive}
    cube = ElementTree.fromstring(members["anchor.xml"])
    regions = {region.get("id"): region.findtext("name") for region in cube.iter("region")}
    paths = {}

    def walk(cnode, above):
        path = above + (regions[cnode.get("calleeId")],)
        paths[int(cnode.get("id"))] = path
        for child in cnode.findall("cnode"):
            walk(child, path)

    for root in cube.find("program").findall("cnode"):
        walk(root, ())
    locations = {int(it.get("Id")): it.findtext("type") for it in cube.iter("location")}
    assert sorted(locations) == list(range(len(locations))), "locations are not numbered in a row"
    assert all(node.find("class") is not None for node in cube.iter("systemtreenode"))
    assert all(group.find("location") is not None for group in cube.iter("locationgroup"))
    for node in cube.iter("systemtreenode"):
        tags = [child.tag for child in node if child.tag in ("locationgroup", "systemtreenode")]
        assert tags == sorted(tags), "Cube's grammar has the processes of a node first"
    numbered = [number for number in sorted(locations) if locations[number] != "metric"]
    values = {}
    for metric in cube.find("metrics"):
        if metric.get("type") == "POSTDERIVED":
            assert metric.findtext("cubepl")
            continue
        assert metric.get("type") == "EXCLUSIVE"
        number, name = metric.get("id"), metric.findtext("uniq_name")
        if name.startswith("metric_"):
            name = OF_TRACE + metric.findtext("disp_name")
        code = {"UINT64": "Q", "DOUBLE": "d"}[metric.findtext("dtype")]
        index, data = members[number + ".index"], members[number + ".data"]
        assert index.startswith(b"CUBEX.INDEX") and data.startswith(b"CUBEX.DATA")
        order, version, kind, rows = struct.unpack_from("<ihBi", index, 11)
        assert (order, version, kind, rows) == (1, 0, 1, len(paths))
        ids = struct.unpack_from(f"<{rows}i", index, 22)
        assert sorted(ids) == sorted(paths) and len(index) == 22 + 4 * rows
        numbers = struct.unpack_from(f"<{rows * len(locations)}{code}", data, 10)
        assert len(data) == 10 + 8 * rows * len(locations)
        for row, node in enumerate(ids):
            for location in locations:
                value = numbers[row * len(locations) + location]
                assert not value or location in numbered, "a metric location has a value"
                if value:
                    key = name, "/".join(paths[node]), numbered.index(location)
                    values[key] = values.get(key, 0) + value
    return values


def read_csv(text):
    """The same from --csv --by location."""
    values = {}
    places = {}
    for row in csv.DictReader(io.StringIO(text)):
        location = places.setdefault(row["location"], len(places))
        value = float(row["exclusive"])
        if value:
            key = row["metric"], row["path"], location
            values[key] = values.get(key, 0) + value
    return values


def read_metrics(tool, archive):
    """By metric and call path: sums of metrics of the trace, in their units; none for states, which
    have a mean over time."""
    sums = {}
    metrics = json.loads(run(tool, "metrics", "--json", "--by", "path", archive))["metrics"]
    for metric in metrics:
        for row in metric["rows"]:
            if not row["path"]:
                continue
            if row.get("sum", row["min"] or row["max"]):
                sums[metric["metric"], row["path"]] = row.get("sum")
    return sums


def sum_up(values):
    """The same of a file for Cube, where the values of states are counted, too."""
    sums = {}
    for (name, path, _), value in values.items():
        name = name.removeprefix(OF_TRACE).removesuffix(" (sum)")
        if not name.endswith(" (values)"):
            sums[name, path] = sums.get((name, path), 0) + value
    return sums


def close(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def main(tool, archive):
    with tempfile.TemporaryDirectory() as folder:
        target = str(pathlib.Path(folder) / "profile.cubex")
        run(tool, "profile", "-q", archive, "-o", target)
        ours = read_cubex(target)
        refused = subprocess.run([tool, "profile", archive, "-o", target], capture_output=True)
        assert refused.returncode == 1, "an existing file was overwritten"
        run(tool, "profile", "-q", "-f", archive, "-o", target)
        assert read_cubex(target) == ours
    expected = read_csv(run(tool, "profile", "--csv", "--by", "location", archive))
    ours_of_trace, expected_of_trace = {}, read_metrics(tool, archive)
    for key in [key for key in ours if key[0].startswith(OF_TRACE)]:
        ours_of_trace[key] = ours.pop(key)
    assert sum_up(ours_of_trace).keys() == expected_of_trace.keys(), "metrics of the trace"
    for key, value in sum_up(ours_of_trace).items():
        expected_sum = expected_of_trace[key]
        assert expected_sum is None or close(value, expected_sum), key
    assert set(ours) == set(expected), sorted(set(ours) ^ set(expected))[:5]
    wrong = [key for key in expected if not close(ours[key], expected[key])]
    assert not wrong, wrong[:5]
    print(len(ours), "values")
    return 0 if len(ours) > 20 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
