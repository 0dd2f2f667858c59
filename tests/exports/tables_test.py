#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of sample traces pass check_tables.py, and changed ones do not.

Usage: tables_test.py BIN SAMPLES
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check_tables  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
# With receives that leave no record.
PROBES = pathlib.Path(__file__).resolve().parent.parent / "data/archives/micro-probe-4"
TRACES = [SAMPLES / name for name in ("micro-anysrc-4", "micro-omphyb-4", "micro-user-4",
                                      "micro-rma-4", "npb-lu.S-4", "tau-colls-4", "made-cuda-2")] + [PROBES]


class TablesTest(unittest.TestCase):
    def convert(self, archive, work):
        folded, tables = pathlib.Path(work) / "run.tfold", pathlib.Path(work) / "run.csv"
        subprocess.run([BIN / "trace_compress", "-q", archive, "-o", folded], check=True)
        subprocess.run([BIN / "trace_convert", "-q", folded, "--to", "csv", "-o", tables], check=True)
        return folded, tables

    def test_tables_of_samples(self):
        for archive in TRACES:
            with self.subTest(archive.name), tempfile.TemporaryDirectory() as work:
                found = check_tables.check(BIN, *self.convert(archive, work))
                self.assertGreater(found["calls"], 0)
                self.assertEqual(found["unreceived"], 0)
                self.assertEqual(found["unrecorded bytes"] > 0, archive == PROBES)

    def test_checker_finds_mistakes(self):
        with tempfile.TemporaryDirectory() as work:
            folded, tables = self.convert(SAMPLES / "micro-anysrc-4", work)
            for table in ("calls", "messages", "collectives", "regions"):
                path = tables / f"{table}.csv"
                text = path.read_text(encoding="utf-8")
                lines = text.splitlines(keepends=True)
                with self.subTest(table):
                    path.write_text("".join(lines[:-1]), encoding="utf-8")
                    with self.assertRaises(check_tables.Difference):
                        check_tables.check(BIN, folded, tables)
                    path.write_text(text, encoding="utf-8")
            check_tables.check(BIN, folded, tables)


if __name__ == "__main__":
    if check_tables.pandas is None:
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
