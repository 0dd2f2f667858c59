# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what the Python package says of a trace with the command line's CSV, row by row."""

import csv
import itertools
import re
import subprocess

import numpy as np

SPECIAL = {"none": -1, "self": -2, "this_group": -3}
MOST = 2**63 - 1  # of int64; what is more, as undefined sizes are, stands among the other arguments
SUMS = ("bytes", "sent", "received")
LABELS = ("comm", "op")
NUMBERS = ("to", "from", "target", "tag", "root") + SUMS


class Difference(Exception):
    """Something is not as the command line says."""


def expect(equal, *what):
    if not equal:
        raise Difference(" ".join(map(str, what)))


def rows_of(inspect, *arguments):
    """The rows of a table of trace_inspect as dicts, one at a time."""
    command = [inspect, *map(str, arguments), "--csv", "-q"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield from csv.DictReader(process.stdout)
        process.stdout.close()
        expect(process.wait() == 0, command, "failed")


def plain(text):
    """Without the apostrophe that keeps spreadsheets from computing."""
    return text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@") else text


def nanoseconds(text):
    if text == "":
        return None
    sign = -1 if text.startswith("-") else 1
    seconds, fraction = text.lstrip("-").split(".")
    return sign * (int(seconds) * 1_000_000_000 + int(fraction))


def at(column, row):
    value = column[row]
    return None if value is np.ma.masked else value


def batch_rows(table):
    """The rows of a table as dicts of plain values."""
    for batch in table:
        columns = batch.to_numpy()
        for row in range(len(batch)):
            yield {name: at(values, row) for name, values in columns.items()}


def expected_number(name, text, other):
    """What a column of numbers should hold, where the CSV has `text`."""
    if text == "":
        return None
    if ";" not in text:
        number = SPECIAL[text] if text in SPECIAL else int(text)
        if number <= MOST:
            return number
        expect(f"{name}={text}" in other, f"{name}={text} is not among {other}")
        return None
    values = text.split(";")
    if name not in SUMS and len(set(values)) == 1:
        return expected_number(name, values[0], other)
    expect(f"{name}={text}" in other, f"{name}={text} is not among {other}")
    return sum(map(int, values)) if name in SUMS else None


def expected_label(name, text, other):
    values = text.split(";")
    if len(set(values)) == 1:
        return plain(values[0])
    expect(f"{name}={text}" in other, f"{name}={text} is not among {other}")
    return ""


def pairs_of(text):
    """NAME=VALUE parts; a value may have blanks in it."""
    return [pair for pair in re.split(r" (?=[\w.]+=)", text) if pair]


def tokens(call):
    """What a call says besides its columns, as the CSV has it."""
    found = pairs_of(call["other"] or "")
    found = [token for token in found if token.split("=")[0] not in NUMBERS + LABELS]
    if call["request"] is not None:
        found.append(f"request={call['request']}")
    return sorted(found)


def compare_call(line, call):
    expect(line["location"] == call["location"], line, call)
    expect(line["kind"] == call["kind"] and plain(line["call"]) == call["call"], line, call)
    expect(nanoseconds(line["begin"]) == call["begin"], line, call)
    expect(nanoseconds(line["duration"]) == call["duration"], line, call)
    expect(line["step"] == ("" if call["step"] is None else str(call["step"])), line, call)
    other = pairs_of(call["other"] or "")
    for name in LABELS:
        expect(expected_label(name, line[name], other) == (call[name] or ""), name, line, call)
    for name in NUMBERS:
        expect(expected_number(name, line[name], other) == call[name], name, line, call)
    written = pairs_of(plain(line["other"]))
    completed = [token for token in written if token.startswith("completed=")]
    numbers = [int(n) for token in completed for n in token[10:].split(";")]
    have = [] if call["completed"] is None else call["completed"].tolist()
    expect(numbers == have, "completed", line, call)
    rest = sorted(token for token in written if token not in completed)
    expect(rest == tokens(call), "other", line, call)


def compare_calls(inspect, path, trace, most=None, **part):
    """Compares all calls, or the first `most`; their number."""
    options = []
    for name, value in part.items():
        options += [f"--{name}", value]
    count = 0
    lines = rows_of(inspect, "calls", path, *options)
    for line, call in itertools.zip_longest(lines, batch_rows(trace.calls(**part))):
        expect(line is not None and call is not None, "another number of calls:", line, call)
        compare_call(line, call)
        count += 1
        if count == most:
            lines.close()
            break
    return count


def equal_cell(text, value):
    if value is None:
        return text == ""
    if isinstance(value, str):
        return plain(text) == value
    return text != "" and float(text) == float(value)


def compare_table(inspect, arguments, table):
    """Compares a table of trace_inspect; the number of its rows."""
    count = 0
    for line, row in itertools.zip_longest(rows_of(inspect, *arguments), batch_rows(table)):
        expect(line is not None and row is not None, arguments, "another number of rows")
        expect(list(line) == list(row), arguments, "columns", list(line), list(row))
        for name, text in line.items():
            expect(equal_cell(text, row[name]), arguments, name, line, row)
        count += 1
    return count
