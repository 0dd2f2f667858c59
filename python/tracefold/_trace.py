# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Traces: their content, and the questions that the library answers about them."""

import contextlib
import html
import json
import operator
import os
import tempfile
import warnings

import numpy as np

from . import _graphs, _pipit, _plots, _tracefold
from ._frames import Efficiency, Explanation, GuardResult, Table

_ROWS = 1 << 15


def _numbers(value, what):
    """A set of numbers in the form of the command line: "0-15,64"; empty for None."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, range) and len(value) > 1 and value.step > 0:
        return f"{value[0]}-{value[-1]}:{value.step}"
    try:
        numbers = [operator.index(value)]
    except TypeError:
        numbers = [operator.index(number) for number in value]
    if not numbers:
        raise _tracefold.UsageError(f"{what} is empty; omit it to select all")
    return ",".join(map(str, numbers))


def _window(value):
    """A time window in the form of the command line: "1.5:2"; empty for None."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    begin, end = value
    text = ["" if bound is None else repr(float(bound)) for bound in (begin, end)]
    return "" if text == ["", ""] else ":".join(text)


def _patterns(value):
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)


def _part(ranks=None, time=None, iterations=None, match=None):
    return _tracefold.Part(
        _numbers(ranks, "ranks"),
        _window(time),
        _numbers(iterations, "iterations"),
        _patterns(match),
    )


class TraceWarning(UserWarning):
    """A result that may not be what was meant: a name without calls, processes without events."""


class Matrix:
    """The communication matrix: `rows` send to `columns`, both lists of labels.

    `bytes` and `calls` are dense arrays of uint64 with a row for each sender. `cells` is the
    sparse form, for large traces: an array of shape (n, 4) with row, column, calls and bytes of each
    pair. `total`, `received` and `unknown` are pairs of calls and bytes: of all cells, as recorded by
    the receivers, and to ranks that the trace does not name.
    """

    def __init__(self, parts, title):
        self.rows = parts["rows"]
        self.columns = parts["columns"]
        self.cells = parts["cells"]
        self.total = parts["total"]
        self.received = parts["received"]
        self.unknown = parts["unknown"]
        self.title = title

    @property
    def shape(self):
        return len(self.rows), len(self.columns)

    def _dense(self, column):
        array = np.zeros(self.shape, np.uint64)
        array[self.cells[:, 0], self.cells[:, 1]] = self.cells[:, column]
        return array

    @property
    def calls(self):
        """Number of messages, by sender and receiver."""
        return self._dense(2)

    @property
    def bytes(self):
        """Bytes, by sender and receiver."""
        return self._dense(3)

    def __array__(self, dtype=None):
        return self.bytes if dtype is None else self.bytes.astype(dtype)

    def to_pandas(self, metric="bytes"):
        """A DataFrame with the labels of senders and receivers; `metric`: "bytes" or "calls"."""
        import pandas as pd

        return pd.DataFrame(getattr(self, metric), index=self.rows, columns=self.columns)

    def to_xarray(self, metric="bytes"):
        """An xarray.DataArray with the dimensions `from` and `to`; `metric`: "bytes" or "calls"."""
        import xarray

        labels = {"from": self.rows, "to": self.columns}
        return xarray.DataArray(getattr(self, metric), labels, ["from", "to"], name=metric)

    def to_networkx(self):
        """A networkx.DiGraph: an edge for each pair, with the attributes `calls` and `bytes`."""
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(self.rows)
        graph.add_nodes_from(self.columns)
        for row, column, calls, size in self.cells.tolist():
            graph.add_edge(self.rows[row], self.columns[column], calls=calls, bytes=size)
        return graph

    def plot(self, metric="bytes", ax=None):
        """Draws the matrix with matplotlib; returns the axes."""
        return _plots.matrix(self, metric, ax)

    def __repr__(self):
        calls, size = self.total
        return f"<tracefold.Matrix {self.title}: {self.shape}, {calls} calls, {size} bytes>"

    def _repr_html_(self):
        if max(self.shape, default=0) > 32:
            return f"<p>{html.escape(repr(self))}</p>"
        return self.to_pandas().to_html()


class Trace:
    """An open trace: a folded file, or an OTF2 archive that was folded into a temporary file.

    Times are int64 nanoseconds since the first event, on the clock that all locations share, or with
    ticks=True the exact ticks of that clock (`ticks_per_second`). Durations are of the location's own
    clock. A file without times has none.

    Methods share these arguments, with the meaning of the command line options:

    ranks: a rank, an iterable of ranks, or a text such as "0-15,64"; None: all.
    time: (begin, end) in seconds since the first event, None for an open end, or a text such as
        "1.5:2" or ":20ms". Calls that overlap the window are selected.
    iterations: steps of the program by number from 0, as for ranks.
    match: a name or names; shell patterns such as "MPI_I*", or regular expressions in slashes,
        "/send|recv/".

    They raise UsageError for wrong arguments, UnsupportedError if the trace cannot answer, for want of
    times for example, and CorruptError for damaged files. They warn (TraceWarning) if no name matches, and if
    processes were not recorded. Several threads can use a trace; they take turns, without Python's lock.
    """

    def __init__(self, opened):
        self._opened = opened
        self._known_facts = None
        self._known_counts = None

    # Properties

    @property
    def _open(self):
        if self._opened is None:
            raise ValueError("the trace is closed")
        return self._opened

    def close(self):
        """Releases the memory of the trace. Earlier tables stay readable."""
        self._opened = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def _facts(self):
        if self._known_facts is None:
            self._known_facts = self._open.facts()
        return self._known_facts

    @property
    def _counts(self):
        if self._known_counts is None:
            self._known_counts = self._open.counts()
        return self._known_counts

    @property
    def path(self):
        """The path given to open()."""
        return self._open.path

    @property
    def ranks(self):
        """Number of MPI ranks; 0 without MPI."""
        return self._facts["ranks"]

    @property
    def processes(self):
        """Number of processes: MPI ranks; without MPI PEs of OpenSHMEM, else location groups with
        threads."""
        return self._facts["processes"]

    @property
    def process_kind(self):
        """Kind of the processes: "rank", "PE" or "process"."""
        return self._facts["process_kind"]

    @property
    def left_out(self):
        """Sentences about processes and threads that were not recorded; means leave them out."""
        return self._facts["left_out"]

    @property
    def locations(self):
        """A list of dicts, one per location: location (its label), rank (or None), thread (without a
        rank, the place in this list), process (the rank; processes without one come after all
        ranks), name, group, kind, events."""
        return self._open.locations()

    @property
    def timing(self):
        """Timing level of the file: "exact", "quantized", "histogram" or "none"."""
        return self._facts["timing"]

    @property
    def ticks_per_second(self):
        """Resolution of the clock."""
        return self._facts["ticks_per_second"]

    @property
    def duration(self):
        """Length of the trace in seconds."""
        return self._counts["seconds"]

    @property
    def event_count(self):
        """Number of records of all locations."""
        return self._counts["events"]

    @property
    def functions(self):
        """Number of calls by function, most calls first: {name: calls}."""
        return dict(self._counts["calls"])

    @property
    def records(self):
        """Number of records by type: {"Enter": n, ...}."""
        return dict(self._counts["records"])

    @property
    def metrics(self):
        """A list of dicts, one per metric: name, unit, mode."""
        return self._open.metrics()

    @property
    def archive(self):
        """The OTF2 archive behind the trace: name, otf2_version, creator, machine, description,
        properties."""
        return dict(self._facts["archive"])

    def _part(self, ranks=None, time=None, iterations=None, match=None, whole=False):
        """The selected part; `whole`: means and balances leave out what was not recorded."""
        part = _part(ranks, time, iterations, match)
        sentences = [self._open.unmatched(part)] if match is not None else []
        for sentence in sentences + (self.left_out if whole else []):
            if sentence:
                warnings.warn(sentence, TraceWarning, stacklevel=3)
        return part

    def __repr__(self):
        if self._opened is None:
            return "<tracefold.Trace, closed>"
        facts = self._facts
        return (
            f"<tracefold.Trace {self.path}: {facts['ranks']} ranks, "
            f"{facts['locations']} locations, timing {facts['timing']}>"
        )

    def _repr_html_(self):
        facts = self._facts
        rows = {
            "file": self.path,
            "ranks": facts["ranks"],
            "locations": facts["locations"],
            "events": f"{self.event_count:,}",
            "duration": f"{self.duration:.6g} s",
            "timing": facts["timing"],
            "archive": f"{facts['archive_bytes']:,} bytes",
            "recorded by": facts["archive"]["creator"],
        }
        cells = "".join(
            f"<tr><th>{name}</th><td>{html.escape(str(value))}</td></tr>"
            for name, value in rows.items()
        )
        return f"<table>{cells}</table>"

    # Calls and records one by one

    def calls(
        self,
        ranks=None,
        time=None,
        iterations=None,
        match=None,
        columns=None,
        ticks=False,
        batch_rows=_ROWS,
    ):
        """The calls, location by location: a Table that is unfolded while it is read.

        Columns (`columns` chooses some, CALL_COLUMNS names all):

        location, rank, thread: the place; the rank is none outside of MPI processes.
        begin, duration: ns or ticks; only calls have a duration.
        step: of the program, from 0; none outside of steps. Without this column, steps are not searched.
        kind: "call", or "enter" and "leave" of a function that contains other calls, or "record".
        call: name of the function, or the type of the record.
        to, from, target: ranks in the communicator, or window: of a send, receive, one-sided access.
            -1 is none, -2 self, -3 this group, as for root.
        comm, op: names of the communicator and of the collective operation.
        tag, root: int64.
        bytes: of all messages of the call; sent, received: of the collective operation.
        request, completed: id of the created request; list of the completed requests.
        other: everything else, as NAME=VALUE.

        Receives have the data of their messages, non-blocking ones at the call that posts them. An
        argument with several values in a call, such as the tags of MPI_Sendrecv, has a value if all
        are the same, else none, but bytes, sent and received are sums; `other` then has the values,
        joined by ";". It also has numbers that do not fit into int64, such as the size of an
        operation without one (2**64 - 1).

        batch_rows: maximum number of rows per batch.
        """
        part = self._part(ranks, time, iterations, match)
        return Table(self._open.calls(part, list(columns or []), ticks, batch_rows))

    def events(
        self,
        ranks=None,
        time=None,
        iterations=None,
        match=None,
        columns=None,
        ticks=False,
        batch_rows=_ROWS,
    ):
        """The records of the calls of calls(), as recorded: a Table.

        Columns (EVENT_COLUMNS): location, rank, thread, time (ns or ticks), event (type of the
        record, "Enter"), region (of an enter or leave), and the arguments as in calls().
        """
        part = self._part(ranks, time, iterations, match)
        return Table(self._open.events(part, list(columns or []), ticks, batch_rows))

    def messages(self, ranks=None, time=None, iterations=None, match=None, top=0):
        """The messages, by the begin of the send: a Table.

        Columns: sender, receiver (ranks), tag, bytes, communicator, step, late (the part of the receiving
        call before the send began), then send, send_location, send_begin, send_duration and the same of
        `receive`: the blocking receive, or the call that completes a non-blocking one. All times are
        seconds. A message that no call receives has no receiver.

        ranks: of the sender or the receiver. time: messages on their way in this window. match: the sending
        or the receiving call. top: only so many, those with the longest waits first; 0: all.
        """
        part = self._part(ranks, time, iterations, match)
        return Table(self._open.messages(part, top))

    def steps(self, ranks=None, ticks=False):
        """The steps of the program, common to all ranks: a Table.

        Columns: location, rank, thread, step (from 0), begin, duration (ns or ticks), calls. `iterations`
        of other methods selects steps. Raises UsageError if there are none.
        """
        return Table(self._open.steps(_part(ranks), ticks, _ROWS))

    # Answers from the folded form

    def matrix(self, kind="p2p", by="rank", ranks=None):
        """The communication matrix: a Matrix.

        kind: "p2p", "rma" (puts, gets and atomic operations, in the direction of the data), or
            "collective" (columns are communicators).
        by: groups of ranks: "rank", "node", or "class" (same control flow).
        """
        return Matrix(self._open.matrix_parts(_part(ranks), kind, by), f"{kind} by {by}")

    def matrix_table(self, kind="p2p", by="rank", ranks=None):
        """The same as a Table: from, to, calls, bytes, a row for each pair."""
        return Table(self._open.matrix(_part(ranks), kind, by))

    def sizes(self, exact=False, ranks=None):
        """Histogram of message sizes by call: a Table.

        Columns: call, kind ("send", "receive", "collective", "put", "get", "atomic"), side ("sent",
        "received", or "per_peer" of collectives), smallest and largest bytes of the class, count,
        bytes. exact: every size by itself instead of powers of two.
        """
        return Table(self._open.sizes(_part(ranks), exact))

    def structure(self, ranks=None, times=False, depth=0):
        """The program as nested loops: a list of dicts, one per distinct control flow.

        Each has `participants` ("ranks 0-3"), `locations` ([start, stride, count] runs of places
        among the definitions) and `body`, a list of nodes: kind ("loop", "call", "enter", "leave",
        "record"), name, executions, count, records with their arguments, and of loops a body; seconds,
        summed over locations, where the file keeps means, or with `times`, which unfolds the trace.
        depth: levels of loops and regions; 0: all. A shorter body has the number of items_left_out.
        """
        scripts = json.loads(self._open.structure(_part(ranks), times, depth))["scripts"]
        return [_tree(script) for script in scripts]

    def graph(self, signature=None, regions=False, times=False, ranks=None):
        """The event flow graph as a networkx.DiGraph: an edge for each transition between events.

        Nodes are numbers; 0 is the start and 1 the end. All others have the attributes name, kind
        ("call", ...), path (the regions around, "main/solve"), arguments (a dict), visits, locations
        ([start, stride, count] runs of places among the definitions), and, if times are known,
        time, in seconds: a dict of total, mean, minimum and maximum. Edges have count, time (between
        the two events) and uses: for locations with the same uses, their number and the
        visits of the node (docs/howto/graphs.md). Attributes of the graph are classes and loops.

        signature: properties that distinguish events, besides the call: some of "peer", "size",
            "comm", "tag", "path", "context", "site"; None: peer, size, comm and path; an empty list:
            nothing.
        regions: enters and leaves of regions are events, too. times: read the exact times, which
            unfolds the trace; without it, only files that keep means have times.
        """
        words = "" if signature is None else ",".join(["call", *_patterns(signature)])
        return _graphs.flow_graph(json.loads(self._open.graph(_part(ranks), words, regions, times)))

    def stats(
        self,
        by="call",
        ranks=None,
        match=None,
        histogram=None,
        over="calls",
        metric="time",
        bins=20,
        loop=0,
        over_time=False,
    ):
        """Count, sum, mean, deviation and extremes of calls, time and bytes: a Table.

        Columns: name, kind ("mpi" or "user"), over ("calls", "ranks", "iterations": one
        sample), metric ("calls", "time", "sent", "received", "read", "written"), count, sum, mean,
        deviation, min, max. Times are seconds.

        by: "call", "path" (functions by call path) or "loop".
        histogram: names of functions; the table is then the histogram of their samples: name,
            first_iteration, last_iteration, from, to, samples. `over`, `metric` and `bins`
            define it; over_time: a histogram for each iteration.
        loop: take iterations of this outermost loop, from 1; 0: the steps of the program.
        """
        sampling = _tracefold.Sampling()
        sampling.by = by
        sampling.histogram = _patterns(histogram)
        sampling.over = over
        sampling.metric = metric
        sampling.bins = bins
        sampling.loop = loop
        sampling.over_time = over_time
        return Table(self._open.stats(self._part(ranks, match=match, whole=True), sampling))

    def classes(self, by="calls", ranks=None, match=None, per_iteration=False, loop=0):
        """Classes of similar ranks, with statistics: a Table.

        Columns: class, locations (their number), who, calls, sent, received (bytes), time, mean,
        deviation, min, max (seconds per location). by: the criterion: "events", "calls",
        "script", "arguments", "regions" or "regions=PATTERN". match: the calls of the
        statistics. per_iteration: number of classes per iteration, and ranks that change class.
        """
        sampling = _tracefold.Sampling()
        sampling.by = by
        sampling.loop = loop
        sampling.per_iteration = per_iteration
        return Table(self._open.classes(self._part(ranks, match=match), sampling))

    def profile(self, by=None, depth=0, times=True, ranks=None):
        """Visits, time and communication of every call path: a Table.

        Columns: id, parent (none at the root), depth, path, metric ("visits", "time" in seconds,
        "bytes_sent", ...), then sum, min, max, mean and std over the locations, of `inclusive`
        (all below the path) and `exclusive` values. by: "node", "rank" or "location": the two
        values for each of these, in a column of this name. depth: number of levels; 0: all.
        times: False leaves out times, which require unfolding the trace.
        """
        return Table(self._open.profile(self._part(ranks, whole=True), depth, by or "", times))

    def efficiency(self, focus=False):
        """Parallel efficiency, and waits of processes and threads: a Table.

        Columns: what ("program", "efficiency", "focus", "rank", "wait", ...), path, rank, figure, value
        (seconds, or a factor from 0 to 1). efficiency()["parallel"] is a factor, `factors` a dict of
        all. Raises UnsupportedError if the file does not keep all times.
        focus: also the factors of the program's steps without the first one, for which it searches.
        """
        self._part(whole=True)
        return Efficiency(self._open.efficiency(focus))

    def explain(self):
        """Why the run is slow: an Explanation, the document of `trace_inspect explain --json`.

        print(trace.explain()) shows the causes of lost time as sentences, most costly first;
        explain().causes is a list of them. Raises UnsupportedError if the file does not keep all times.
        """
        self._part(whole=True)
        return Explanation(json.loads(self._open.explain()))

    def check(self):
        """Checks the file for damage, and whether a replay is possible: a Table of findings.

        Columns: finding, count, hinders (1: the trace cannot be replayed), what, treatment,
        examples. No rows: no problems.
        """
        return Table(self._open.check())

    # For other libraries

    def to_pipit(self, **part):
        """(definitions, events): the DataFrames of a pipit.trace.Trace.

        Events have the columns Timestamp (ns), Event Type, Name, Thread, Process and Attributes, in
        the order of time. `part`: arguments of events().
        """
        return _pipit.frames(self, **part)

    def to_hatchet(self, metric="time"):
        """The call tree in the literal form that hatchet.GraphFrame.from_literal() reads.

        Metrics are sums over all locations: `metric` exclusive, `metric` + " (inc)" inclusive, and
        visits.
        """
        return _pipit.call_tree(self, metric)

    # Pictures

    def plot_timeline(self, ranks=None, time=None, match=None, ax=None):
        """Draws the calls of a part of the trace over time, a line per location; returns the axes.

        Colors are those of `trace_inspect serve`: by activity, such as point-to-point or file I/O.
        """
        uses = self._open.uses(_part(ranks))
        return _plots.timeline(self, ranks, time, match, uses, _tracefold.USE_COLORS, ax)

    def plot_matrix(self, metric="bytes", ax=None, **matrix):
        """Draws matrix(**matrix) as a heat map; returns the axes."""
        return _plots.matrix(self.matrix(**matrix), metric, ax)

    def plot_steps(self, ranks=None, ax=None):
        """Draws the time of each location per step as a heat map; returns the axes."""
        return _plots.steps(self, ranks, ax)


def _tree(script):
    """A script of trace_inspect structure --json with nested loops."""
    nodes = script["nodes"]
    for node in nodes:
        if node["kind"] == "loop":
            node["body"] = [nodes[item] for item in node["body"]]
    body = [nodes[item] for item in script["root"]]
    kept = {key: value for key, value in script.items() if key not in ("nodes", "root", "places")}
    return {**kept, "body": body}


def open(path, *, level=1, drop_unknown=False, scratch=None):
    """Opens a folded file, or an OTF2 archive (anchor file or folder), as a Trace.

    An archive is folded into a temporary file in the folder `scratch` (None: that of the system),
    which is removed with the trace; `level` is the compression effort, 1 to 19. drop_unknown: skip
    records of types unknown to OTF2. Raises FileError, CorruptError, UnsupportedError, and
    UsageError.
    """
    scratch = os.fspath(scratch) if scratch is not None else tempfile.gettempdir()
    return Trace(_tracefold.open(os.fspath(path), scratch, level, drop_unknown))


def compress(
    archive,
    output,
    *,
    timing="exact",
    time_error=0.01,
    verify=True,
    level=19,
    threads=0,
    drop_unknown=False,
    rescue=False,
    force=False,
):
    """Folds an OTF2 archive into the file `output`, as trace_compress does; returns its figures.

    timing: "exact", "quantized" (differences to within `time_error`), "histogram" or "none".
    verify: prove that the archive can be restored. threads: 0 for one per core. rescue: keep the intact
    part of a damaged archive. force: overwrite an existing file. The file appears
    whole or not at all. Returns a dict: output, ranks, locations, events, archive_bytes, file_bytes,
    exact_bytes, dropped_unknown_records, dropped_clock_offsets, losses.
    """
    return _tracefold.compress(
        os.fspath(archive),
        os.fspath(output),
        timing,
        time_error,
        verify,
        level,
        threads,
        drop_unknown,
        rescue,
        force,
    )


def convert(trace, output, to, *, force=False, pipit=False):
    """Writes a trace in another format, as trace_convert does; returns a summary.

    trace: a Trace or a path. to: "otf2", or a format of trace_convert --to help such as "csv".
    force: overwrite existing output. pipit: with "csv", also events.csv for Pipit. Returns a dict:
    output, format, and with otf2 events, else ranks, calls, bytes and the fate of the records
    (written, expanded, approximated, merged, dropped: {thing: times}).
    """
    if not isinstance(trace, Trace):
        with open(trace) as opened:
            return convert(opened, output, to, force=force, pipit=pipit)
    return _tracefold.convert(trace._open, os.fspath(output), to, force, pipit)


def diff(a, b, *, tolerance=None, ignore=None):
    """Differences between two traces: a Table, without rows if there are none.

    a, b: Traces or paths. Locations of the same name are compared: their calls, counts and arguments;
    with `tolerance`, a part of the longer one from 0 to 1, mean times as well. ignore: an
    argument or arguments to ignore, such as "ProcessId".

    Columns: kind ("only_in_a", "only_in_b", "count", "argument", "order", "time"), participants,
    path (loops and regions around, outermost first, joined by " > "), name (of the call, or "loop"),
    field (argument), a, b (as text). Rows without a name: participants that are missing in one trace.
    """
    if not isinstance(a, Trace):
        with open(a) as opened:
            return diff(opened, b, tolerance=tolerance, ignore=ignore)
    if not isinstance(b, Trace):
        with open(b) as opened:
            return diff(a, opened, tolerance=tolerance, ignore=ignore)
    return Table(_tracefold.diff(a._open, b._open, tolerance, _patterns(ignore)))


def guard(runs, baselines, *, allow=(), min_effect=0.02, strict=False):
    """Whether new runs of a program have the structure of the baselines and are not slower: a GuardResult, the
    document of `trace_scale guard --json`.

    runs, baselines: a Trace or path each, or several; the oldest baseline first. allow: differences in structure
    to accept, such as "counts:*/MPI_Allreduce" or "order". min_effect: relative changes of a time below it do not
    count. strict: undecided times do not pass. docs/reference/guard.md has the tests. Raises UnsupportedError if
    the runs differ in ranks or timing, and UsageError.
    """
    with contextlib.ExitStack() as stack:

        def opened(places):
            if isinstance(places, (str, os.PathLike, Trace)):
                places = [places]
            return [place if isinstance(place, Trace) else stack.enter_context(open(place)) for place in places]

        new, old = opened(runs), opened(baselines)
        return GuardResult(
            json.loads(
                _tracefold.guard(
                    [trace._open for trace in new],
                    [trace._open for trace in old],
                    _patterns(allow),
                    min_effect,
                    strict,
                )
            )
        )


def list_traces(
    places, *, where="", sort="", reverse=False, like=None, deep=False, index=True, scratch=None
):
    """The folded files and archives of folders: a Table with a row for each.

    places: a path or several, of folders that are searched or of traces. where: a condition such as
    "ranks>=64 and program~lulesh". sort: a column, smallest first, or largest first with `reverse`. like: a
    path; the column distance is then that of each trace's structure from its, and the order. deep: also
    compute steps and efficiency, and fold archives temporarily, in the folder `scratch`. index: read and write
    the file .tracefold-index of each folder, which makes later calls fast.

    docs/reference/list.md defines the columns, which have no value where one is not known. A trace that
    cannot be read has the reason as its state; the others have "ok". Raises FileError for a missing place,
    and UsageError.
    """
    if isinstance(places, (str, os.PathLike)):
        places = [places]
    scratch = os.fspath(scratch) if scratch is not None else tempfile.gettempdir()
    like = "" if like is None else os.fspath(like)
    places = [os.fspath(place) for place in places]
    return Table(_tracefold.list(places, where, sort, reverse, like, deep, index, scratch))
