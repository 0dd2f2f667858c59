#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Loads the tables of trace_convert --to csv in pandas and compares their totals with trace_inspect.

What must agree:
  calls.csv        number, bytes sent and bytes received by function with `stats`; times as well,
                   but for the nanosecond that is rounded off for each call, and for MPI_Init, which
                   begins before the clock does where the clocks of processes were compared badly
  regions.csv      number and time by region with `stats`, the same way; a visit that is resumed has several rows
  messages.csv     number and bytes for each pair of ranks with `matrix`; both ends of a message are
                   there and agree
  collectives.csv  number and bytes for each rank with `matrix --kind collective`; all parts of an
                   operation name the same one
Receives that have no record are in the tables alone: there, more may be received than `stats` counts,
but no more than is sent. So are the bytes of collectives without a record.
Prints what was compared. Exit code 0 if all agrees, 1 if not, 77 without pandas.

usage: check_tables.py BIN TRACE.tfold TABLES
"""

import json
import pathlib
import subprocess
import sys

try:
    import pandas
except ImportError:
    pandas = None

COLLECTIVE = "MPI_I?(barrier|bcast|gather|scatter|all|reduce|scan|exscan)"
CHANNEL = ["from", "to", "comm", "tag", "number"]


class Difference(Exception):
    """What does not agree."""


def inspect(bin_folder, *arguments):
    result = subprocess.run([bin_folder / "trace_inspect", *arguments, "--json"], check=True,
                            capture_output=True, text=True)
    return json.loads(result.stdout)


def load(folder, name):
    return pandas.read_csv(folder / f"{name}.csv", keep_default_na=True)


def statistics(bin_folder, trace):
    """Calls, seconds and bytes by region."""
    rows = []
    for row in inspect(bin_folder, "stats", trace)["rows"]:
        sums = {f["metric"]: f["sum"] for f in row["figures"] if f["over"] == "calls"}
        rows.append({"name": row["path"][-1], "mpi": row["mpi"], "calls": row["calls"],
                     "time": sums.get("time"), "sent": sums.get("sent", 0),
                     "received": sums.get("received", 0)})
    columns = ["name", "mpi", "calls", "time", "sent", "received"]
    return pandas.DataFrame(rows, columns=columns)


def agree(what, table, trace):
    """Both by the same keys."""
    both = pandas.concat({"table": table, "trace": trace}, axis=1).fillna(0)
    wrong = both[both["table"] != both["trace"]]
    if len(wrong):
        first = wrong.iloc[0]
        raise Difference(f"{what} of {wrong.index[0]}: {first['table']:.15g} in the table, "
                         f"{first['trace']:.15g} in the trace ({len(wrong)} such)")
    return len(both)


def agree_in_time(what, table, calls, trace):
    """Seconds, but for a nanosecond of each call and the beginning of the program."""
    both = pandas.concat({"table": table, "trace": trace, "calls": calls}, axis=1).fillna(0)
    first = both.index.str.upper().str.startswith("MPI_INIT")
    allowed = 1e-9 * both["calls"] + (1e-9 + 1e-2 * first) * both["trace"].abs()
    wrong = both[(both["table"] - both["trace"]).abs() > allowed]
    if len(wrong):
        first = wrong.iloc[0]
        raise Difference(f"{what} of {wrong.index[0]}: {first['table']:.9f} s in the table, "
                         f"{first['trace']:.9f} s in the trace ({len(wrong)} such)")


def seconds(table):
    # Clocks that ran backwards give no time.
    return (table["end_ns"] - table["begin_ns"]).clip(lower=0) * 1e-9


def recorded(table, trace):
    """Without the bytes of collectives that left no record, of which `stats` knows none."""
    is_inferred = table.index.str.match(COLLECTIVE, case=False) & (trace.reindex(table.index) == 0)
    return table.mask(is_inferred, 0)


def check_calls(calls, stats):
    if calls.empty:
        if stats["mpi"].any():
            raise Difference("calls.csv has no calls")
        return 0, 0
    of_mpi = stats[stats["mpi"] & stats["name"].isin(calls["name"])].groupby("name")
    by_name = calls.groupby("name")
    agree("calls", by_name.size(), of_mpi["calls"].sum())
    trace = of_mpi[["sent", "received"]].sum()
    agree("bytes sent", recorded(by_name["bytes_sent"].sum(), trace["sent"]), trace["sent"])
    received = pandas.concat(
        {"table": recorded(by_name["bytes_received"].sum(), trace["received"]),
         "trace": trace["received"]}, axis=1)
    if calls["thread"].any():
        # What another thread completes, `stats` counts where it completes.
        received = received.groupby(lambda name: "all calls").sum()
    unrecorded = (received["table"] - received["trace"]).clip(lower=0)
    agree("bytes received", received["table"] - unrecorded, received["trace"])
    if calls["end_ns"].notna().any():
        agree_in_time("time of calls", seconds(calls).groupby(calls["name"]).sum(),
                      by_name.size(), of_mpi["time"].sum())
    return len(calls), int(unrecorded.sum())


def check_regions(regions, stats):
    by_name = regions.groupby("name")
    by_region = stats.groupby("name")
    agree("visits", (regions["resumed"] == 0).groupby(regions["name"]).sum(), by_region["calls"].sum())
    if regions["end_ns"].notna().any():
        agree_in_time("time of regions", seconds(regions).groupby(regions["name"]).sum(),
                      by_name.size(), by_region["time"].sum())
    return int((regions["resumed"] == 0).sum())


def cells(matrix, row, column, value):
    found = [(int(matrix["rows"][c["row"]]), matrix["columns"][c["column"]], c[value])
             for c in matrix["cells"]]
    return pandas.DataFrame(found, columns=[row, column, value]).set_index([row, column])[value]


def check_messages(messages, matrix, unrecorded):
    sends = messages[messages["direction"] == "send"].rename(columns={"rank": "from", "peer": "to"})
    receives = messages[messages["direction"] == "receive"].rename(
        columns={"rank": "to", "peer": "from"})
    by_pair = sends.groupby(["from", "to"])["bytes"]
    matrix["columns"] = [int(rank) for rank in matrix["columns"]]
    agree("messages", by_pair.size(), cells(matrix, "from", "to", "calls"))
    agree("bytes of messages", by_pair.sum(), cells(matrix, "from", "to", "bytes"))
    for name, ends in (("sent", sends), ("received", receives)):
        if ends.duplicated(CHANNEL).any():
            raise Difference(f"a message is {name} twice: {ends[ends.duplicated(CHANNEL)].iloc[0]}")
    pairs = sends.merge(receives, on=CHANNEL, how="outer", suffixes=("_sent", "_received"),
                        indicator=True)
    if (pairs["_merge"] == "right_only").any():
        raise Difference("messages are received that nobody sends: "
                         f"{(pairs['_merge'] == 'right_only').sum()}")
    whole = pairs[pairs["_merge"] == "both"]
    if whole["bytes_received"].sum() != matrix["received"]["bytes"] + unrecorded:
        raise Difference(f"{whole['bytes_received'].sum()} bytes are received, "
                         f"{matrix['received']['bytes']} in the trace and {unrecorded} unrecorded")
    if (whole["bytes_sent"] != whole["bytes_received"]).any():
        raise Difference("messages are received in another size than sent")
    return len(sends), len(sends) - len(whole)


def check_collectives(collectives, matrix):
    for value in ("calls", "bytes"):
        trace = cells(matrix, "rank", "comm", value).groupby("rank").sum()
        if trace.empty:
            break  # none has a record
        by_rank = collectives.groupby("rank")["bytes_sent"]
        agree(f"{value} of collectives", by_rank.size() if value == "calls" else by_rank.sum(),
              trace)
    # Communicators of one process each share a definition.
    shared = collectives[collectives["comm_size"] > 1]
    instances = shared.groupby(["comm", "instance"])["operation"]
    if (instances.nunique() > 1).any():
        raise Difference("parts of one collective operation have different operations")
    return len(collectives)


def check(bin_folder, trace, folder):
    """Returns what was compared; raises Difference."""
    stats = statistics(bin_folder, trace)
    calls, unrecorded = check_calls(load(folder, "calls"), stats)
    regions = check_regions(load(folder, "regions"), stats)
    sent, lost = check_messages(load(folder, "messages"), inspect(bin_folder, "matrix", trace),
                                unrecorded)
    parts = check_collectives(load(folder, "collectives"),
                              inspect(bin_folder, "matrix", trace, "--kind", "collective"))
    return {"calls": calls, "visits": regions, "messages": sent, "unreceived": lost,
            "unrecorded bytes": unrecorded, "collectives": parts}


def main(arguments):
    if len(arguments) != 3:
        sys.exit(__doc__.strip().splitlines()[-1])
    if pandas is None:
        print("pandas is not installed")
        return 77
    try:
        found = check(*map(pathlib.Path, arguments))
    except Difference as difference:
        print(difference)
        return 1
    print(", ".join(f"{count} {what}" for what, count in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
