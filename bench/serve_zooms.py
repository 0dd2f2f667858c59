#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""How fast `trace_inspect serve` answers: the first view, and random zooms of random rows.

Usage: serve_zooms.py FOLDER_OF_TOOLS FILE [ZOOMS]
An example of 82 million events: bench_generate stencil --dims 3 --ranks 512 --steps 1000 -o stencil, then
trace_compress stencil.
"""

import json
import pathlib
import random
import statistics
import subprocess
import sys
import time
import urllib.request

FIRST_ROWS = 32
ROWS = 40
COLUMNS = 1500


def peak_memory(process):
    """The most memory that a process had, in megabytes."""
    status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1000


def main(tools, file, zooms="50"):
    random.seed(1)
    start = time.perf_counter()
    with subprocess.Popen([f"{tools}/trace_inspect", "serve", file, "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as server:
        try:
            address = json.loads(server.stdout.readline())["address"]

            def ask(question):
                with urllib.request.urlopen(address + "api/" + question) as answer:
                    return json.loads(answer.read())

            def view(rows, begin, end):
                return ask(f"timeline?rows={rows}&from={int(begin)}&to={int(end) + 1}&columns={COLUMNS}")

            trace = ask("trace")
            begin, end = trace["window"]
            count = len(trace["rows"])
            view(f"0-{min(FIRST_ROWS, count) - 1}", begin, end)
            print(f"first view: {time.perf_counter() - start:.3f} s from the start of the program")
            for which in ("at first", "afterwards"):
                times = []
                for _ in range(int(zooms)):
                    length = (end - begin) * 10 ** random.uniform(-6, 0)
                    left = random.uniform(begin, end - length)
                    row = random.randint(0, max(0, count - ROWS))
                    before = time.perf_counter()
                    view(f"{row}-{min(row + ROWS, count) - 1}", left, left + length)
                    times.append(time.perf_counter() - before)
                print(f"{zooms} random zooms of {min(ROWS, count)} rows {which}: median {statistics.median(times) * 1e3:.1f} ms, "
                      f"slowest {max(times) * 1e3:.1f} ms")
            print(f"memory: {peak_memory(server.pid):.0f} MB")
        finally:
            server.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
