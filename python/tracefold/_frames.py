# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables and their batches: columns of numbers and names that NumPy, pandas and Arrow understand."""

import numpy as np


def _integers(parts):
    """One array of integers or reals; masked if some rows have no value."""
    if not parts:
        return np.zeros(0, np.int64)
    values = np.concatenate([part["values"] for part in parts])
    if not any("valid" in part for part in parts):
        return values
    return np.ma.MaskedArray(values, mask=~_valid(parts))


def _valid(parts, key="values"):
    """True for the rows that have a value."""
    return np.concatenate([part.get("valid", np.ones(len(part[key]), bool)) for part in parts])


def _codes(parts):
    """The numbers of labels, -1 where a row has none."""
    if not parts:
        return np.zeros(0, np.int32)
    codes = np.concatenate([part["codes"] for part in parts])
    if any("valid" in part for part in parts):
        codes = np.where(_valid(parts, "codes"), codes, np.int32(-1))
    return codes


def _named(codes, names):
    """Names in place of their numbers; None for -1."""
    return np.append(np.array(names, object), None)[codes]


def _lists(parts):
    """An array of arrays; None where a row has none."""
    rows = []
    for part in parts:
        offsets, values = part["offsets"], part["values"]
        valid = part.get("valid")
        for row in range(len(offsets) - 1):
            there = valid is None or valid[row]
            rows.append(values[offsets[row] : offsets[row + 1]] if there else None)
    result = np.empty(len(rows), object)
    result[:] = rows
    return result


def _objects(parts):
    texts = [text for part in parts for text in part["values"]]
    result = np.empty(len(texts), object)
    result[:] = texts
    return result


def _cut(buffers, begin, end):
    """The buffers of some rows of a batch."""
    if "offsets" in buffers:
        part = {"offsets": buffers["offsets"][begin : end + 1], "values": buffers["values"]}
        if "valid" in buffers:
            part["valid"] = buffers["valid"][begin:end]
        return part
    return {name: values[begin:end] for name, values in buffers.items()}


class _Columns:
    """Base of tables and batches: columns by name.

    A subclass gives _schema(), a list of (name, type, unit), and _parts(column), the buffers of that
    column batch by batch, and _names(column), the names behind its labels.
    """

    @property
    def columns(self):
        """The names of the columns, in order."""
        return [name for name, _, _ in self._schema()]

    @property
    def units(self):
        """The units of the columns that have one: "ns", "tick", "byte" or "rank"."""
        return {name: unit for name, _, unit in self._schema() if unit}

    def _find(self, column):
        for index, (name, kind, _) in enumerate(self._schema()):
            if name == column:
                return index, kind
        raise KeyError(f"there is no column {column!r}; the columns are {', '.join(self.columns)}")

    def _array(self, index, kind, parts):
        if kind == "label":
            return _named(_codes(parts), self._names(index))
        if kind == "integers":
            return _lists(parts)
        if kind == "text":
            return _objects(parts)
        values = _integers(parts)
        return values if kind == "integer" else values.astype(np.float64, copy=False)

    def __getitem__(self, column):
        """A column as a NumPy array.

        Integers are int64 and reals float64, as a masked array if some rows have no value. Labels
        and texts are objects, str or None; lists are arrays of int64, or None. Raises KeyError.
        """
        index, kind = self._find(column)
        return self._array(index, kind, self._parts([index])[index])

    def codes(self, column):
        """A column of labels as (codes, names): int32 per row, -1 for none, and a list of str.

        Raises KeyError, and TypeError for a column that has no labels.
        """
        index, kind = self._find(column)
        if kind != "label":
            raise TypeError(f"column {column!r} has no labels")
        return _codes(self._parts([index])[index]), self._names(index)

    def to_numpy(self):
        """All columns by name, as __getitem__() gives them."""
        schema = self._schema()
        parts = self._parts(range(len(schema)))
        return {
            name: self._array(i, kind, parts[i]) for i, (name, kind, _) in enumerate(schema)
        }

    def to_pandas(self):
        """A DataFrame. Labels are categories; integers with gaps are of pandas' type Int64."""
        import pandas as pd

        schema = self._schema()
        parts = self._parts(range(len(schema)))
        data = {}
        for i, (name, kind, _) in enumerate(schema):
            if kind == "label":
                names = self._names(i)
                data[name] = pd.Categorical.from_codes(_codes(parts[i]), names)
                continue
            values = self._array(i, kind, parts[i])
            if isinstance(values, np.ma.MaskedArray):
                if kind == "integer":
                    mask = np.ma.getmaskarray(values)
                    values = pd.arrays.IntegerArray(np.array(values.data), mask)
                else:
                    values = values.filled(np.nan)
            data[name] = values
        return pd.DataFrame(data)


    def to_polars(self):
        """A polars.DataFrame."""
        import polars

        return polars.DataFrame(
            {name: self._for_polars(column) for name, column in self.to_numpy().items()}
        )

    @staticmethod
    def _for_polars(column):
        if isinstance(column, np.ma.MaskedArray) or column.dtype == object:
            return [row.tolist() if isinstance(row, np.ndarray) else row for row in column.tolist()]
        return column


class Batch(_Columns):
    """A batch of rows of a table; len() is their number.

    Its integers, reals and codes are views of memory that the batch shares, and cannot be changed.
    It is an Arrow array as well (__arrow_c_array__).
    """

    def __init__(self, batch):
        self._batch = batch

    def _schema(self):
        return self._batch.columns()

    def _parts(self, indices):
        return {index: [self._batch.buffers(index)] for index in indices}

    def _names(self, index):
        return self._batch.names(index)

    def _array(self, index, kind, parts):
        buffers = parts[0]
        if kind in ("integer", "real") and "valid" not in buffers:
            return buffers["values"]  # as it is, without a copy
        return super()._array(index, kind, parts)

    def __len__(self):
        return len(self._batch)

    def __arrow_c_schema__(self):
        return self._batch.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema=None):
        return self._batch.__arrow_c_array__(requested_schema)

    def __repr__(self):
        return f"<tracefold.Batch of {len(self)} rows: {', '.join(self.columns)}>"


class Table(_Columns):
    """A table that is read batch by batch; it can be read repeatedly.

    Iterating gives a Batch at a time, in constant memory; table["column"], to_numpy() and to_pandas()
    read all of it. It is a stream of Arrow record batches for every library that knows the Arrow
    PyCapsule interface (__arrow_c_stream__): pyarrow.table(table), polars.from_arrow(table),
    duckdb.from_arrow(table). len(table) reads it once; head() and table[10:20] read as far as these
    rows.
    """

    _HTML_ROWS = 20

    def __init__(self, batches):
        self._batches = batches
        self._seen_names = {}

    def _schema(self):
        if not hasattr(self, "_columns"):
            self._columns = self._batches.open().columns()
        return self._columns

    def __iter__(self):
        return map(Batch, self._batches.open())

    def __len__(self):
        if not hasattr(self, "_rows"):
            self._rows = sum(map(len, self._batches.open()))
        return self._rows

    def __getitem__(self, column):
        """A column as a NumPy array, as of _Columns; or Rows, for a slice such as table[10:20]."""
        if not isinstance(column, slice):
            return super().__getitem__(column)
        if column.step not in (None, 1):
            raise ValueError("rows are taken without a step")
        begin, end = column.start or 0, column.stop
        if begin < 0 or (end is not None and end < 0):
            begin, end, _ = column.indices(len(self))
        return Rows(self, begin, end)

    def head(self, n=5):
        """The first n rows: Rows."""
        return self[: max(n, 0)]

    def to_polars(self):
        """A polars.DataFrame."""
        import polars

        return polars.from_arrow(self)

    def _parts(self, indices, begin=0, end=None):
        schema = self._schema()
        parts = {index: [] for index in indices}
        last = None
        row = 0
        for batch in self._batches.open():
            last = batch
            first, stop = max(begin - row, 0), len(batch) if end is None else end - row
            row += len(batch)
            if first < min(stop, len(batch)):
                for index in parts:
                    parts[index].append(_cut(batch.buffers(index), first, stop))
            if end is not None and row >= end:
                break
        # The last batch knows the names of all.
        self._seen_names = {
            index: last.names(index) if last is not None else []
            for index in parts
            if schema[index][1] == "label"
        }
        return parts

    def _names(self, index):
        return self._seen_names[index]

    def __arrow_c_schema__(self):
        return self._batches.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema=None):
        return self._batches.__arrow_c_stream__(requested_schema)

    def __repr__(self):
        return f"<tracefold.Table: {', '.join(self.columns)}>"

    def _repr_html_(self):
        first = next(iter(self), None)
        if first is None:
            return "<p>no rows</p>"
        text = self.head(self._HTML_ROWS).to_pandas().to_html()
        if len(first) > self._HTML_ROWS:
            text += f"<p>and more rows after these {self._HTML_ROWS}</p>"
        return text


class Rows(_Columns):
    """Some rows of a table, read when they are asked for; len() is their number."""

    def __init__(self, table, begin, end):
        self._table, self._begin, self._end = table, begin, end

    def _schema(self):
        return self._table._schema()

    def _parts(self, indices):
        return self._table._parts(indices, self._begin, self._end)

    def _names(self, index):
        return self._table._names(index)

    def __len__(self):
        if self._end is None:
            return max(len(self._table) - self._begin, 0)
        rows = 0
        for batch in self._table:
            rows += len(batch)
            if rows >= self._end:
                break
        return max(min(rows, self._end) - self._begin, 0)

    def __repr__(self):
        return f"<tracefold.Rows, {len(self)}: {', '.join(self.columns)}>"

    def _repr_html_(self):
        return self.to_pandas().to_html()


class Efficiency(Table):
    """The table of Trace.efficiency(); efficiency["parallel"] is a factor."""

    @property
    def factors(self):
        """The factors by name, from 0 to 1: {"parallel": 0.87, "load_balance": 0.93, ...}."""
        return {
            figure: value
            for what, figure, value in zip(self["what"], self["figure"], self["value"])
            if what == "efficiency"
        }

    def __getitem__(self, column):
        """A column as a NumPy array, Rows, or a factor by its name. Raises KeyError."""
        if isinstance(column, slice) or column in self.columns:
            return super().__getitem__(column)
        factors = self.factors
        if column in factors:
            return factors[column]
        known = ", ".join([*self.columns, *factors])
        raise KeyError(f"there is no column or factor {column!r}; there are {known}")


class Explanation(dict):
    """What Trace.explain() tells: the document of `trace_inspect explain --json`.

    str() gives sentences, `causes` a list of dicts, to_pandas() a DataFrame of them.
    """

    @property
    def causes(self):
        """The causes, most costly first: id, won (seconds), won_share, sentence, remedy, ..."""
        return self["causes"]

    def __str__(self):
        lines = list(self["cautions"])
        for cause in self.causes:
            won = f"{'at most ' if cause['is_limit'] else ''}{100 * cause['won_share']:.1f} %"
            lines.append(f"wins {won}: {cause['sentence']} {cause['remedy']}")
        return "\n".join(lines or [self.get("sentence", "")])

    def to_pandas(self):
        """The causes as a DataFrame, without their numbers."""
        import pandas

        columns = ("id", "won", "won_share", "alone", "is_limit", "ranks", "path", "sentence", "remedy")
        rows = [{column: cause.get(column) for column in columns} for cause in self.causes]
        return pandas.DataFrame(rows, columns=columns)


class GuardResult(dict):
    """What guard() tells: the document of `trace_scale guard --json`.

    str() gives the summary, `passed` whether the runs pass, to_pandas() the times by call path, the whole run
    first.
    """

    @property
    def passed(self):
        """Whether the structure is that of the baselines, as far as it has to be, and no time is longer."""
        return self["passed"]

    def __str__(self):
        return self["summary"]

    def to_pandas(self):
        """The times by call path as a DataFrame."""
        import pandas

        columns = ("path", "verdict", "share", "change", "detectable", "p")
        rows = [{column: time.get(column) for column in columns} for time in self["times"]]
        return pandas.DataFrame(rows, columns=columns)
