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
    duckdb.from_arrow(table).
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

    def _parts(self, indices):
        schema = self._schema()
        parts = {index: [] for index in indices}
        last = None
        for batch in self._batches.open():
            for index in parts:
                parts[index].append(batch.buffers(index))
            last = batch
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
        frame = first.to_pandas()
        text = frame.head(self._HTML_ROWS).to_html()
        if len(frame) > self._HTML_ROWS:
            text += f"<p>and more rows after these {self._HTML_ROWS}</p>"
        return text
