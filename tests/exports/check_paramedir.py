#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the messages that Paraver's kernel reads from a trace with `trace_inspect matrix`.

Two histograms, of the number of messages and of their bytes for each pair of threads, must agree for each pair of
ranks. What nobody receives is not in a Paraver trace; the conversion tells of it.
Prints what was compared. Exit code 0 if all agrees, 1 if not.

usage: check_paramedir.py BIN TRACE.tfold PARAMEDIR TRACE.prv DROPPED
(DROPPED: messages that nobody receives, of any pair)
"""

import collections
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

# A window over all threads, and a histogram of it.
WINDOW = """#ParaverCFG
ConfigFile.Version: 3.4
ConfigFile.NumWindows: 1
< NEW DISPLAYING WINDOW states >
window_name states
window_type single
window_id 1
window_position_x 0
window_position_y 0
window_width 600
window_height 115
window_comm_lines_enabled true
window_logical_filtered true
window_physical_filtered false
window_units Nanoseconds
window_maximum_y 100.0
window_minimum_y 0.0
window_compute_y_max false
window_level thread
window_scale_relative 1.0
window_end_time_relative 1.0
window_object appl { 1, { All } }
window_begin_time_relative 0.0
window_open false
window_selected_functions { 14, { {cpu, Active Thd}, {appl, Adding}, {task, Adding}, {thread, State As Is}, \
{node, Adding}, {system, Adding}, {workload, Adding}, {from_obj, All}, {to_obj, All}, {tag_msg, All}, \
{size_msg, All}, {bw_msg, All}, {evt_type, All}, {evt_value, All} } }
window_compose_functions { 9, { {compose_cpu, As Is}, {compose_appl, As Is}, {compose_task, As Is}, \
{compose_thread, As Is}, {compose_node, As Is}, {compose_system, As Is}, {compose_workload, As Is}, \
{topcompose1, As Is}, {topcompose2, As Is} } }
< NEW ANALYZER2D >
Analyzer2D.Name: messages
Analyzer2D.X: 0
Analyzer2D.Y: 0
Analyzer2D.Width: 600
Analyzer2D.Height: 300
Analyzer2D.ControlWindow: 1
Analyzer2D.DataWindow: 1
Analyzer2D.Accumulator: Communications
Analyzer2D.Statistic: """
HISTOGRAM = """
Analyzer2D.CalculateAll: False
Analyzer2D.HorizVert: Horizontal
Analyzer2D.Parameters: 4 -1e308 1e308 -1e308 1e308
Analyzer2D.AnalysisLimits: Alltrace
Analyzer2D.ComputeYScale: False
Analyzer2D.Minimum: 0.0
Analyzer2D.Maximum: 100.0
Analyzer2D.Delta: 101.0
"""


def rank_of(thread):
    """Of "THREAD 1.TASK.THREAD"."""
    return int(thread.split(".")[1]) - 1


def histogram(paramedir, trace, statistic):
    """By sender and receiver."""
    with tempfile.TemporaryDirectory() as folder:
        config, table = pathlib.Path(folder) / "histogram.cfg", pathlib.Path(folder) / "table"
        config.write_text(WINDOW + statistic + HISTOGRAM)
        subprocess.run([paramedir, trace, config, table], check=True, capture_output=True)
        lines = table.read_text().splitlines() if table.exists() else [""]
    partners = [rank_of(column) for column in lines[0].split("\t") if column.startswith("THREAD ")]
    cells = collections.Counter()
    for line in lines[1:]:
        thread, *values = line.rstrip("\t").split("\t")
        if thread.startswith("THREAD "):
            for partner, value in zip(partners, values, strict=True):
                cells[rank_of(thread), partner] += round(float(value))
    return +cells


def main(arguments):
    bin_folder, trace, paramedir, converted, dropped = arguments
    text = subprocess.run([pathlib.Path(bin_folder) / "trace_inspect", "matrix", trace, "--csv"], check=True,
                          capture_output=True, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    number = histogram(paramedir, converted, "#Sends")
    sizes = histogram(paramedir, converted, "Bytes sent")
    calls = collections.Counter({(int(row["from"]), int(row["to"])): int(row["calls"]) for row in rows})
    wrong, missing = [], 0
    for row in rows:
        pair = int(row["from"]), int(row["to"])
        missing += int(row["calls"]) - number[pair]
        if int(row["calls"]) == number[pair] and int(row["bytes"]) != sizes[pair]:
            wrong.append(f"{pair}: {sizes[pair]} of {row['bytes']} bytes")
    wrong += [f"{pair}: {number[pair]} messages, and none in the matrix" for pair in number if not calls[pair]]
    if missing != int(dropped):
        wrong.append(f"{sum(number.values())} of {sum(calls.values())} messages")
    print("\n".join(wrong[:3]) or f"{sum(number.values())} messages")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
