# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""What trace_inspect tells of a trace, for the checks of what it was converted to."""

import csv
import io
import json
import pathlib
import subprocess

# What a conversion says of calls that it does not write as what they are.
OTHER_FATES = ("expanded", "merged", "dropped")


def output_of(*command):
    """What a program prints; fails if it fails."""
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


class Trace:
    """A trace, as the trace_inspect in the folder `bin_folder` sees it."""

    def __init__(self, bin_folder, path):
        self.program = pathlib.Path(bin_folder) / "trace_inspect"
        self.path = path

    def table(self, command, *arguments):
        """Rows of a command's CSV."""
        return list(csv.DictReader(io.StringIO(output_of(self.program, command, self.path, *arguments, "--csv"))))

    def messages(self):
        """Messages and their bytes by sender and receiver."""
        return {(int(row["from"]), int(row["to"])): (int(row["calls"]), int(row["bytes"]))
                for row in self.table("matrix")}

    def collective_cells(self):
        """Rank and number of the communicator for each that collective operations were recorded on."""
        told = json.loads(output_of(self.program, "matrix", self.path, "--kind", "collective", "--json"))
        return [(int(told["rows"][cell["row"]]), cell["column"]) for cell in told["cells"]]

    def mpi_calls(self):
        """Calls of each MPI function, and the bytes that they sent (None: no record says)."""
        found = {(row["name"].rstrip("()"), row["metric"]): int(row["sum"])
                 for row in self.table("stats", "--match", "MPI_*")
                 if row["over"] == "calls" and row["metric"] in ("calls", "sent")}
        return {name: (calls, found.get((name, "sent"))) for (name, metric), calls in found.items()
                if metric == "calls"}


def calls_not_written(report, name, written):
    """Calls of a function that a conversion (`report`, of --json) says not to be there, when `written` are. What stands
    for the creation of a communicator is approximated, and messages where collective operations are."""
    others = sum(report[fate].get(name, 0) for fate in OTHER_FATES)
    if any(report["expanded"].values()):
        others += max(0, report["written"].get(name, 0) + report["approximated"].get(name, 0) - written)
    return others
