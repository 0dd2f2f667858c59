#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""What Arrow's C interfaces give is what NumPy and pandas are given. Usage: arrow_test.py BIN SAMPLES"""

import gc
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
import arrow_consumer  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import tracefold  # noqa: E402

SAMPLES = pathlib.Path(sys.argv[2])


def plain(values):
    """A column as a list of plain values."""
    if isinstance(values, np.ma.MaskedArray):
        return values.tolist()
    return [v.tolist() if isinstance(v, np.ndarray) else v for v in values.tolist()]


class ArrowTest(unittest.TestCase):
    def compare(self, table):
        arrow = arrow_consumer.read_stream(table.__arrow_c_stream__())
        columns = table.to_numpy()
        self.assertEqual(list(arrow), list(columns))
        for name, values in columns.items():
            with self.subTest(name):
                self.assertEqual(arrow[name], plain(values))
        return len(next(iter(arrow.values())))

    def test_streams_of_all_samples(self):
        for path in sorted(SAMPLES.glob("*/traces.otf2")):
            with self.subTest(path.parent.name), tracefold.open(path) as trace:
                self.assertGreater(self.compare(trace.calls(batch_rows=777)), 0)
                self.assertEqual(self.compare(trace.events()), trace.event_count)
                self.compare(trace.profile())
                self.compare(trace.sizes())

    def test_batches_are_the_table(self):
        trace = tracefold.open(SAMPLES / "npb-lu.S-4")
        table = trace.calls(batch_rows=1000)
        batches = list(table)
        self.assertTrue(all(len(batch) == 1000 for batch in batches[:-1]))
        joined = pd.concat([batch.to_pandas().astype({"call": str}) for batch in batches])
        whole = table.to_pandas()
        self.assertEqual(joined["call"].tolist(), whole["call"].tolist())
        self.assertEqual(joined["begin"].tolist(), whole["begin"].tolist())
        codes, names = table.codes("call")
        self.assertEqual([names[code] for code in codes], table["call"].tolist())

    def test_columns_are_those_asked_for(self):
        trace = tracefold.open(SAMPLES / "npb-lu.S-4")
        whole = trace.calls().to_numpy()
        for names in (["call"], ["bytes", "to"], ["other", "begin", "rank"], ["completed"]):
            part = trace.calls(columns=names).to_numpy()
            self.assertEqual(list(part), names)
            for name in names:
                self.assertEqual(plain(part[name]), plain(whole[name]), name)

    def test_ticks_are_exact(self):
        trace = tracefold.open(SAMPLES / "micro-user-4")
        ticks = trace.calls(ticks=True)
        self.assertEqual(ticks.units["begin"], "tick")
        rate = trace.ticks_per_second
        nanoseconds = trace.calls()["begin"]
        self.assertLessEqual(np.abs(ticks["begin"] * (1e9 / rate) - nanoseconds).max(), 1)

    def test_arrays_outlive_their_trace(self):
        trace = tracefold.open(SAMPLES / "npb-lu.S-4")
        batch = next(iter(trace.calls(columns=["begin"])))
        begins = batch["begin"]
        stream = trace.calls(columns=["begin"]).__arrow_c_stream__()
        expected = begins.tolist()
        trace.close()
        del trace, batch
        gc.collect()
        self.assertEqual(begins.tolist(), expected)
        self.assertFalse(begins.flags.writeable)
        self.assertEqual(arrow_consumer.read_stream(stream)["begin"][: len(expected)], expected)

    def test_streams_that_nobody_reads_are_released(self):
        trace = tracefold.open(SAMPLES / "micro-user-4")
        table = trace.calls()
        for _ in range(100):
            table.__arrow_c_stream__()
            next(iter(table)).__arrow_c_array__()

    def test_pandas_types(self):
        trace = tracefold.open(SAMPLES / "micro-anysrc-4")
        frame = trace.calls().to_pandas()
        self.assertEqual(str(frame["call"].dtype), "category")
        self.assertEqual(str(frame["begin"].dtype), "int64")
        self.assertEqual(str(frame["tag"].dtype), "Int64")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
