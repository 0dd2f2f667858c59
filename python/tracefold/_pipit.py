# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Traces in the forms of other libraries: Pipit's frames, Hatchet's literal call trees."""

import numpy as np

# What OTF2, and so Pipit, calls the arguments of messages and collective operations.
_OTF2_NAMES = {
    "to": "receiver",
    "from": "sender",
    "target": "remote",
    "comm": "communicator",
    "tag": "msg_tag",
    "bytes": "msg_length",
    "op": "collective_op",
    "root": "root",
    "sent": "size_sent",
    "received": "size_received",
    "request": "request_id",
}
_TYPES = {
    "Enter": "Enter",
    "Leave": "Leave",
    "CallingContextEnter": "Enter",
    "CallingContextLeave": "Leave",
}


def _attributes(columns, rows):
    """A dict per row of its arguments; None for rows without any."""
    result = np.empty(rows, object)
    for column, name in _OTF2_NAMES.items():
        values = columns[column]
        if isinstance(values, np.ma.MaskedArray):
            there = np.flatnonzero(~np.ma.getmaskarray(values))
            values = values.data
        elif values.dtype == object:
            there = np.flatnonzero(values != np.array(None))
        else:
            there = np.arange(rows)
        for row, value in zip(there.tolist(), values[there].tolist()):
            if result[row] is None:
                result[row] = {}
            result[row][name] = value
    return result


def _numbers_of_locations(trace):
    """Two arrays by location: the number of its process, and its place in that."""
    sizes = {}
    processes = [location["process"] for location in trace.locations]
    places = []
    for process in processes:
        places.append(sizes.get(process, 0))
        sizes[process] = places[-1] + 1
    return np.array(processes, np.int64), np.array(places, np.int64)


def frames(trace, **part):
    """(definitions, events) for pipit.trace.Trace."""
    import pandas as pd

    columns = trace.events(**part).to_numpy()
    rows = len(columns["event"])
    types = columns["event"]
    names = np.where(columns["region"] == np.array(None), types, columns["region"])
    ranks, threads = columns["rank"], columns["thread"]
    if isinstance(ranks, np.ma.MaskedArray):
        alone = np.ma.getmaskarray(ranks)
        processes, places = _numbers_of_locations(trace)
        ranks = np.where(alone, processes[np.where(alone, threads, 0)], ranks.data)
        threads = np.where(alone, places[np.where(alone, threads, 0)], threads)
    kinds, codes = np.unique(types.astype(str), return_inverse=True)
    events = pd.DataFrame(
        {
            "Timestamp (ns)": np.ma.filled(columns["time"], 0).astype(np.float64),
            "Event Type": np.array([_TYPES.get(kind, "Instant") for kind in kinds])[codes],
            "Name": names,
            "Thread": threads,
            "Process": ranks,
            "Attributes": _attributes(columns, rows),
        }
    )
    events = events.sort_values("Timestamp (ns)", kind="stable", ignore_index=True)
    events = events.astype(
        {"Event Type": "category", "Name": "category", "Thread": "category", "Process": "category"}
    )
    return _definitions(trace), events


def _definitions(trace):
    """The definitions of a Trace in Pipit's form: Definition Type, ID, Attributes."""
    import pandas as pd

    rows = [("ClockProperties", None, {"timer_resolution": trace.ticks_per_second})]
    for number, location in enumerate(trace.locations):
        rows.append(("Location", number, dict(location)))
    for number, name in enumerate(trace.functions):
        rows.append(("Region", number, {"name": name}))
    return pd.DataFrame(rows, columns=["Definition Type", "ID", "Attributes"])


def call_tree(trace, metric):
    """The literal form of hatchet.GraphFrame."""
    table = trace.profile().to_numpy()
    nodes, paths, roots = {}, {-1: ""}, []
    parents = np.ma.filled(table["parent"], -1)
    for row, number in enumerate(np.ma.filled(table["id"], -1).tolist()):
        node = nodes.get(number)
        if node is None:
            paths[number] = table["path"][row]
            # A name may have a slash in it.
            above = int(parents[row])
            name = paths[number][len(paths[above]) + (above >= 0) :]
            node = {
                "frame": {"name": name, "type": "function"},
                "metrics": {metric: 0.0, f"{metric} (inc)": 0.0},
                "children": [],
            }
            nodes[number] = node
            siblings = roots if parents[row] < 0 else nodes[int(parents[row])]["children"]
            siblings.append(node)
        what = table["metric"][row]
        if what == metric:
            node["metrics"][metric] = float(table["exclusive_sum"][row])
            node["metrics"][f"{metric} (inc)"] = float(table["inclusive_sum"][row])
        elif what == "visits":
            node["metrics"]["visits"] = float(table["exclusive_sum"][row])
    return roots
